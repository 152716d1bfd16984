import type { Passage } from '../../domain/passage.ts';
import { textInPlace } from '../../reading/text/plain-roff.ts';
import type { Tokens, WordPieces } from './word-pieces.ts';

/** A passage as the joint encoder reads it. */
interface EncoderPassage {
  /** Title; for a file's passage path and title. */
  header: string;
  text: string;
}

/** What is read at once: a question (or a statement to be checked), the passages found so far, and one more. */
export interface EncoderInput {
  question: string;
  chain: readonly EncoderPassage[];
  candidate: EncoderPassage;
}

/** What is read above a passage, or a part of it: its path and title. */
export const headerOf = ({ path, title }: Pick<Passage, 'path' | 'title'>): string =>
  title ? `${path}: ${title}` : path;

/** What is read of a passage: its header, and its text as it reads on the page. */
export const candidateOf = (passage: Pick<Passage, 'path' | 'title' | 'text' | 'language'>): EncoderPassage => ({
  header: headerOf(passage),
  text: textInPlace(passage),
});

/** The characters that a token stands for. `part` counts the chain's passages and then the candidate. */
export interface TokenPlace {
  part: number;
  inHeader: boolean;
  start: number;
  end: number;
}

/**
 * One input as the network takes it: three rows of one length, and the place of each token; markers and the question
 * have none.
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

/**
 * Lays an input out as it was in training (lab/training, `layout.py`):
 *
 *     [CLS] question [SEP]  (CHAIN header TEXT text [SEP])*  CANDIDATE header TEXT text [SEP]
 *
 * Token types are 0 up to and with the first [SEP] and 1 after it.
 */
export function layOut(pieces: WordPieces, { question, chain, candidate }: EncoderInput, longest = LONGEST): LaidOut {
  const asked = cut(pieces.encode(question), LONGEST_QUESTION);
  const parts = [...chain, candidate];
  const headers = parts.map((part) => cut(pieces.encode(part.header), LONGEST_HEADER));
  const texts = parts.map((part) => pieces.encode(part.text, LINE));
  const fixed = 2 + asked.ids.length + headers.reduce((sum, header) => sum + 3 + header.ids.length, 0);
  const room = shareRoom(
    texts.map((text) => text.ids.length),
    longest - fixed,
  );

  const ids = [CLS, ...asked.ids, SEP];
  const types = ids.map(() => 0);
  const places: (TokenPlace | undefined)[] = ids.map(() => undefined);
  const put = (id: number, place?: TokenPlace): void => {
    ids.push(id);
    types.push(1);
    places.push(place);
  };
  const putAll = (tokens: Tokens, part: number, inHeader: boolean): void => {
    tokens.ids.forEach((id, i) => {
      const stretch = tokens.stretches[i];
      put(
        id,
        stretch && stretch.end > stretch.start ? { part, inHeader, start: stretch.start, end: stretch.end } : undefined,
      );
    });
  };
  headers.forEach((header, part) => {
    put(part === chain.length ? CANDIDATE : CHAIN);
    putAll(header, part, true);
    put(TEXT);
    const text = texts[part];
    if (text) putAll(cut(text, room[part] ?? 0), part, false);
    put(SEP);
  });
  return { ids: ids.slice(0, longest), types: types.slice(0, longest), places: places.slice(0, longest) };
}

function cut(tokens: Tokens, longest: number): Tokens {
  return tokens.ids.length <= longest
    ? tokens
    : { ids: tokens.ids.slice(0, longest), stretches: tokens.stretches.slice(0, longest) };
}

/**
 * How many tokens of its text each part may keep; the last part is the candidate. Too much text is cut at the average
 * length (arXiv 2308.08973, section 4.1), the chain before the candidate: the chain's passages give up what they have
 * above the average, the candidate takes the rest, and what is left over goes back to the chain.
 */
export function shareRoom(lengths: readonly number[], available: number): number[] {
  const room = Math.max(0, available);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= room) return [...lengths];
  const average = Math.floor(room / lengths.length);
  const chain = lengths.slice(0, -1);
  const keptAt = (cap: number): number => chain.reduce((sum, length) => sum + Math.min(length, cap), 0);
  const candidate = Math.min(lengths.at(-1) ?? 0, room - keptAt(average));
  const left = room - candidate;
  const longest = Math.max(0, ...chain);
  let cap = average;
  while (cap < longest && keptAt(cap + 1) <= left) cap++;
  return [...chain.map((length) => Math.min(length, cap)), candidate];
}
