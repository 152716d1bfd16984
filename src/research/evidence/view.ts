import { addTo } from '#base';
import { contentStems, type Passage } from '#search';
import { estimateTokens } from '../language-model/context-window.ts';
import type { CitedPlace } from './citations.ts';
import { escapeForPrompt, fenced, inOneLine } from './fence.ts';
import type { Block, EvidenceLedger, Lane } from './ledger.ts';
import { merged, overlaps, type Lines, type Stretch } from './stretch.ts';

export interface Room {
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
  isNew: boolean;
}

/** Longest line that is shown whole: a minified file or a table's row may be longer. */
const LONGEST_LINE = 400;
/** Tokens of a stretch that is cut at the end of the room; less says too little. */
const LEAST_TOKENS = 60;
/** Words beside its heading with which a stretch takes one of the places of those that are shown whole. */
const LEAST_WORDS = 8;
const MOST_TITLE = 100;
const MOST_BRIEF = 120;

/** What one conversation has been shown. Nothing is shown twice in it: what comes again is named by its number. */
export class EvidenceView {
  readonly #ledger: EvidenceLedger;
  readonly #lane: Lane | undefined;
  /** Stretches whose lines were shown whole, and lines of further hits. */
  readonly #opened: Block[] = [];
  readonly #briefs: Block[] = [];

  constructor(ledger: EvidenceLedger, lane?: Lane) {
    this.#ledger = ledger;
    this.#lane = lane;
  }

