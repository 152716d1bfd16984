import { baseName, hashOf } from '#base';
import type { Passage } from '../domain/passage.ts';

/** First 32 hex digits of the SHA-256 of the embedded text: equal hashes share one vector. */
export const contentHashOf = (passage: EmbeddedParts): string => hashOf(passageEmbeddingText(passage), 32);

/** First 24 hex digits of the SHA-256 over uri, start line, start column and content hash. */
export function passageIdOf(passage: Pick<Passage, 'uri' | 'startLine' | 'startColumn' | 'contentHash'>): string {
  return hashOf(`${passage.uri}\n${passage.startLine}\n${passage.startColumn ?? 0}\n${passage.contentHash}`, 24);
}

/** What of a passage decides its vector. */
type EmbeddedParts = Pick<Passage, 'path' | 'title' | 'text'>;

/**
 * The text that is embedded for a passage: the file's base name and the title on a first line, then the passage itself.
 * Names carry much of what a question asks for, and a moved file keeps its vectors because folders are not part of it.
 */
export function passageEmbeddingText(passage: EmbeddedParts): string {
  const base = baseName(passage.path);
  return `${passage.title ? `${base}: ${passage.title}` : base}\n${passage.text}`;
}

/** Shorter stretches without a blank or a sign may be names, hashes or paths that someone asks for. */
const SHORTEST = 40;
/** Of what is not white space, so much must be encoded; the rest is quotes, commas, a key. */
const MOST_OF_IT = 0.8;
/** Base64 has a digit in six characters and a slash in sixty-four; words and paths have fewer and more. */
const FEWEST_DIGITS = 0.08;
const MOST_SLASHES = 0.05;

/** With so many different words beside the data, what they say can be asked for. */
const ENOUGH_WORDS = 8;

const RUN = /(?:[A-Za-z0-9+/=]|\\n)+/gu;
const WORD = /\p{L}{3,}/gu;

/**
 * True for text that is data in base64 or hexadecimal (a picture in a notebook, say) and has hardly a word whose
 * meaning a vector could hold.
 */
export function isEncodedData(text: string): boolean {
  const rest = wordsBeside(text);
  return rest !== undefined && new Set(rest.match(WORD)).size < ENOUGH_WORDS;
}

/** A text that is mostly data (a page with a picture in it) without that; any other as it is. */
export const withoutEncodedData = (text: string): string => wordsBeside(text) ?? text;

/** What stands beside the data of a text that is mostly such; undefined for any other. */
function wordsBeside(text: string): string | undefined {
  let encoded = 0;
  let digits = 0;
  let slashes = 0;
  const rest = text.replace(RUN, (run) => {
    if (run.length < SHORTEST) return run;
    encoded += run.length;
    for (let i = 0; i < run.length; i++) {
      const code = run.charCodeAt(i);
      if (code >= 48 && code <= 57) digits += 1;
      else if (code === 47) slashes += 1;
    }
    return ' ';
  });
  if (encoded === 0 || digits < encoded * FEWEST_DIGITS || slashes > encoded * MOST_SLASHES) return undefined;
  return encoded >= text.replace(/\s+/gu, '').length * MOST_OF_IT ? rest : undefined;
}
