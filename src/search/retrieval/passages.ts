import type { IndexedPassage } from '../store/passage-index.ts';
import type { Passage } from '../domain/passage.ts';

/** A passage without its vector, units and references: what leaves the index process. */
export function toPassage({ vector: _, units: __, references: ___, ...passage }: IndexedPassage): Passage {
  return passage;
}

/** Lets timers, messages and I/O run before going on; rejects with AbortError when aborted meanwhile. */
export async function yieldToOthers(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  signal?.throwIfAborted();
}
