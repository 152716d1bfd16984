import { baseName } from '#base';
import { createHash } from 'node:crypto';
import type { Passage } from '../domain/passage.ts';
import { plainText } from './text/plain-roff.ts';

const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex');

/** First 32 hex digits of the SHA-256 of the embedded text: equal hashes share one vector. */
export const contentHashOf = (passage: EmbeddedParts): string => sha256(passageEmbeddingText(passage)).slice(0, 32);

/** First 24 hex digits of the SHA-256 over uri, start line, start column and content hash. */
export function passageIdOf(passage: Pick<Passage, 'uri' | 'startLine' | 'startColumn' | 'contentHash'>): string {
  return sha256(`${passage.uri}\n${passage.startLine}\n${passage.startColumn ?? 0}\n${passage.contentHash}`).slice(
    0,
    24,
  );
}

/** What of a passage decides its vector. */
export type EmbeddedParts = Pick<Passage, 'path' | 'title' | 'text'> & Partial<Pick<Passage, 'language'>>;

/**
 * The text that is embedded for a passage: the file's base name and the title on a first line, then the passage itself,
 * as it reads on the page.
 * Names carry much of what a question asks for, and a moved file keeps its vectors because folders are not part of it.
 */
export function passageEmbeddingText(passage: EmbeddedParts): string {
  const base = baseName(passage.path);
  return `${passage.title ? `${base}: ${passage.title}` : base}\n${plainText(passage, passage.text)}`;
}
