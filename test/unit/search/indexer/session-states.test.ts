import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openStore, type IndexStore } from '../../../../src/search/store/index-store.ts';
import type { IndexState } from '../../../../src/search/domain/index-state.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';
import { until } from '../../../doubles/waiting.ts';

describe('a session that goes through its states', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  let lock: string;
  /** Tables that are open, with whether they may be written. */
  let open: Map<IndexStore, boolean>;
  /** Called before the tables of a generation are opened for writing. */
  let beforeWriting: (() => Promise<void>) | undefined;
  /** Called before those of one that is only read are opened. */
  let beforeReading: (() => Promise<void>) | undefined;
  beforeEach(async () => {
    harness = await IndexHarness.create({ 'a.md': '# A\n\nA harbour.\n', 'b.md': '# B\n\nA ferry.\n' });
    lock = path.join(harness.indexFolder(), 'writer.lock');
    open = new Map();
    beforeWriting = undefined;
    beforeReading = undefined;
  });
  afterEach(() => harness.close());

  const service = (embedder = new HashEmbedder()): LocalIndexService =>
    harness.service(embedder, {
      openStore: async (generation, options) => {
        await (options.writable ? beforeWriting : beforeReading)?.();
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
  const updated = async (embedder?: HashEmbedder): Promise<LocalIndexService> => {
    const made = service(embedder);
    await made.open(harness.config());
    await made.update({});
    return made;
  };
  const stealLease = (): Promise<void> =>
    writeFile(lock, JSON.stringify({ token: 'another', pid: process.pid, host: hostname() }));
  const untilState = (index: LocalIndexService, so: (state: IndexState) => boolean): Promise<void> =>
    until(async () => so(await index.state()), String(so));
  const untilPhase = (wanted: string, index: LocalIndexService): Promise<void> =>
    untilState(index, ({ phase }) => phase === wanted);

  it('keeps open what the state that it is in needs, and nothing else', async () => {
    const index = await updated();
    assert.deepEqual([...open.values()], [true], 'a writer: what it writes');
    await index.update({ rebuild: true });
    assert.deepEqual([...open.values()], [true], 'the generation before is closed');
    await stealLease();
    await harness.write({ 'a.md': '# A\n\nA lighthouse.\n' });
    await assert.rejects(index.filesChanged([harness.uri('a.md')]), { code: 'index-not-writable' });
    await untilPhase('read-only', index);
    assert.deepEqual([...open.values()], [false], 'a reader: what it reads');
    await rm(lock);
    await index.update({});
    assert.deepEqual([...open.values()], [true], 'a writer again');
    await index.close();
    assert.equal(open.size, 0);
  });

  it('does not go on as a writer when the lease is lost while a rebuild begins', async () => {
    const index = await updated();
    beforeWriting = async () => {
      beforeWriting = undefined;
      await stealLease();
      await harness.write({ 'a.md': '# A\n\nA harbour, and a lighthouse.\n' });
      await assert.rejects(index.filesChanged([harness.uri('a.md')]), { code: 'index-not-writable' });
    };
    await assert.rejects(index.update({ rebuild: true }), { code: 'index-not-writable' });
    assert.equal((await index.state()).phase, 'read-only');
    assert.deepEqual([...open.values()], [false]);
    await rm(lock);
    await index.update({});
    assert.equal((await index.index.textSearch('harbour', { limit: 1 })).length, 1);
    await index.close();
    assert.equal(open.size, 0);
  });

  const found = async (index: LocalIndexService): Promise<number> =>
    (await index.index.textSearch('harbour', { limit: 1 })).length;
  const damage = async (): Promise<void> => {
    const data = path.join(harness.indexFolder(), (await harness.layout().current()) ?? '', 'passages.lance', 'data');
    for (const name of await readdir(data)) await writeFile(path.join(data, name), 'no table');
  };
  const fullDisk = (): Promise<void> => Promise.reject(new Error('ENOSPC: no space left on device'));

  it('answers while it comes to write again', async () => {
    const index = await updated();
    await stealLease();
    await assert.rejects(index.update({}), { code: 'index-not-writable' });
    await rm(lock);
    const meanwhile: unknown[] = [];
    beforeWriting = async () => {
      beforeWriting = undefined;
      meanwhile.push(await found(index), (await index.index.coverage()).files);
    };
    await index.update({});
    assert.deepEqual(meanwhile, [1, 2]);
    await index.close();
    assert.equal(open.size, 0);
  });

  it('reads the index later when it cannot be read as the lease is lost', async () => {
    const index = await updated();
    await stealLease();
    beforeReading = () => {
      beforeReading = undefined;
      return Promise.reject(new Error('the network is down'));
    };
    await assert.rejects(index.update({}), { code: 'index-not-writable' });
    assert.deepEqual((await index.state()).error?.message, 'the network is down');
    await rm(lock);
    await index.update({});
    const { phase, error } = await index.state();
    assert.deepEqual([await found(index), phase, error], [1, 'ready', undefined]);
  });

  it('begins anew later when the disk is full as a damaged index is to be replaced', async () => {
    const index = await updated();
    await damage();
    beforeWriting = fullDisk;
    await harness.write({ 'a.md': '# A\n\nA harbour, and a lighthouse.\n' });
    await assert.rejects(index.update({}), /no space left/u);
    const { phase, error } = await index.state();
    assert.deepEqual([phase, error?.message], ['failed', 'ENOSPC: no space left on device']);
    beforeWriting = undefined;
    await index.update({});
    assert.deepEqual([await found(index), (await index.state()).error], [1, undefined]);
  });

  it('reads all files again when a change meets a damaged index', async () => {
    const index = await updated();
    await damage();
    await harness.write({ 'b.md': '# B\n\nA lighthouse.\n' });
    await assert.rejects(index.filesChanged([harness.uri('b.md')]), { code: 'index-damaged' });
    await untilState(index, ({ notices }) => notices[0]?.code === 'rebuilt');
    assert.deepEqual([await found(index), (await index.state()).error], [1, undefined]);
  });

  it('reads all files again when the vectors of a change meet a damaged index', async () => {
    const embedder = new HashEmbedder();
    const index = await updated(embedder);
    const names = Array.from({ length: 100 }, (_, i) => `new-${i}.md`);
    await harness.write(Object.fromEntries(names.map((name) => [name, `# ${name}\n\nA lighthouse.\n`])));
    embedder.beforePassage = async () => {
      embedder.beforePassage = () => undefined;
      await damage();
    };
    await index.filesChanged(names.map((name) => harness.uri(name)));
    await untilState(index, ({ notices }) => notices[0]?.code === 'rebuilt');
    assert.deepEqual([await found(index), (await index.state()).coverage.files], [1, 102]);
  });
});
