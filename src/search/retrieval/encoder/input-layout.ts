import { sum } from '#base';
import type { Passage } from '../../domain/passage.ts';
import type { Tokens, WordPieces } from './word-pieces.ts';

/** A passage as the joint encoder reads it. */
interface EncoderPassage {
  /** Title; for a file's passage path and title. */
  header: string;
  text: string;
}

/** What is read at once: a question, a passage, and those of the chain before it. */
export interface EncoderInput {
  question: string;
  /** None when undefined. */
  chain?: readonly EncoderPassage[];
  candidate: EncoderPassage;
}

/** What is read above a passage, or a part of it: its path and title. */
export const headerOf = ({ path, title }: Pick<Passage, 'path' | 'title'>): string =>
  title ? `${path}: ${title}` : path;

/** What is read of a passage: its header and its text. */
export const candidateOf = (passage: Pick<Passage, 'path' | 'title' | 'text' | 'language'>): EncoderPassage => ({
  header: headerOf(passage),
  text: passage.text,
});

/** The characters that a token stands for, in the candidate's header or text. */
export interface TokenPlace {
  inHeader: boolean;
  start: number;
  end: number;
}

/**
 * One input as the network takes it: three rows of one length, and the place of each token; markers, the question
 * and the chain have none.
 */
export interface LaidOut {
  ids: number[];
  types: number[];
  places: (TokenPlace | undefined)[];
}

const CLS = 101;
const SEP = 102;
/** Entries of BERT's vocabulary that were never used (`[unused1]` to `[unused4]`): the training gave them a meaning. */
const CHAIN = 2;
const TEXT = 3;
const CANDIDATE = 4;
const LINE = 5;

/** Tokens: of a whole input, of its question, of a passage's header. */
const LONGEST = 512;
const LONGEST_QUESTION = 96;
const LONGEST_HEADER = 48;
/** Markers of an input, [CLS] and [SEP], and of each of its passages: CHAIN or CANDIDATE, TEXT, [SEP]. */
const MARKERS = { input: 2, passage: 3 };

/**
 * Lays an input out as it was in training (lab/training, `layout.py`):
 *
 *     [CLS] question [SEP]  (CHAIN header TEXT text [SEP])*  CANDIDATE header TEXT text [SEP]
 *
 * Token types are 0 up to and with the first [SEP] and 1 after it. Texts lose their end where there is too much.
 */
export function layOut(
  pieces: WordPieces,
  { question, chain = [], candidate }: EncoderInput,
  longest = LONGEST,
): LaidOut {
  const asked = pieces.encode(question).ids.slice(0, LONGEST_QUESTION);
  const passages = [...chain, candidate].map(({ header, text }) => ({
    header: cut(pieces.encode(header), LONGEST_HEADER),
    text: pieces.encode(text, LINE),
  }));
  const taken = sum(passages.map(({ header }) => header.ids.length + MARKERS.passage));
  const room = shareRoom(
    passages.map(({ text }) => text.ids.length),
    longest - MARKERS.input - asked.length - taken,
  );
  const ids = [CLS, ...asked, SEP];
  const types = ids.map(() => 0);
  const places: LaidOut['places'] = ids.map(() => undefined);
  passages.forEach(({ header, text }, i) => {
    const isCandidate = i === chain.length;
    const said = cut(text, room[i] ?? 0);
    const own = [isCandidate ? CANDIDATE : CHAIN, ...header.ids, TEXT, ...said.ids, SEP];
    const placed = [undefined, ...placesOf(header, true), undefined, ...placesOf(said, false), undefined];
    ids.push(...own);
    types.push(...own.map(() => 1));
    places.push(...(isCandidate ? placed : own.map(() => undefined)));
  });
  return { ids: ids.slice(0, longest), types: types.slice(0, longest), places: places.slice(0, longest) };
}

/**
 * How many tokens of its text each passage may keep; the candidate is the last. Too much is cut at the average length
 * (arXiv 2308.08973, §4.1), the chain before the candidate: its passages give up what they have above the average, the
 * candidate takes the rest, and what is left over goes back to the chain, to all the same.
 */
export function shareRoom(lengths: readonly number[], available: number): number[] {
  const room = Math.max(0, available);
  if (sum(lengths) <= room) return [...lengths];
  const average = Math.floor(room / lengths.length);
  const chain = lengths.slice(0, -1);
  const keptAt = (cap: number): number => sum(chain.map((length) => Math.min(length, cap)));
  const candidate = Math.min(lengths.at(-1) ?? 0, room - keptAt(average));
  const longest = Math.max(0, ...chain);
  let cap = average;
  while (cap < longest && keptAt(cap + 1) <= room - candidate) cap++;
  return [...chain.map((length) => Math.min(length, cap)), candidate];
}

const cut = ({ ids, stretches }: Tokens, longest: number): Tokens => ({
  ids: ids.slice(0, longest),
  stretches: stretches.slice(0, longest),
});

const placesOf = ({ stretches }: Tokens, inHeader: boolean): (TokenPlace | undefined)[] =>
  stretches.map(({ start, end }) => (end > start ? { inHeader, start, end } : undefined));
