import { contentStems, type Passage } from '#search';
import { estimateTokens } from '../language-model/context-window.ts';
import { escapeForPrompt, fenced, inOneLine } from './fence.ts';
import type { EvidenceLedger } from './ledger.ts';
import { merged, overlaps, type Lines, type Stretch } from './stretch.ts';

/** How much of what was found is shown. */
export interface Room {
  /** Tokens for all of it. */
  tokens: number;
  /** Passages that are shown whole, completed to their function or section. */
  whole: number;
  /** Further ones, a line each: to be opened by `read`. */
  brief: number;
}

interface Shown {
  /** In the fence; '' where nothing was found. */
  text: string;
  /** Passages with lines in it, best first. */
  passages: Passage[];
  /** Of the passages that were to be shown whole: how many had to be cut short or left out. */
  cut: number;
}

/** Longest line that is shown whole: a minified file or a table's row may be longer. */
const LONGEST_LINE = 400;
/** Tokens of a stretch that is cut at the end of the room; less says too little. */
const LEAST_TOKENS = 60;
const MOST_TITLE = 100;

/**
 * What one conversation with a model has been shown. A conversation only grows, so that nothing is shown twice in it:
 * what comes again is named by its number.
 */
export class EvidenceView {
  readonly #ledger: EvidenceLedger;
  readonly #shown: Lines[] = [];

  constructor(ledger: EvidenceLedger) {
    this.#ledger = ledger;
  }

