import { expression } from '#base';
import type { EvidenceLedger } from './ledger.ts';
import type { Lines } from './stretch.ts';

/** A citation as a model wrote it, read but not yet looked up. */
export interface Mark {
  /** As written, without its brackets. */
  written: string;
  /** Number of a stretch, or path of a file. */
  target: number | string;
  from?: number;
  to?: number;
}

interface MarkedPiece {
  text: string;
  marks: Mark[];
  /** Commas at the text's end that stand between marks. */
  commas?: number;
}

/** A sentence with all of its marks, wherever they stand in it: what it says is said by all that it cites. */
export interface MarkedSentence extends MarkedPiece {
  pieces: readonly MarkedPiece[];
}

const SENTENCE_END = /[.!?…。！？]["'”’»）)*_]*\s*$/u;

/** Cuts a line into sentences that end with a mark, as far as it has marks. */
export function sentencesOf(line: string): MarkedSentence[] {
  const sentences: MarkedPiece[][] = [];
  let isOpen = false;
  for (const piece of cutAtMarks(line)) {
    if (isOpen) sentences.at(-1)?.push(piece);
    else sentences.push([piece]);
    isOpen = !SENTENCE_END.test(piece.text);
  }
  return sentences.map((pieces) => ({
    text: pieces
      .map(({ text }) => text.trim())
      .join(' ')
      .replace(/ (?=[.,;:!?](?:\s|$))/gu, ''),
    marks: pieces.flatMap(({ marks }) => marks),
    pieces,
  }));
}

/** Longest text in brackets that is read as a citation. */
const LONGEST = 300;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '【': '】', '(': ')' };
/** `12`, `12-18`, `L12-L18`, and the same after a number or a path. */
const RANGE = String.raw`L?(\d{1,7})(?:\s?[-–—‑]\s?L?(\d{1,7}))?`;
const NUMBERED = new RegExp(String.raw`^\^?([1-9]\d{0,2})(?:\s?(?::|†|#|,? ?lines? ?)\s?${RANGE})?$`, 'iu');
const ONLY_LINES = new RegExp(String.raw`^(?:lines? )?${RANGE}$`, 'iu');
const PLACED = new RegExp(String.raw`^(.{1,250}?)(?::|#)${RANGE}$`, 'iu');
/** A file with its ending and no blanks at its ends. */
const FILE = expression('u')`^(?=.{3,250}$)[^\s:*?"<>|[\]][^:*?"<>|[\]]{0,248}\.[\p{L}\p{N}]{1,12}$`;

/**
 * Cuts a line at its citations. Accepted are `[n]`, `[n:12]`, `[n:12-18]`, `[path:12]`, `[path:12-18]`, `[path]`,
 * several in one bracket, with backticks, in `【…】`, as a link, and places in parentheses. What stands in brackets and
 * is no citation stays text; so does all that stands in code.
 */
export function cutAtMarks(line: string): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let text = '';
  let marks: Mark[] = [];
  let [commas, behind] = [0, 0];
  const close = (): void => {
    if (text !== '' || marks.length > 0) pieces.push({ text, marks, ...(commas > 0 && { commas }) });
    [text, marks, commas] = ['', [], 0];
  };
  for (let at = 0; at < line.length;) {
    const sign = line[at] as string;
    if (sign === '`') {
      const end = endOfCode(line, at);
      if (marks.length > 0) close();
      text += line.slice(at, end);
      at = end;
      continue;
    }
    const bracket = CLOSING[sign] === undefined ? undefined : marksAt(line, at, marks.at(-1));
    if (bracket) {
      if (marks.length > 0 && /^\s?[,;]\s?$/u.test(text.slice(behind))) commas += 1;
      behind = text.length;
      marks.push(...bracket.marks);
      at = bracket.end;
      continue;
    }
    // Blanks, commas and full stops between marks belong to them.
    if (marks.length > 0 && !/[\s,;.]/u.test(sign)) close();
    text += sign;
    at += 1;
  }
  close();
  return joined(pieces);
}

/** Signs alone, such as the full stop behind a mark, belong to the piece before them. */
function joined(pieces: readonly MarkedPiece[]): MarkedPiece[] {
  const result: MarkedPiece[] = [];
  for (const piece of pieces) {
    const before = result.at(-1);
    if (before && !/[\p{L}\p{N}]/u.test(piece.text) && (piece.marks.length === 0 || before.marks.length === 0))
      result[result.length - 1] = {
        ...before,
        text: before.text + piece.text,
        marks: [...before.marks, ...piece.marks],
      };
    else result.push(piece);
  }
  return result;
}

