import type { IndexedPassage } from '../indexing/passage-index.ts';
import type { Passage } from '../model/passage.ts';

/** A passage without its vector: what leaves the index process. */
export function toPassage({ vector: _, ...passage }: IndexedPassage): Passage {
  return passage;
}
