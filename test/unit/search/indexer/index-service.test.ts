import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import { afterEach, beforeEach, it } from 'mocha';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { describeInEachPlace, type IndexHarness } from './index-harness.ts';

const NOTES = {
  'notes/ferry.md':
    '# Ferry\n\nThe ferry was chosen in spring. See [[costs]] and [the plan](plan.md).\n\n## Crew\n\nThree sailors.\n',
  'notes/costs.md': '# Costs\n\nThe ferry costs nine thousand a year. Decided by Ines.\n',
  'notes/plan.md': '# Plan\n\nBuy it in May.\n',
  'src/store.ts':
    "import { merge } from './merge.ts';\n\n/** Keeps rows. */\nexport class RowStore {\n  putAll(rows: " +
    'number[]): number[] {\n    return merge(rows);\n  }\n}\n',
  'src/merge.ts': 'export function merge(rows: number[]): number[] {\n  return [...new Set(rows)];\n}\n',
};

describeInEachPlace('index service', function (create) {
  this.timeout(240_000);
  let harness: IndexHarness;

  beforeEach(async () => {
    harness = await create(NOTES);
  });
  afterEach(() => harness.close());

  it('builds an index that is searched by words, by meaning, by name and by link', async () => {
    const embedder = new HashEmbedder();
    const service = harness.service(embedder);
    await service.open(harness.config());
    const report = await service.update({});
    assert.equal(report.files, 5);
    assert.equal(report.passages, report.embedded + report.reused);
    assert.equal(report.embedded, embedder.embedded.length);
    assert.ok(report.embedded >= 5);

    const words = await service.index.textSearch('who decided the costs', { limit: 3 });
    assert.equal(words[0]?.passage.path, 'notes/costs.md');
    const parts = await service.index.textSearch('put all', { limit: 3 });
    assert.equal(parts[0]?.passage.path, 'src/store.ts', 'camelCase is found by its parts');
    const meaning = await service.index.vectorSearch(
      await embedder.embedQuery('plan.md: Plan\n# Plan\n\nBuy it in May.'),
      { limit: 2 },
    );
    assert.equal(meaning[0]?.passage.path, 'notes/plan.md');
    assert.ok((meaning[0]?.score ?? 0) > 0.9);
    const named = await service.index.findByName(['name:merge'], { limit: 5 });
    assert.ok(named.some((hit) => hit.passage.path === 'src/merge.ts'));
    const linking = await service.index.findLinkingTo(['path:notes/costs.md'], { limit: 5 });
    assert.deepEqual(
      linking.map((hit) => hit.passage.path),
      ['notes/ferry.md'],
    );
    const to = async (path: string): Promise<string[]> => (await service.linkingTo(path)).map((found) => found.path);
    assert.deepEqual(await to('notes/plan.md'), ['notes/ferry.md']);
    assert.deepEqual([...new Set(await to('src/merge.ts'))], ['src/store.ts']);
    assert.deepEqual(await to('notes/ferry.md'), []);
    assert.deepEqual(await service.index.coverage(), {
      files: 5,
      passages: report.passages,
      embedded: report.passages,
      indexing: false,
    });
  });

  it('embeds nothing when it is run again, by the same or another service', async () => {
    const first = harness.service();
    await first.open(harness.config());
    const built = await first.update({});
    assert.equal((await first.update({})).embedded, 0);
    await first.close();
    const embedder = new HashEmbedder();
    const second = harness.service(embedder);
    await second.open(harness.config());
    const again = await second.update({});
    assert.deepEqual(
      { embedded: again.embedded, passages: again.passages, reused: again.reused },
      { embedded: 0, passages: built.passages, reused: built.passages },
    );
    assert.equal(embedder.embedded.length, 0);
  });

  it('ends like a fresh build after edits, deletions and renames, without embedding what moved', async () => {
    const embedder = new HashEmbedder();
    const service = await harness.updated(embedder);
    assert.deepEqual(await harness.dump(), await harness.freshDump());

    await harness.write({
      'notes/plan.md': '# Plan\n\nSell it in June.\n',
      'notes/new.md': '# New\n\nSee [[plan]].\n',
    });
    await service.filesChanged([harness.uri('notes/plan.md'), harness.uri('notes/new.md')]);
    const found = await service.index.textSearch('June', { limit: 1 });
    assert.equal(found[0]?.passage.path, 'notes/plan.md');
    await service.update({});
    assert.deepEqual(await harness.dump(), await harness.freshDump());

    const before = embedder.embedded.length;
    await rename(harness.path('notes'), harness.path('minutes'));
    await service.filesChanged([harness.uri('notes'), harness.uri('minutes')]);
    await service.update({});
    assert.equal(embedder.embedded.length, before, 'a moved file costs no inference');
    assert.deepEqual(await harness.dump(), await harness.freshDump());

    await rm(harness.path('minutes/costs.md'));
    await rm(harness.path('src'), { recursive: true });
    await service.filesChanged([harness.uri('minutes/costs.md'), harness.uri('src')]);
    await service.update({});
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });
});
