import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openStore, type IndexStore } from '../../../../src/search/store/index-store.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';

describe('a session that goes through its states', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  let lock: string;
  /** Tables that are open, with whether they may be written. */
  let open: Map<IndexStore, boolean>;
  /** Called before the tables of a generation are opened for writing. */
  let beforeWriting: (() => Promise<void>) | undefined;
  beforeEach(async () => {
    harness = await IndexHarness.create({ 'a.md': '# A\n\nA harbour.\n', 'b.md': '# B\n\nA ferry.\n' });
    lock = path.join(harness.indexFolder(), 'writer.lock');
    open = new Map();
    beforeWriting = undefined;
  });
  afterEach(() => harness.close());

  const service = (): LocalIndexService =>
    harness.service(new HashEmbedder(), {
      openStore: async (generation, options) => {
        if (options.writable) await beforeWriting?.();
        const store = await openStore(generation, options);
        if (!store) return store;
        const close = store.close.bind(store);
        const counted: IndexStore = Object.assign(store, {
          close: () => {
            open.delete(counted);
            close();
          },
        });
        open.set(counted, options.writable);
        return counted;
      },
    });
  const stealLock = (): Promise<void> =>
    writeFile(lock, JSON.stringify({ token: 'another', pid: process.pid, host: hostname() }));
  const until = async (phase: string, index: LocalIndexService): Promise<void> => {
    while ((await index.state()).phase !== phase) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('keeps open what the state that it is in needs, and nothing else', async () => {
    const index = service();
    await index.open(harness.config());
    await index.update({});
    assert.deepEqual([...open.values()], [true], 'a writer: what it writes');
    await index.update({ rebuild: true });
    assert.deepEqual([...open.values()], [true], 'the generation before is closed');
    await stealLock();
    await harness.write({ 'a.md': '# A\n\nA lighthouse.\n' });
    await assert.rejects(index.filesChanged([harness.uri('a.md')]), { code: 'index-not-writable' });
    await until('read-only', index);
    assert.deepEqual([...open.values()], [false], 'a follower: what it reads');
    await rm(lock);
    await until('ready', index);
    await index.update({});
    assert.deepEqual([...open.values()], [true], 'a writer again');
    await index.close();
    assert.equal(open.size, 0);
  });

  it('does not go on as a writer when the lease is lost while a rebuild begins', async () => {
    const index = service();
    await index.open(harness.config());
    await index.update({});
    beforeWriting = async () => {
      beforeWriting = undefined;
      await stealLock();
      await harness.write({ 'a.md': '# A\n\nA harbour, and a lighthouse.\n' });
      await assert.rejects(index.filesChanged([harness.uri('a.md')]), { code: 'index-not-writable' });
    };
    await assert.rejects(index.update({ rebuild: true }), { code: 'index-not-writable' });
    assert.equal((await index.state()).phase, 'read-only');
    assert.deepEqual([...open.values()], [false]);
    await rm(lock);
    await until('ready', index);
    assert.equal((await index.index.textSearch('harbour', { limit: 1 })).length, 1);
    await index.close();
    assert.equal(open.size, 0);
  });
});
