import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'mocha';
import { openStore, type IndexStore } from '../../../../src/search/store/index-store.ts';
import { tidy } from '../../../../src/search/store/lance-connection.ts';
import { unindexedTexts } from '../../../../src/search/store/table-upkeep.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { describeInEachPlace, type IndexHarness } from './index-harness.ts';

const section = (i: number, word = 'quay'): string =>
  `## Part ${i}\n\nThe ${word} of part ${i} is ${i * 7} metres long. ${`Stone ${i} is laid beside it. `.repeat(20)}\n`;
const sections = (changed = -1, word?: string): string =>
  Array.from({ length: 30 }, (_, i) => section(i, i === changed ? word : undefined)).join('\n');

describeInEachPlace('an edit', function (create) {
  this.timeout(120_000);
  let harness: IndexHarness;
  let embedder: HashEmbedder;
  let service: LocalIndexService;
  let store: IndexStore;

  beforeEach(async () => {
    harness = await create({ 'quays.md': sections(), 'other.md': '# Other\n\nOf wood.\n' });
    embedder = new HashEmbedder();
    service = await harness.updated(embedder, {
      openStore: async (generation, options) => {
        const opened = await openStore(generation, options);
        if (opened) store = opened;
        return opened;
      },
    });
    await tidy(store.passages.table, Date.now());
    assert.equal((await unindexedTexts(store.passages.table)).unindexed, 0);
    embedder.embedded.length = 0;
  });
  afterEach(() => harness.close());

  async function edited(text: string): Promise<{ unindexed: number; commits: number; embedded: number }> {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    embedder.beforePassage = () => held; // vectors follow in commits of their own
    const before = await store.passages.table.version();
    await harness.write({ 'quays.md': text });
    await service.filesChanged([harness.uri('quays.md')]);
    const commits = (await store.passages.table.version()) - before;
    const { unindexed } = await unindexedTexts(store.passages.table);
    letGo();
    await service.update({});
    assert.deepEqual(await harness.dump(), await harness.freshDump());
    return { unindexed, commits, embedded: embedder.embedded.length };
  }

  it('of one passage leaves the other rows of its file in the full-text index', async () => {
    assert.deepEqual(await edited(sections(7, 'lighthouse')), { unindexed: 1, commits: 1, embedded: 1 });
    assert.equal(
      (await service.index.textSearch('lighthouse', { limit: 3 }))[0]?.passage.title.includes('Part 7'),
      true,
    );
  });

  it('that no passage holds writes no row', async () => {
    assert.deepEqual(await edited(`${sections()}\n\n`), { unindexed: 0, commits: 0, embedded: 0 });
  });

  it('that moves lines costs no inference', async () => {
    const { embedded, commits } = await edited(`\n\n${sections()}`);
    assert.deepEqual([embedded, commits], [0, 1]);
  });

  it('of a file whose vectors are still to be made leaves none without', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    embedder.beforePassage = () => held;
    const all = Array.from({ length: 30 }, (_, i) => section(i, 'pier')).join('\n');
    await harness.write({ 'quays.md': all });
    await service.filesChanged([harness.uri('quays.md')]);
    await harness.write({ 'quays.md': all.replace('The pier of part 3 ', 'The lighthouse of part 3 ') });
    await service.filesChanged([harness.uri('quays.md')]);
    letGo();
    await service.update({});
    const { passages, embedded } = (await service.state()).coverage;
    assert.equal(embedded, passages);
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });
});
