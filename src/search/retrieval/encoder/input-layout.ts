import type { Passage } from '../../domain/passage.ts';
import { textInPlace } from '../../reading/text/plain-roff.ts';
import type { Tokens, WordPieces } from './word-pieces.ts';

/** A passage as the joint encoder reads it. */
interface EncoderPassage {
  /** Title; for a file's passage path and title. */
  header: string;
  text: string;
}

/** What is read at once. */
export interface EncoderInput {
  question: string;
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

/** The characters that a token stands for, in the header or the text. */
export interface TokenPlace {
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
/** Entries of BERT's vocabulary that were never used (`[unused2]` to `[unused4]`): the training gave them a meaning. */
const TEXT = 3;
const CANDIDATE = 4;
const LINE = 5;

/** Tokens: of a whole input, of its question, of a passage's header. */
const LONGEST = 512;
const LONGEST_QUESTION = 96;
const LONGEST_HEADER = 48;
/** [CLS], both [SEP], CANDIDATE and TEXT. */
const MARKERS = 5;

/**
 * Lays an input out as it was in training (lab/training, `layout.py`, without passages found before):
 *
 *     [CLS] question [SEP] CANDIDATE header TEXT text [SEP]
 *
 * Token types are 0 up to and with the first [SEP] and 1 after it. Too long a text is cut at its end.
 */
export function layOut(pieces: WordPieces, { question, candidate }: EncoderInput, longest = LONGEST): LaidOut {
  const asked = pieces.encode(question).ids.slice(0, LONGEST_QUESTION);
  const header = cut(pieces.encode(candidate.header), LONGEST_HEADER);
  const text = cut(pieces.encode(candidate.text, LINE), longest - asked.length - header.ids.length - MARKERS);
  const before = [CLS, ...asked, SEP];
  const behind = [CANDIDATE, ...header.ids, TEXT, ...text.ids, SEP];
  return {
    ids: [...before, ...behind],
    types: [...before.map(() => 0), ...behind.map(() => 1)],
    places: [
      ...before.map(() => undefined),
      undefined,
      ...placesOf(header, true),
      undefined,
      ...placesOf(text, false),
      undefined,
    ],
  };
}

const cut = ({ ids, stretches }: Tokens, longest: number): Tokens => ({
  ids: ids.slice(0, longest),
  stretches: stretches.slice(0, longest),
});

const placesOf = ({ stretches }: Tokens, inHeader: boolean): (TokenPlace | undefined)[] =>
  stretches.map(({ start, end }) => (end > start ? { inHeader, start, end } : undefined));
