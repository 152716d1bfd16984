import { remembered } from '#base';
import type { IndexedPassage } from '../store/passage-index.ts';

type Told = Pick<IndexedPassage, 'uri' | 'startLine' | 'endLine' | 'startColumn' | 'text' | 'contentHash'>;

const SAME_TEXT = 0.9;
const CONTAINED = 0.8;
/** In words: shorter texts are alike without being copies. */
const SHORTEST_COPY = 8;
/** Of their lengths: a text is no copy of one that is so much longer, which is told before their words are read. */
const LIKE_LENGTH = 0.5;

/** Words of the passages that are compared: each is in several chains and lists of one question. */
const known = new WeakMap<object, ReadonlySet<string>>();

const wordsOf = (passage: Told): ReadonlySet<string> =>
  remembered(known, passage, () => new Set(passage.text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []));

/** Whether two passages are nearly one text, wherever they stand. */
export function isCopy(a: Told, b: Told): boolean {
  if (a.contentHash !== '' && a.contentHash === b.contentHash) return true;
  if (Math.min(a.text.length, b.text.length) < LIKE_LENGTH * Math.max(a.text.length, b.text.length)) return false;
  const [aWords, bWords] = [wordsOf(a), wordsOf(b)];
  const smaller = Math.min(aWords.size, bWords.size);
  if (smaller < SHORTEST_COPY || smaller / Math.max(aWords.size, bWords.size) < SAME_TEXT) return false;
  // Of both together so many are shared where what is shared is that part of all of them.
  const least = (SAME_TEXT / (1 + SAME_TEXT)) * (aWords.size + bWords.size);
  const shared = sharedBy(aWords, bWords, least);
  return shared / (aWords.size + bWords.size - shared) >= SAME_TEXT;
}

/**
 * The same, or one stands in the other: overlap counts only when the shared lines are also shared words, as an outline
 * spans its members' lines without repeating them.
 */
function saysTheSame(a: Told, b: Told): boolean {
  const overlap =
    a.uri === b.uri &&
    a.startLine <= b.endLine &&
    b.startLine <= a.endLine &&
    a.startColumn === undefined &&
    b.startColumn === undefined;
  if (overlap) {
    const [aWords, bWords] = [wordsOf(a), wordsOf(b)];
    const smaller = Math.min(aWords.size, bWords.size);
    if (smaller > 0 && sharedBy(aWords, bWords, CONTAINED * smaller) / smaller >= CONTAINED) return true;
  }
  return isCopy(a, b);
}

/** Words that both have; fewer than `least` are not counted to the end. */
function sharedBy(a: ReadonlySet<string>, b: ReadonlySet<string>, least: number): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let spare = few.size - Math.floor(least);
  let shared = 0;
  for (const word of few) {
    if (many.has(word)) shared++;
    else if (--spare < 0) break;
  }
  return shared;
}

/** A list, best first, in which what says the same as a better one is folded into that. */
export class FoldedList<T extends { passage: IndexedPassage }> {
  readonly entries: (T & { folded: IndexedPassage[] })[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.entries.length >= this.#limit;
  }

  /** @returns false where it says what none does, and the list is full */
  add(entry: T): boolean {
    const same = this.entries.find(({ passage }) => saysTheSame(passage, entry.passage));
    if (same) same.folded.push(entry.passage);
    else if (!this.isFull) this.addAnyway(entry);
    else return false;
    return true;
  }

  /** Stands for itself, whatever the others say. */
  addAnyway(entry: T): void {
    this.entries.push({ ...entry, folded: [] });
  }
}
