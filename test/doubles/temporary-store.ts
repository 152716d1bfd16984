import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createIndexLayout, generationName } from '../../src/search/store/index-layout.ts';
import { type IndexStore, openStore } from '../../src/search/store/index-store.ts';

/** A real build of an index in a folder of its own, to be written to; `remove` closes it and takes the folder away. */
export async function temporaryStore(
  dimensions: number,
  now = 1,
): Promise<{ store: IndexStore; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hoptrail-store-'));
  const generation = await createIndexLayout(folder).open(generationName('hash/1', 1), { following: false });
  const store = await openStore(generation, { dimensions, writable: true, now: () => now });
  assert.ok(store);
  return {
    store,
    remove: async () => {
      store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