  /** Passages, best first: the first of them whole, then some of the others in a line each, as far as there is room. */
  async show(query: string, passages: readonly Passage[], room: Room, signal: AbortSignal): Promise<Shown> {
    const texts: string[] = [];
    const again = new Set<number>();
    let left = room.tokens;
    let cut = 0;
    for (const stretch of merged(await this.#best(passages, room.whole, signal))) {
      const unseen = this.#unseen(stretch);
      for (const number of unseen.again) again.add(number);
      const opened = unseen.rest.map((part) => {
        const text = this.#open(part, left);
        left -= estimateTokens(text?.text ?? '');
        return text;
      });
      if (opened.some((text) => text?.isCut ?? true)) cut += 1;
      texts.push(...opened.flatMap((text) => text?.text ?? []));
    }
    const words = new Set(contentStems(query));
    const briefs: string[] = [];
    for (const passage of passages) {
      if (briefs.length >= room.brief) break;
      const { path, title } = passage;
      if (this.#isSeen(passage) || this.#shown().some((one) => one.path === path && one.title === title)) continue;
      const text = this.#brief(passage, words);
      left -= estimateTokens(text);
      if (left < 0) break;
      briefs.push(text);
    }
    const parts = [
      texts.join('\n\n'),
      briefs.length > 0 ? `Further hits, a line each:\n${briefs.join('\n')}` : '',
      shownBefore(again),
    ].filter(Boolean);
    const text = parts.join('\n\n');
    const seen = passages.filter((passage) => this.#isSeen(passage));
    return { text: fenced(text), passages: seen, cut, isNew: texts.length + briefs.length > 0 };
  }

  /** Lines of a file, as far as they were not shown before, cut to the room; '' where none of them is known. */
  lines(lines: Lines, tokens: number): string {
    const { rest, again } = this.#unseen({ ...lines, title: '' });
    const texts: string[] = [];
    let left = tokens;
    for (const part of rest) {
      const open = this.#open(part, left);
      if (open) texts.push(open.text);
      left -= estimateTokens(open?.text ?? '');
      if (open && !open.isCut) continue;
      if (open || again.length > 0)
        texts.push(`(cut here: lines ${open ? open.to + 1 : part.from}-${lines.to} were not shown)`);
      break;
    }
    return fenced([...texts, shownBefore(again)].filter(Boolean).join('\n'));
  }

  /** The best passages, each with the whole that it is a piece of; one that says next to nothing takes no place. */
  async #best(passages: readonly Passage[], most: number, signal: AbortSignal): Promise<Stretch[]> {
    const best: Stretch[] = [];
    let places = most;
    for (let at = 0; places > 0 && at < passages.length && at < 2 * most;) {
      const next = passages.slice(at, at + places);
      at += places;
      const stretches = await Promise.all(next.map((passage) => this.#ledger.whole(passage, signal)));
      best.push(...stretches);
      places -= stretches.filter((stretch) => saysMuch(this.#ledger, stretch)).length;
    }
    return best;
  }

  #shown(): Block[] {
    return [...this.#opened, ...this.#briefs];
  }

  #isSeen({ path, startLine, endLine }: Passage): boolean {
    return this.#shown().some((one) => overlaps(one, { path, from: startLine, to: endLine }));
  }

  /** What of a stretch was not shown yet, and the numbers of the stretches in which the rest of it was. */
  #unseen(stretch: Stretch): { rest: Stretch[]; again: number[] } {
    const before = this.#opened.filter((one) => overlaps(one, stretch));
    const rest = before.reduce<Stretch[]>(
      (parts, { from, to }) =>
        parts
          .flatMap((part) => [
            { ...part, to: Math.min(part.to, from - 1) },
            { ...part, from: Math.max(part.from, to + 1) },
          ])
          .filter((part) => part.from <= part.to),
      [stretch],
    );
    return {
      rest: before.length === 0 ? rest : rest.filter((part) => this.#ledger.lines(part).some(hasText)),
      again: before.map(({ number }) => number),
    };
  }

  /** A stretch with its number, as many of its lines as fit; undefined where hardly any does. */
  #open(stretch: Stretch, tokens: number): { text: string; to: number; isCut: boolean } | undefined {
    const { fitting, shown, isCut } = fittingLines(this.#ledger, stretch, tokens);
    const [first] = fitting;
    const last = fitting.at(-1);
    if (!first || !last || shown === '' || (isCut && tokens < LEAST_TOKENS)) return undefined;
    const lines = { path: stretch.path, from: first.line, to: last.line };
    const title = stretch.title || titleOf(this.#ledger.passagesIn(lines), lines);
    const block = this.#ledger.block({ ...lines, title }, this.#lane);
    this.#opened.push(block);
    return { text: `${head(block)}\n${shown}`, to: block.to, isCut };
  }

  /** A hit in one line: its place, its title, and the line of it that has most words of the query. */
  #brief(passage: Passage, words: ReadonlySet<string>): string {
    const [best] = matchingLines(passage, words, 1);
    const line = best?.line ?? passage.startLine;
    const block = this.#ledger.block({ path: passage.path, from: line, to: line, title: passage.title }, this.#lane);
    this.#briefs.push(block);
    return best ? `${head(block)}: ${inOneLine(best.text).slice(0, MOST_BRIEF)}` : head(block);
  }
}

const hasText = ({ text }: { text: string }): boolean => text.trim() !== '';

const shownBefore = (numbers: Iterable<number>): string => {
  const named = [...numbers].map((number) => `[${number}]`).join(' ');
  return named === '' ? '' : `Shown before: ${named}`;
};

function titleOf(passages: readonly Passage[], { from, to }: Lines): string {
  const lines = new Map<string, number>();
  for (const { title, startLine, endLine } of passages)
    lines.set(title, (lines.get(title) ?? 0) + Math.min(endLine, to) - Math.max(startLine, from) + 1);
  return [...lines].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])[0];
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether there are a few words beside the lines that only repeat the title. */
function saysMuch(ledger: EvidenceLedger, stretch: Stretch): boolean {
  const title = new Set(wordsOf(stretch.title));
  const lines = ledger.lines(stretch).map(({ text }) => wordsOf(text));
  return lines.filter((words) => words.some((word) => !title.has(word))).flat().length >= LEAST_WORDS;
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

/** The cited stretches as a critic sees them, under their numbers: whole, or the cited lines and those around them. */
export function citedEvidence(ledger: EvidenceLedger, places: readonly CitedPlace[], tokens: number): string {
  const cited = new Map<Lines & Partial<Block>, Lines[]>();
  for (const place of places) {
    const block =
      place.number === undefined ? ledger.blocks.find((one) => overlaps(one, place)) : ledger.numbered(place.number);
    // A line of a list was cited by its path, and shown in no stretch.
    addTo(cited, block ?? { path: place.path, from: Math.max(1, place.from - AROUND), to: place.to + AROUND }, place);
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

function head({ number, path, from, to, title: full = '' }: Lines & Partial<Block>): string {
  const title = inOneLine(full).slice(0, MOST_TITLE);
  const place = `${inOneLine(path)}:${from === to ? from : `${from}-${to}`}`;
  return `${number === undefined ? '' : `[${number}] `}${place}${title === '' ? '' : `  ${title}`}`;
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
