import assert from 'node:assert/strict';
import { createIndexLayout, generationPrefix } from '../../src/search/store/index-layout.ts';
import { type IndexStore, openStore } from '../../src/search/store/index-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A real build of an index in a folder of its own, to be written to. */
export async function temporaryStore(dimensions: number, now = 1): Promise<IndexStore> {
  const folder = temporaryFolder();
  const generation = await createIndexLayout(folder).open(`${generationPrefix('hash/1')}1`, { following: false });
  const store = await openStore(generation, { dimensions, writable: true, now: () => now });
  assert.ok(store);
  return store;
}
