import { createHash } from 'node:crypto';
import type { Passage } from '../domain/passage.ts';
import { passageEmbeddingText, type EmbeddedParts } from './embedding-text.ts';

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