/** Where a span of code ends that begins here; a sign of its own where nothing closes it. */
function endOfCode(line: string, at: number): number {
  const fence = /`+/uy;
  fence.lastIndex = at;
  const ticks = fence.exec(line)?.[0] ?? '`';
  const end = line.indexOf(ticks, at + ticks.length);
  return end < 0 ? at + ticks.length : end + ticks.length;
}

function marksAt(line: string, at: number, before: Mark | undefined): { marks: Mark[]; end: number } | undefined {
  const open = line[at] as string;
  const end = line.indexOf(CLOSING[open] as string, at + 1);
  if (end < 0 || end - at > LONGEST) return undefined;
  const inner = line.slice(at + 1, end);
  const marks = readMarks(inner, before);
  // In parentheses only a place is a citation: `(3)` and `(see a.md)` are text.
  if (!marks || (open === '(' && !marks.every(({ target, from }) => typeof target === 'string' && from !== undefined)))
    return undefined;
  return { marks, end: open === '[' && line[end + 1] === '(' ? endOfLink(line, end + 1) : end + 1 };
}

/** Behind the target of a link, where a mark was written as one. */
function endOfLink(line: string, at: number): number {
  const end = line.indexOf(')', at);
  return end < 0 || end - at > LONGEST || /\s/u.test(line.slice(at, end)) ? at : end + 1;
}

/** The citations that a bracket holds; undefined where any part of it is none. */
function readMarks(inner: string, before: Mark | undefined): Mark[] | undefined {
  const whole = readMark(inner, undefined);
  if (whole) return [whole];
  const marks: Mark[] = [];
  for (const item of inner.split(/[,;]|\s(?:and|und|et|y)\s|\]\s?\[/u)) {
    const mark = readMark(item, marks.at(-1) ?? before);
    if (!mark) return undefined;
    marks.push(mark);
  }
  return marks.length > 0 ? marks : undefined;
}

/** @param before The mark before it, whose lines `20-22` alone are. */
function readMark(item: string, before: Mark | undefined): Mark | undefined {
  const written = item.replace(/[`[\]]/gu, '').trim();
  const numbered = NUMBERED.exec(written);
  const lines = ONLY_LINES.exec(written);
  if (lines && before?.from !== undefined && (lines[2] !== undefined || !numbered))
    return { written, target: before.target, ...range(lines[1], lines[2]) };
  if (numbered) return { written, target: Number(numbered[1]), ...range(numbered[2], numbered[3]) };
  const placed = PLACED.exec(written);
  if (placed && isFile(placed[1] ?? '')) return { written, target: placed[1] ?? '', ...range(placed[2], placed[3]) };
  return isFile(written) ? { written, target: written } : undefined;
}

/** A path of folders or a name with an ending: a word in brackets is none. */
const isFile = (text: string): boolean =>
  FILE.test(text) || (/^[^\s:[\]]+$/u.test(text) && text.slice(1, -1).includes('/') && !text.includes('//'));

function range(from: string | undefined, to: string | undefined): { from?: number; to?: number } {
  if (from === undefined) return {};
  const [a, b] = [Number(from), Number(to ?? from)];
  return { from: Math.min(a, b), to: Math.max(a, b) };
}

export interface CitedPlace extends Lines {
  number?: number;
  /** Lines were given, and were shown. */
  exact: boolean;
}

/** What a mark points at, of what is known; undefined where nothing of the kind was shown. */
export function placeOf(mark: Mark, ledger: EvidenceLedger): CitedPlace | undefined {
  const { target, from, to } = mark;
  if (typeof target === 'number') {
    const block = ledger.numbered(target);
    if (!block) return undefined;
    const { path, number } = block;
    // A line that was not shown: what the stretch says is meant.
    return from === undefined || to === undefined || ledger.lines({ path, from, to }).length === 0
      ? { path, number, from: block.from, to: block.to, exact: false }
      : { path, number, from, to, exact: true };
  }
  for (const path of ledger.pathsLike(target)) {
    const shown = ledger.blocks.filter((block) => block.path === path);
    if (from === undefined || to === undefined) {
      const [first] = shown;
      if (first) return { path, from: first.from, to: Math.max(...shown.map((block) => block.to)), exact: false };
    } else if (ledger.lines({ path, from, to }).length > 0) return { path, from, to, exact: true };
  }
  return undefined;
}
