import type { TextSpan } from '#protocol';
import { tokenise, type Token, type TokenKind } from './tokenise.ts';

/** A stretch of one line with one look. */
export interface Segment {
  text: string;
  kind: TokenKind;
  /** True for words that link two hops. */
  marked: boolean;
}

/** A line as it is drawn. */
export interface DrawnLine {
  /** 1-based line in the file. */
  number: number;
  segments: Segment[];
}

/** Cuts a passage's text into lines of segments: colours from the tokeniser, marks from the spans. */
export function drawLines(text: string, language: string, firstLine: number, marks: readonly TextSpan[]): DrawnLine[] {
  const tokens = tokenise(text, language);
  const lines: DrawnLine[] = [];
  let start = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const visible = line.replace(/\r$/, '');
    lines.push({ number: firstLine + index, segments: cut(text, start, start + visible.length, tokens, marks) });
    start += line.length + 1;
  }
  return lines;
}

function cut(
  text: string,
  start: number,
  end: number,
  tokens: readonly Token[],
  marks: readonly TextSpan[],
): Segment[] {
  const edges = new Set([start, end]);
  const here = tokens.filter((token) => token.start < end && token.end > start);
  const marked = marks.filter((mark) => mark.start < end && mark.end > start);
  for (const { start: from, end: to } of [...here, ...marked]) {
    if (from > start && from < end) edges.add(from);
    if (to > start && to < end) edges.add(to);
  }
  const cuts = [...edges].sort((a, b) => a - b);
  return cuts.slice(0, -1).flatMap((from, index) => {
    const to = cuts[index + 1] ?? end;
    if (to <= from) return [];
    const kind = here.find((token) => token.start <= from && token.end >= to)?.kind ?? 'plain';
    return [{ text: text.slice(from, to), kind, marked: marked.some((mark) => mark.start <= from && mark.end >= to) }];
  });
}

/**
 * What is seen of a line: without the signs of Markdown. A mark on them alone, as in a link's target, goes to its
 * words.
 */
export function shownSegments({ segments }: DrawnLine): Segment[] {
  return segments.flatMap((segment, at) => {
    if (segment.kind === 'syntax' || segment.kind === 'rule') return [];
    if (segment.kind !== 'link' || segment.marked) return [segment];
    const isMarkedBehind = (step: -1 | 1): boolean => {
      let next = at + step;
      while (segments[next]?.kind === 'syntax' && !segments[next]?.marked) next += step;
      return segments[next]?.kind === 'syntax';
    };
    return [isMarkedBehind(-1) || isMarkedBehind(1) ? { ...segment, marked: true } : segment];
  });
}

/** The cells of a table's row; undefined of any other line. */
export function cellsOf(line: DrawnLine): Segment[][] | undefined {
  if (!line.segments.some(({ kind }) => kind === 'cell')) return undefined;
  const cells: Segment[][] = [[]];
  for (const segment of shownSegments(line)) {
    if (segment.kind === 'cell') cells.push([]);
    else cells.at(-1)?.push(segment);
  }
  return cells.slice(1, -1);
}

/** Lines to show of a passage; `gap` stands where lines between two shown ones are left out. */
interface Excerpt {
  lines: (DrawnLine | 'gap')[];
  /** Lines of the passage that are not shown. */
  hidden: number;
}

const isBlank = (line: DrawnLine): boolean =>
  line.segments.every(({ text, kind }) => text.trim() === '' || kind === 'rule');
const isHeading = (line: DrawnLine | undefined): boolean =>
  line?.segments.some(({ kind }) => kind === 'heading') === true;
const isMarked = (line: DrawnLine): boolean => line.segments.some((segment) => segment.marked);

/** Lines at the beginning that are front matter; 0 where there is none, or nothing else. */
function frontMatterLines(lines: readonly DrawnLine[]): number {
  const isFence = (line: DrawnLine | undefined): boolean =>
    line?.segments
      .map((segment) => segment.text)
      .join('')
      .trim() === '---';
  if (!isFence(lines[0])) return 0;
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  return end < 0 || lines.slice(end + 1).every(isBlank) ? 0 : end + 1;
}

/**
 * The few lines that matter: those that are cited and those with linking words, then their neighbours, from the top
 * when nothing is marked. Blank lines are not worth one of the few, nor is front matter, unless it alone is marked.
 */
export function excerpt(
  lines: readonly DrawnLine[],
  count: number,
  cited: { startLine: number; endLine: number }[] = [],
): Excerpt {
  const worth = lines.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  if (worth.length <= count) return arrange(lines, worth);
  const isCited = (line: DrawnLine): boolean =>
    cited.some((range) => line.number >= range.startLine && line.number <= range.endLine);
  const rank = (index: number): number => {
    const line = lines[index];
    return line === undefined ? 3 : isCited(line) ? 0 : isMarked(line) ? 1 : 2;
  };
  const above = frontMatterLines(lines);
  const chosen = worth.filter((index) => rank(index) === 0).slice(0, count);
  const marked = worth.filter((index) => rank(index) === 1);
  const inText = marked.filter((index) => index >= above);
  for (const index of chosen.length + inText.length > 0 ? inText : marked)
    if (chosen.length < count) chosen.push(index);
  const below = worth.filter((index) => index >= above);
  while (chosen.length < count) {
    const next =
      chosen.length === 0
        ? below[0]
        : (nearest(sectionOf(lines, below, chosen), chosen) ?? nearest(below, chosen) ?? nearest(worth, chosen));
    if (next === undefined) break;
    chosen.push(next);
  }
  return arrange(
    lines,
    chosen.sort((a, b) => a - b),
  );
}

/** Those that stand under the same heading as what is chosen: the next one's says nothing of it. */
function sectionOf(lines: readonly DrawnLine[], worth: readonly number[], chosen: readonly number[]): number[] {
  const headings = worth.filter((index) => isHeading(lines[index]));
  const from = headings.findLast((index) => index <= Math.min(...chosen)) ?? 0;
  const to = headings.find((index) => index > Math.max(...chosen)) ?? lines.length;
  return worth.filter((index) => index >= from && index < to);
}

/** The line that continues what is chosen: below it, else the one before its beginning. */
function nearest(among: readonly number[], chosen: readonly number[]): number | undefined {
  const free = among.filter((index) => !chosen.includes(index));
  const first = Math.min(...chosen);
  const last = Math.max(...chosen);
  return free.find((index) => index > last) ?? free.findLast((index) => index < first) ?? free.at(-1);
}

function arrange(lines: readonly DrawnLine[], indices: readonly number[]): Excerpt {
  const shown: Excerpt['lines'] = [];
  let before: number | undefined;
  for (const index of indices) {
    const line = lines[index];
    if (!line) continue;
    const skipped = before === undefined ? [] : lines.slice(before + 1, index);
    if (skipped.some((between) => !isBlank(between))) shown.push('gap');
    shown.push(line);
    before = index;
  }
  return { lines: shown, hidden: lines.filter((line) => !isBlank(line)).length - indices.length };
}
