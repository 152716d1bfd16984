import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { IndexedPassage } from '../../../../src/search/store/passage-index.ts';
import { idsDigest } from '../../../../src/search/store/passage-rows.ts';
import type { IndexStore } from '../../../../src/search/store/index-store.ts';
import { temporaryStore } from '../../../doubles/temporary-store.ts';
import { tidy } from '../../../../src/search/store/lance-connection.ts';
import {
  MOST_UNINDEXED_TEXTS,
  needsCompaction,
  refreshTextIndices,
  unindexedTexts,
} from '../../../../src/search/store/table-upkeep.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const DIMENSIONS = 8;
const unit = (...values: number[]): Float32Array => {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => values[i] ?? 0);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

const passage = (id: string, changes: Partial<Passage> = {}): Passage =>
  notePassage(id, `Title ${id}`, `Text of ${id}.`, {
    path: `${id}.md`,
    endLine: 2,
    contentHash: `hash-${id}`,
    ...changes,
  });
const row = (of: Passage, vector?: Float32Array): IndexedPassage => ({ ...of, ...(vector ? { vector } : {}) });

describe('passage table', function () {
  this.timeout(60_000);
  let store: IndexStore;

  beforeEach(async () => {
    store = await temporaryStore(DIMENSIONS, 1_000);
  });
  afterEach(() => store.close());

  async function ids(): Promise<string[]> {
    const found: string[] = [];
    for await (const rows of store.passages.scan(false)) found.push(...rows.map((each) => each.id));
    return found.sort();
  }

  const needsTidying = async (): Promise<boolean> =>
    needsCompaction(store.passages.table, await store.passages.count());

  it('gives back what it was given, to the last field', async () => {
    const full = passage('full', {
      uri: "file:///w/it's%20here/%F0%9F%99%82.pdf",
      path: "it's here/🙂.pdf",
      startLine: 3,
      endLine: 3,
      startColumn: 1,
      endColumn: 4000,
      page: 7,
      kind: 'page',
      language: 'pdf',
      title: 'A > "B"',
      text: 'Zeile\r\nmit \u0000 und 東京\n',
      links: [
        {
          kind: 'call',
          target: 'Store.merge',
          line: 3,
          path: 'src/store.ts',
          anchor: 'merge',
          via: './store.ts#merge',
        },
      ],
      units: [
        { start: 0, end: 5, kind: 'row', context: { text: 'Plan | Price' } },
        { start: 7, end: 10, kind: 'row', context: { text: 'Plan | Price' } },
        { start: 11, end: 16, kind: 'import', context: { text: 'Zeile', start: 0, end: 5 } },
        { start: 17, end: 18, kind: 'sentence' },
      ],
    });
    await store.passages.append([row(full, unit(1, 2)), row(passage('plain'))]);
    const [first, second] = await store.index.get(['full', 'plain']);
    assert.deepEqual({ ...first, vector: undefined }, { ...full, vector: undefined });
    assert.deepEqual(first?.vector, unit(1, 2));
    assert.deepEqual(second, passage('plain'));
    assert.deepEqual(
      (await store.index.passagesOf("it's here/🙂.pdf")).map((found) => found.id),
      ['full'],
    );
  });

  it('keeps a byte order mark that a text begins with', async () => {
    const marked = passage('marked', { path: '\ufeffa.md', title: '\ufeffTitle', text: '\ufeff这是一段文字。' });
    await store.passages.append([row(passage('plain')), row(marked), row(passage('last'))]);
    const found = await store.index.get(['plain', 'marked', 'last']);
    assert.deepEqual(found, [passage('plain'), marked, passage('last')]);
    assert.deepEqual(
      (await store.index.passagesOf('\ufeffa.md')).map(({ id }) => id),
      ['marked'],
    );
  });

  it('changes rows of several files in one commit', async () => {
    const a = ['a1', 'a2', 'a3'].map((id) => passage(id, { uri: 'file:///w/a.md' }));
    const b = ['b1', 'b2'].map((id) => passage(id, { uri: 'file:///w/b.md' }));
    await store.passages.append([...a, ...b, passage('other')].map((of) => row(of)));
    const before = await store.passages.table.version();
    await store.passages.change({
      written: [
        row(passage('a2', { uri: 'file:///w/a.md', text: 'moved' })),
        row(passage('a4', { uri: 'file:///w/a.md' })),
        row(passage('new', { uri: 'file:///w/new.md' })),
      ],
      gone: ['a1'],
      goneFiles: ['file:///w/b.md', 'file:///w/new.md'],
    });
    assert.equal((await store.passages.table.version()) - before, 1);
    assert.deepEqual(await ids(), ['a2', 'a3', 'a4', 'new', 'other']);
    assert.equal((await store.index.get(['a2']))[0]?.text, 'moved');
    await store.passages.change({
      written: [],
      gone: ['other', 'nobody'],
      goneFiles: ["file:///w/it's.md", 'file:///w/a.md'],
    });
    assert.deepEqual(await ids(), ['new']);
    const last = await store.passages.table.version();
    await store.passages.change({ written: [], gone: [], goneFiles: [] });
    assert.equal(await store.passages.table.version(), last, 'nothing to change is no commit');
  });

  it('gives rows their vectors without touching the full-text index', async () => {
    await store.passages.append(
      Array.from({ length: 1_500 }, (_, i) => row(passage(`p${i}`, { text: `Word${i} common` }))),
    );
    assert.ok(await refreshTextIndices(store.passages.table, true));
    assert.equal((await store.passages.pending()).length, 1_500);
    await store.passages.setVectors([
      { id: 'p7', contentHash: 'hash-p7', vector: unit(1) },
      { id: 'p9', contentHash: 'hash-p9', vector: unit(0, 1) },
      { id: 'gone', contentHash: 'x', vector: unit(1) },
    ]);
    assert.deepEqual(await unindexedTexts(store.passages.table), { indexed: 1_500, unindexed: 0 });
    assert.equal((await store.passages.pending()).length, 1_498);
    assert.equal(await store.passages.count(), 1_500);
    const near = await store.index.vectorSearch(unit(1, 0.1), { limit: 10 });
    assert.deepEqual(
      near.map((hit) => hit.passage.id),
      ['p7', 'p9'],
      'rows without a vector are not found by meaning',
    );
    assert.ok(Math.abs((near[0]?.score ?? 0) - 1 / Math.hypot(1, 0.1)) < 1e-5, 'the score is the cosine');
    assert.equal((await store.index.textSearch('word7', { limit: 3 }))[0]?.passage.id, 'p7');
    await store.passages.chooseVectorWrites(1);
  });

  it('holds as many rows outside the full-text index as a query bears, whatever looks at it', async () => {
    await store.passages.append(Array.from({ length: MOST_UNINDEXED_TEXTS }, (_, i) => row(passage(`p${i}`))));
    assert.deepEqual([await needsTidying(), await refreshTextIndices(store.passages.table, false)], [false, false]);
    await store.passages.append([row(passage('one more'))]);
    assert.equal(await needsTidying(), true);
    assert.equal(await refreshTextIndices(store.passages.table, true), true);
    assert.equal(await needsTidying(), false, 'what is indexed needs no tidying');
  });

  it('writes vectors of rows in long fragments too', async () => {
    await store.passages.append(Array.from({ length: 9_000 }, (_, i) => row(passage(`p${i}`))));
    await store.passages.chooseVectorWrites(9_000);
    await store.passages.setVectors([{ id: 'p5', contentHash: 'hash-p5', vector: unit(3) }]);
    assert.deepEqual((await store.index.get(['p5']))[0]?.vector, unit(3));
    assert.equal(await store.passages.count(), 9_000);
  });

  it('knows vectors by content, and keeps those of passages that are gone', async () => {
    await store.passages.append([row(passage('a'), unit(1)), row(passage('b'))]);
    assert.deepEqual([...(await store.passages.vectorsOf(['hash-a', 'hash-b', "hash-'"]))], [['hash-a', unit(1)]]);
    await store.kept.keep(new Map([['gone', unit(2)]]));
    assert.deepEqual((await store.kept.find(['gone', 'hash-a'])).get('gone'), unit(2));
    await store.kept.trim();
    assert.equal(await store.kept.count(), 1);
  });

  it('tells which passages a file has, and sees ones that are there twice', async () => {
    const a = passage('a1', { uri: 'file:///w/a.md' });
    await store.passages.append([row({ ...a, id: 'a2' }), row(a), row(passage('b'))]);
    const summaries = await store.passages.fileSummaries();
    assert.deepEqual(
      summaries.get('file:///w/a.md'),
      { digest: idsDigest(['a1', 'a2']), repeats: false },
      'in whatever order they lie',
    );
    await store.passages.append([row({ ...a, id: 'a3' }), row(passage('b'))]);
    const later = await store.passages.fileSummaries();
    assert.deepEqual(later.get('file:///w/a.md'), { digest: idsDigest(['a1', 'a2', 'a3']), repeats: false });
    assert.equal(later.get('file:///w/b.md')?.repeats, true);
    assert.notEqual(later.get('file:///w/b.md')?.digest, summaries.get('file:///w/b.md')?.digest);
  });

  it('compacts when many versions have piled up, and is the same after it', async () => {
    for (let i = 0; i < 62; i++) await store.passages.append([row(passage(`p${i}`), unit(i + 1, 1))]);
    assert.ok(await needsTidying());
    await tidy(store.passages.table, Date.now() + 60_000);
    assert.equal(await needsTidying(), false);
    assert.equal(await store.passages.count(), 62);
    assert.deepEqual(await unindexedTexts(store.passages.table), { indexed: 62, unindexed: 0 });
    assert.equal((await store.index.get(['p61']))[0]?.text, 'Text of p61.');
  });
});