  /** Passages, best first: the first of them whole, the others in a line each, as far as there is room. */
  async show(query: string, passages: readonly Passage[], room: Room, signal: AbortSignal): Promise<Shown> {
    const best = passages.slice(0, room.whole);
    const stretches = merged(await Promise.all(best.map((passage) => this.#ledger.whole(passage, signal))));
    const texts: string[] = [];
    const again: number[] = [];
    let left = room.tokens;
    let cut = 0;
    for (const stretch of stretches) {
      const number = this.#numberOfShown(stretch);
      if (number !== undefined) {
        again.push(number);
        continue;
      }
      const text = this.#open(stretch, left);
      if (text === undefined) {
        cut += 1;
        continue;
      }
      if (text.isCut) cut += 1;
      texts.push(text.text);
      left -= estimateTokens(text.text);
    }
    const words = new Set(contentStems(query));
    const briefs: string[] = [];
    for (const passage of passages.slice(0, room.whole + room.brief)) {
      const lines = { path: passage.path, from: passage.startLine, to: passage.endLine };
      if (this.#shown.some((one) => overlaps(one, lines))) continue;
      const text = this.#brief(passage, words);
      left -= estimateTokens(text);
      if (left < 0) break;
      briefs.push(text);
    }
    const parts = [
      texts.join('\n\n'),
      briefs.length > 0 ? `Further hits, a line each:\n${briefs.join('\n')}` : '',
      again.length > 0 ? `Shown before: ${[...new Set(again)].map((number) => `[${number}]`).join(' ')}` : '',
    ].filter(Boolean);
    const text = parts.join('\n\n');
    const seen = passages.filter((passage) => this.#isSeen(passage));
    return { text: fenced(text), passages: seen, cut };
  }

  /** Lines of a file as a stretch, cut to the room; '' where none of them is known. */
  lines(stretch: Stretch, tokens: number): string {
    const open = this.#open(stretch, tokens);
    if (!open) return '';
    return fenced(
      open.isCut ? `${open.text}\n(cut here: lines ${open.to + 1}-${stretch.to} were not shown)` : open.text,
    );
  }

  #isSeen({ path, startLine, endLine }: Passage): boolean {
    return this.#shown.some((one) => overlaps(one, { path, from: startLine, to: endLine }));
  }

  /** The number of the stretch in which all of these lines were shown. */
  #numberOfShown(lines: Lines): number | undefined {
    const shown = this.#shown.find((one) => one.path === lines.path && one.from <= lines.from && one.to >= lines.to);
    return shown && this.#ledger.block({ title: '', ...shown }).number;
  }

  /** A stretch with its number, as many of its lines as fit; undefined where hardly any does. */
  #open(stretch: Stretch, tokens: number): { text: string; to: number; isCut: boolean } | undefined {
    const known = this.#ledger.lines(stretch).map(({ line, text }) => ({ line, text: shownLine(line, text) }));
    let used = 20;
    const fitting: typeof known = [];
    for (const one of known) {
      used += estimateTokens(one.text) + 1;
      if (used > tokens) break;
      fitting.push(one);
    }
    const [first] = fitting;
    const last = fitting.at(-1);
    const isCut = fitting.length < known.length;
    if (!first || !last || (isCut && tokens < LEAST_TOKENS)) return undefined;
    const block = this.#ledger.block({ ...stretch, from: first.line, to: last.line });
    this.#shown.push({ path: block.path, from: block.from, to: block.to });
    return { text: [head(block), ...fitting.map(({ text }) => text)].join('\n'), to: block.to, isCut };
  }

  /** A hit in one line: its place, its title, and the line of it that has most words of the query. */
  #brief(passage: Passage, words: ReadonlySet<string>): string {
    const [best] = matchingLines(passage, words, 1);
    const line = best?.line ?? passage.startLine;
    const block = this.#ledger.block({ path: passage.path, from: line, to: line, title: passage.title });
    this.#shown.push({ path: block.path, from: line, to: line });
    return best ? `${head(block)}: ${inOneLine(best.text).slice(0, 160)}` : head(block);
  }
}

/** Lines that a critic sees around a citation in a stretch that is too long for it. */
const AROUND = 15;

/** All stretches with cited lines in them as a critic sees them: whole, or the cited lines and those around them. */
export function citedEvidence(ledger: EvidenceLedger, places: readonly Lines[], tokens: number): string {
  const blocks = ledger.blocks.filter((block) => places.some((place) => overlaps(block, place)));
  const view = new EvidenceView(ledger);
  const share = Math.max(400, Math.floor(tokens / Math.max(1, blocks.length)));
  const stretches = blocks.flatMap((block): Stretch[] => {
    const lines = ledger.lines(block).map(({ text }) => text);
    if (estimateTokens(lines.join('\n')) <= share) return [block];
    const cited = places.filter((place) => overlaps(block, place));
    return cited.map(({ from, to }) => ({
      ...block,
      from: Math.max(block.from, from - AROUND),
      to: Math.min(block.to, to + AROUND),
    }));
  });
  return merged(stretches)
    .map((stretch) => view.lines(stretch, share))
    .filter(Boolean)
    .join('\n');
}

/** Number, path, lines and title. */
function head({ number, path, from, to, title: full }: Stretch & { number: number }): string {
  const title = inOneLine(full).slice(0, MOST_TITLE);
  return `[${number}] ${inOneLine(path)}:${from === to ? from : `${from}-${to}`}${title === '' ? '' : `  ${title}`}`;
}

const shownLine = (line: number, text: string): string => {
  const safe = escapeLine(text);
  return `${line}| ${safe.length > LONGEST_LINE ? `${safe.slice(0, LONGEST_LINE)} …` : safe}`;
};

const escapeLine = (text: string): string => escapeForPrompt(text).replace(/[\r\u2028\u2029]/gu, ' ');

/** Lines of a passage with most different words of a query, in their order. */
export function matchingLines(
  { text, startLine, startColumn }: Passage,
  words: ReadonlySet<string>,
  most: number,
): { line: number; text: string }[] {
  const scored = text.split('\n').map((one, i) => ({
    line: startColumn === undefined ? startLine + i : startLine,
    text: one,
    score: new Set(contentStems(one).filter((stem) => words.has(stem))).size,
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, most)
    .sort((a, b) => a.line - b.line)
    .map(({ line, text: said }) => ({ line, text: said }));
}
