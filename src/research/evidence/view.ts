import { addTo } from '#base';
import { contentStems, type Passage } from '#search';
import { estimateTokens } from '../language-model/context-window.ts';
import type { CitedPlace } from './citations.ts';
import { escapeForPrompt, fenced, inOneLine } from './fence.ts';
import type { Block, EvidenceLedger, Lane } from './ledger.ts';
import { merged, overlaps, type Lines, type Stretch } from './stretch.ts';

/** How much of what was found is shown. */
export interface Room {
  /** Tokens for all of it. */
  tokens: number;
  /** Passages that are shown whole, completed to their function or section. */
  whole: number;
  /** Further places, a line each, from files or under headings that are not shown whole: to be opened by `read`. */
  brief: number;
}

interface Shown {
  /** In the fence; '' where nothing was found. */
  text: string;
  /** Passages with lines in it, best first. */
  passages: Passage[];
  /** Of the passages that were to be shown whole: how many had to be cut short or left out. */
  cut: number;
  /** Some of it was not shown before in this conversation. */
  isNew: boolean;
}

/** Longest line that is shown whole: a minified file or a table's row may be longer. */
const LONGEST_LINE = 400;
/** Tokens of a stretch that is cut at the end of the room; less says too little. */
const LEAST_TOKENS = 60;
const MOST_TITLE = 100;
const MOST_BRIEF = 120;

/**
 * What one conversation with a model has been shown. A conversation only grows, so that nothing is shown twice in it:
 * what comes again is named by its number.
 */
export class EvidenceView {
  readonly #ledger: EvidenceLedger;
  readonly #lane: Lane | undefined;
  readonly #shown: Block[] = [];

  constructor(ledger: EvidenceLedger, lane?: Lane) {
    this.#ledger = ledger;
    this.#lane = lane;
  }

  /**
   * Passages, best first: the first of them whole, then some of the others in a line each, as far as there is room. A
   * line is for what the model does not know of: another piece of a section that is shown says little more.
   */
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
    for (const passage of passages) {
      if (briefs.length >= room.brief) break;
      const { path, title } = passage;
      if (this.#isSeen(passage) || this.#shown.some((one) => one.path === path && one.title === title)) continue;
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
    return { text: fenced(text), passages: seen, cut, isNew: texts.length + briefs.length > 0 };
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
    return this.#shown.find((one) => one.path === lines.path && one.from <= lines.from && one.to >= lines.to)?.number;
  }

  /** A stretch with its number, as many of its lines as fit; undefined where hardly any does. */
  #open(stretch: Stretch, tokens: number): { text: string; to: number; isCut: boolean } | undefined {
    const { fitting, shown, isCut } = fittingLines(this.#ledger, stretch, tokens);
    const [first] = fitting;
    const last = fitting.at(-1);
    if (!first || !last || shown === '' || (isCut && tokens < LEAST_TOKENS)) return undefined;
    const block = this.#ledger.block({ ...stretch, from: first.line, to: last.line }, this.#lane);
    this.#shown.push(block);
    return { text: `${head(block)}\n${shown}`, to: block.to, isCut };
  }

  /** A hit in one line: its place, its title, and the line of it that has most words of the query. */
  #brief(passage: Passage, words: ReadonlySet<string>): string {
    const [best] = matchingLines(passage, words, 1);
    const line = best?.line ?? passage.startLine;
    const block = this.#ledger.block({ path: passage.path, from: line, to: line, title: passage.title }, this.#lane);
    this.#shown.push(block);
    return best ? `${head(block)}: ${inOneLine(best.text).slice(0, MOST_BRIEF)}` : head(block);
  }
}

/** As many lines of a stretch as fit, and their text as it is shown: empty ones are told by the numbers around them. */
function fittingLines(ledger: EvidenceLedger, lines: Lines, tokens: number) {
  const known = ledger
    .lines(lines)
    .map(({ line, text }) => ({ line, text: text.trim() === '' ? '' : shownLine(line, text) }));
  let used = 20;
  const end = known.findIndex(({ text }) => (used += text === '' ? 0 : estimateTokens(text) + 1) > tokens);
  const fitting = end < 0 ? known : known.slice(0, end);
  const shown = fitting.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n');
  return { fitting, shown, isCut: end >= 0 };
}

/** Lines that a critic sees around a citation in a stretch that is too long for it. */
const AROUND = 15;

/**
 * The stretches that are cited as a critic sees them, under the numbers by which they are cited: whole, or the cited
 * lines and those around them.
 */
export function citedEvidence(ledger: EvidenceLedger, places: readonly CitedPlace[], tokens: number): string {
  const cited = new Map<Block, Lines[]>();
  for (const place of places) {
    const block =
      place.number === undefined ? ledger.blocks.find((one) => overlaps(one, place)) : ledger.numbered(place.number);
    if (block) addTo(cited, block, place);
  }
  const share = Math.max(400, Math.floor(tokens / Math.max(1, cited.size)));
  const texts = [...cited].map(([block, lines]) => {
    const whole = fittingLines(ledger, block, share);
    const around = lines.map(({ path, from, to }) => ({ path, from: from - AROUND, to: to + AROUND, title: '' }));
    const parts = whole.isCut
      ? merged(around).map((one) => fittingLines(ledger, one, Math.floor(share / around.length)).shown)
      : [whole.shown];
    return [head(block), ...parts].join('\n');
  });
  return fenced(texts.join('\n\n'));
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
