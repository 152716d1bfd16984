import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createIndexLayout } from '../../../../src/search/store/index-layout.ts';
import { openStore } from '../../../../src/search/store/index-store.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';

describe('a write that fails halfway', function () {
  this.timeout(120_000);
  let harness: IndexHarness;
  /** While true, no record of a file can be written. */
  let full: boolean;
  beforeEach(async () => {
    full = false;
    harness = await IndexHarness.create({
      'ferry.md': '# Ferry\n\nThe ferry leaves the harbour.\n',
      'costs.md': '# Costs\n\nNine thousand a year.\n',
    });
  });
  afterEach(() => harness.close());

  async function opened(): Promise<LocalIndexService> {
    const service = harness.service(new HashEmbedder(), {
      openStore: async (generation, options) => {
        const store = await openStore(generation, options);
        if (store) {
          const put = store.files.put.bind(store.files);
          store.files.put = (records) =>
            full ? Promise.reject(new Error('No space left on device (os error 28)')) : put(records);
        }
        return store;
      },
    });
    await service.open(harness.config());
    return service;
  }

  it('leaves no passage twice once it is made up for', async () => {
    const service = await opened();
    full = true;
    await assert.rejects(service.update({}));
    full = false;
    await service.update({});
    assert.equal((await service.index.textSearch('harbour', { limit: 9 })).length, 1);
    await service.close();
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('is made up for when the file has become what it was before', async () => {
    const service = await opened();
    await service.update({});
    full = true;
    await harness.write({ 'ferry.md': '# Ferry\n\nThe ferry leaves the lighthouse.\n' });
    await assert.rejects(service.filesChanged([harness.uri('ferry.md')]));
    full = false;
    await harness.write({ 'ferry.md': '# Ferry\n\nThe ferry leaves the harbour.\n' });
    await service.filesChanged([harness.uri('ferry.md')]);
    assert.equal((await service.index.textSearch('lighthouse', { limit: 9 })).length, 0);
    await service.update({});
    await service.close();
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('is made up for when files were to go', async () => {
    const service = await opened();
    await service.update({});
    await harness.remove('costs.md');
    full = true;
    await assert.rejects(service.update({}));
    full = false;
    const report = await service.update({});
    assert.deepEqual([report.files, report.passages], [1, 1]);
    await service.close();
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('heals an index that holds passages twice', async () => {
    const service = await opened();
    await service.update({});
    await service.close();
    const layout = createIndexLayout(harness.indexFolder());
    const store = await openStore(await layout.open((await layout.current()) ?? '', { following: false }), {
      dimensions: 16,
      writable: true,
      now: () => 1,
    });
    assert.ok(store);
    const rows = await store.passages.rowsOfFiles([harness.uri('ferry.md')]);
    await store.passages.append(rows);
    store.close();
    const next = await opened();
    await next.update({});
    await next.close();
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });
});
