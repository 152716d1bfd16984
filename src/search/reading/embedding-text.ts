import type { Passage } from '../domain/passage.ts';

/** What of a passage decides its vector. */
export type EmbeddedParts = Pick<Passage, 'path' | 'title' | 'text'>;

/**
 * The text that is embedded for a passage: the file's base name and the title on a first line, then the passage itself.
 * Names carry much of what a question asks for, and a moved file keeps its vectors because folders are not part of it.
 */
export function passageEmbeddingText(passage: EmbeddedParts): string {
  const base = passage.path.slice(passage.path.lastIndexOf('/') + 1);
  return `${passage.title ? `${base}: ${passage.title}` : base}\n${passage.text}`;
}
