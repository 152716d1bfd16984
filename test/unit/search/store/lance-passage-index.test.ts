import assert from 'node:assert/strict';
import { Index } from '@lancedb/lancedb';
import { after, before, describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { RankedPassage } from '../../../../src/search/store/passage-index.ts';
import { partsQuery } from '../../../../src/search/text/word-parts.ts';
import { LancePassageIndex } from '../../../../src/search/store/lance-passage-index.ts';
import type { IndexStore } from '../../../../src/search/store/index-store.ts';
import { temporaryStore } from '../../../doubles/temporary-store.ts';
import { tidy } from '../../../../src/search/store/lance-connection.ts';
import { refreshTextIndices } from '../../../../src/search/store/table-upkeep.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const embedder = new HashEmbedder();

const passage = (id: string, file: string, text: string, changes: Partial<Passage> = {}): Passage =>
  notePassage(id, '', text, { path: file, ...changes });

const PASSAGES: Passage[] = [
  passage('a', "docs/ines's notes.md", 'The heron stands in the reeds.', {
    title: 'Birds > Heron',
    links: [{ kind: 'wikilink', target: 'gull', line: 1, path: 'docs/gull.md' }],
  }),
  passage('b', 'docs/gull.md', 'A gull flies over the reeds, another gull follows.', { title: 'Birds > Gull' }),
  passage('c', 'docs/deep/tern.md', 'The tern dives.', {
    startLine: 9,
    links: [
      { kind: 'wikilink', target: 'gull', line: 9, path: 'docs/gull.md' },
      { kind: 'wikilink', target: 'heron', line: 9 },
    ],
  }),
  passage('d', 'docs-old/gull.md', 'An old gull.', {}),
  passage('e', 'src/rowStore.ts', 'export function parseHTTPRequest(raw) { return mergeRows(raw); }', {
    kind: 'function',
    language: 'typescript',
    title: 'RowStore > parseHTTPRequest',
    links: [
      { kind: 'define', target: 'RowStore.parseHTTPRequest', line: 1 },
      { kind: 'call', target: 'mergeRows', line: 1 },
    ],
  }),
  passage('f', 'src/merge_rows.py', 'def merge_rows(rows):\n    return rows', {
    kind: 'function',
    language: 'python',
    title: 'merge_rows',
    links: [{ kind: 'define', target: 'merge_rows', line: 1 }],
  }),
  passage('g', 'docs/reise.md', '東京への旅行。Le café près de la gare.', { title: 'Reise' }),
];

/** A build of its own for one test. */
async function withStore(use: (store: IndexStore) => Promise<void>): Promise<void> {
  const store = await temporaryStore(embedder.dimensions);
  await use(store).finally(() => store.close());
}

describe('LanceDB passage index', function () {
  this.timeout(60_000);
  let store: IndexStore;

  before(async () => {
    store = await temporaryStore(embedder.dimensions);
    await store.passages.append(PASSAGES.map((of) => ({ ...of, vector: embedder.vectorOf(of.text) })));
  });
  after(() => store.close());

  const ids = async (query: string, filter = {}): Promise<string[]> =>
    (await store.index.textSearch(query, { limit: 10, filter })).map((hit) => hit.passage.id);

  it('ranks by words, in texts and in names', async () => {
    const hits = await store.index.textSearch('gull', { limit: 10 });
    assert.deepEqual(hits.map((hit) => hit.passage.id).sort(), ['b', 'd']);
    assert.ok(hits.every((hit, i) => i === 0 || hit.score <= (hits[i - 1]?.score ?? 0)));
    assert.deepEqual(await ids('herons'), ['a'], 'words are stemmed');
    assert.ok((await ids('birds')).includes('b'), 'titles count');
    assert.deepEqual(await ids('東京'), ['g'], 'words of languages without spaces are found');
    assert.deepEqual(await ids('cafe'), ['g'], 'accents are folded');
    assert.deepEqual(await ids(''), []);
    assert.deepEqual(await ids('the of and'), []);
  });

  it('finds identifiers by their parts and the other way round', async () => {
    assert.equal((await ids('parse http request'))[0], 'e');
    assert.equal((await ids('parseHTTPRequest'))[0], 'e');
    assert.deepEqual((await ids('mergeRows')).sort(), ['e', 'f'], 'camelCase finds snake_case');
    assert.ok((await ids('row store')).includes('e'), 'paths count');
  });

  it('survives every kind of query text', async () => {
    for (const query of [
      '"quoted',
      "it's",
      'a AND (b OR',
      'x:y',
      '\\',
      '*',
      '🙂',
      'a'.repeat(5_000),
      'drop table; --',
      '%_',
    ]) {
      await store.index.textSearch(query, { limit: 3 });
      await store.index.documentFrequencies([query]);
    }
  });

  it('filters by path, language, kind and id, quotes and all', async () => {
    assert.deepEqual(await ids('gull', { paths: ['docs'] }), ['b'], 'docs-old is another folder');
    assert.deepEqual(await ids('reeds', { paths: ["docs/ines's notes.md"] }), ['a']);
    assert.deepEqual(await ids('reeds', { paths: ["' OR true --"] }), []);
    assert.deepEqual(await ids('gull', { paths: ['docs/', 'docs-old'] }).then((found) => found.sort()), ['b', 'd']);
    assert.deepEqual(await ids('gull', { paths: [] }), []);
    assert.deepEqual(await ids('rows', { languages: ['python'] }), ['f']);
    assert.deepEqual(await ids('rows', { kinds: ['section'] }), []);
    assert.deepEqual(await ids('gull', { paths: ['docs/', 'docs-old'], excludeIds: ['b'] }), ['d']);
    assert.deepEqual(await ids('gull', { paths: ['docs'], excludeIds: [] }), ['b']);
    const near = await store.index.vectorSearch(embedder.vectorOf('The tern dives.'), {
      limit: 3,
      filter: { ids: ['a', 'b', 'c'], paths: ['docs/deep'] },
    });
    assert.deepEqual(
      near.map((hit) => hit.passage.id),
      ['c'],
    );
    assert.ok(Math.abs((near[0]?.score ?? 0) - 1) < 1e-5);
  });

  it('finds passages that answer to a name and those that point there, most matches first', async () => {
    const named = await store.index.findByName(['name:gull', 'path:docs/gull.md'], { limit: 10 });
    assert.deepEqual(
      named.map((hit) => [hit.passage.id, hit.score]),
      [
        ['b', 2],
        ['d', 1],
      ],
    );
    const linking = await store.index.findLinkingTo(['path:docs/gull.md', 'name:heron'], { limit: 10 });
    assert.deepEqual(
      linking.map((hit) => [hit.passage.id, hit.score]),
      [
        ['c', 2],
        ['a', 1],
      ],
    );
    assert.deepEqual(
      (await store.index.findLinkingTo(['path:docs/gull.md'], { limit: 1, filter: { paths: ['docs/deep'] } })).map(
        (hit) => hit.passage.id,
      ),
      ['c'],
    );
    assert.deepEqual(await store.index.findByName(["name:it's"], { limit: 3 }), []);
    assert.deepEqual(await store.index.findByName([], { limit: 3 }), []);
  });

  it('counts how many passages hold a term', async () => {
    assert.deepEqual(await store.index.documentFrequencies(['gull', 'reeds', 'nothing']), {
      total: 7,
      frequencies: [2, 2, 0],
    });
  });

  it('gives passages in the order asked, with vectors, unknown ones left out', async () => {
    const got = await store.index.get(['c', 'nobody', 'a', 'c']);
    assert.deepEqual(
      got.map((found) => found.id),
      ['c', 'a', 'c'],
    );
    assert.equal(got[0]?.vector?.length, embedder.dimensions);
  });

  it('ends when aborted', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(store.index.textSearch('gull', { limit: 1, signal }), { name: 'AbortError' });
    await assert.rejects(store.index.findByName(['name:gull'], { limit: 1, signal }), { name: 'AbortError' });
  });

  it('gives the same lists without rows, and says who waits for a vector', async () => {
    const without = (list: RankedPassage[]): unknown =>
      list.map(({ passage: { id, embedded }, score }) => ({ passage: { id, embedded }, score }));
    const ranked = (list: Awaited<ReturnType<typeof store.index.textSearch>>): unknown =>
      list.map(({ passage: { id, vector }, score }) => ({ passage: { id, embedded: vector !== undefined }, score }));
    await store.passages.append([passage('waiting', 'docs/waiting.md', 'A gull waits.', { title: 'Gull' })]);
    const [words, vector, names] = [
      'gull reeds',
      embedder.vectorOf('The tern dives.'),
      ['name:gull', 'path:docs/gull.md'],
    ] as const;
    const filter = { paths: ['docs'] };
    assert.deepEqual(
      without(await store.index.rank({ words }, { limit: 9, filter })),
      ranked(await store.index.textSearch(words, { limit: 9, filter })),
    );
    assert.deepEqual(
      without(await store.index.rank({ vector }, { limit: 9, filter })),
      ranked(await store.index.vectorSearch(vector, { limit: 9, filter })),
    );
    const named = await store.index.rank({ names }, { limit: 9, filter });
    assert.deepEqual(without(named), ranked(await store.index.findByName(names, { limit: 9, filter })));
    assert.deepEqual(
      named.map(({ passage: { id, embedded }, score }) => [id, embedded, score]),
      [
        ['b', true, 2],
        ['waiting', false, 1],
      ],
    );
    await store.passages.deleteIds(['waiting']);
  });

  it('reads the rows of a list, also when a compaction has moved them or some are gone', () =>
    withStore(async (large) => {
      for (const from of [0, 20, 40]) {
        await large.passages.append(
          Array.from({ length: 20 }, (_, i) => ({
            ...passage(`p${from + i}`, `${from + i}.md`, `Gull ${i}.`),
            vector: embedder.vectorOf(`Gull ${i}.`),
          })),
        );
      }
      const refs = (await large.index.rank({ words: 'gull' }, { limit: 60 })).map((hit) => hit.passage);
      const ids = refs.map(({ id }) => id);
      assert.equal(ids.length, 60);
      assert.ok(refs.every(({ row }) => row !== undefined));
      const expected = await large.index.get(ids);
      assert.deepEqual(await large.index.read(refs, { vectors: true }), expected);
      assert.deepEqual(
        (await large.index.read(refs.slice(0, 2), { vectors: false })).map(({ id, vector }) => [id, vector]),
        ids.slice(0, 2).map((id) => [id, undefined]),
      );
      const gone = ids[7] ?? '';
      await large.passages.deleteIds([gone]);
      await tidy(large.passages.table, Date.now() + 60_000);
      assert.deepEqual(
        await large.index.read(refs, { vectors: true }),
        expected.filter(({ id }) => id !== gone),
      );
      const elsewhere = refs.map(({ id, embedded }, i) => ({ id, embedded, row: refs[(i + 1) % refs.length]?.row }));
      assert.deepEqual(
        (await large.index.read(elsewhere, { vectors: false })).map(({ id }) => id),
        ids.filter((id) => id !== gone),
      );
    }));

  it('does not compare vectors of another length', async () => {
    assert.deepEqual(await store.index.vectorSearch(new Float32Array(3), { limit: 3 }), []);
  });

  it('finds all rows of a folder by meaning, however many partitions they are spread over', () =>
    withStore(async (large) => {
      const random = seededRandom(3);
      const unit = (): Float32Array => {
        const vector = Float32Array.from({ length: embedder.dimensions }, () => random() - 0.5);
        return vector.map((value) => value / Math.hypot(...vector));
      };
      await large.passages.append(
        Array.from({ length: 3_000 }, (_, i) => ({
          ...passage(`p${i}`, i % 50 === 0 ? `deep/${i}.md` : `other/${i}.md`, `Passage ${i}.`),
          vector: unit(),
        })),
      );
      await large.passages.table.createIndex('vector', {
        config: Index.ivfFlat({ distanceType: 'cosine', numPartitions: 60 }),
      });
      const filter = { paths: ['deep'] };
      const vector = unit();
      assert.equal((await large.index.vectorSearch(vector, { limit: 40, filter })).length, 40);
      assert.equal((await large.index.rank({ vector }, { limit: 100, filter })).length, 60);
    }));

  it('ranks names over all passages, also where one of the names is everywhere', async () => {
    const handbook = Array.from({ length: 2_600 }, (_, i) =>
      passage(`p${String((i * 7_919) % 2_600).padStart(4, '0')}`, `handbook/${i}.md`, `Passage ${i}.`, {
        title: `Handbook > Part ${i}`,
      }),
    );
    const decision = passage('q', 'handbook/ferry.md', 'We buy a ferry.', { title: 'Handbook > Ferry Decision' });
    const names = ['name:handbook', 'name:ferry decision'];
    const lists: unknown[] = [];
    for (const order of [
      [...handbook, decision],
      [decision, ...handbook.toReversed()],
    ]) {
      await withStore(async (large) => {
        await large.passages.append(order);
        const found = await large.index.findByName(names, { limit: 5 });
        assert.deepEqual([found[0]?.passage.id, found[0]?.score], ['q', 2]);
        lists.push(found.map(({ passage: { id }, score }) => [id, score]));
        assert.deepEqual(
          (
            await large.index.findByName(['name:ferry decision', 'name:handbook'], {
              limit: 5,
              filter: { paths: ['handbook/ferry.md'] },
            })
          ).map((hit) => hit.passage.id),
          ['q'],
        );
      });
    }
    assert.deepEqual(lists[0], [
      ['q', 2],
      ['p0000', 1],
      ['p0001', 1],
      ['p0002', 1],
      ['p0003', 1],
    ]);
    assert.deepEqual(lists[1], lists[0], 'whatever order the rows were written in');
  });

  it('counts terms in the rows outside the full-text index as well', () =>
    withStore(async (large) => {
      const rows = (from: number, count: number, text: string) =>
        Array.from({ length: count }, (_, i) => passage(`p${from + i}`, `${from + i}.md`, text));
      await large.passages.append(rows(0, 600, 'A heron.'));
      assert.ok(await refreshTextIndices(large.passages.table, true));
      await large.passages.append(rows(600, 5, 'A gull beside a heron.'));
      await large.passages.append(rows(605, 1, '배터리는 서울에서 만든다.'));
      assert.deepEqual((await large.index.documentFrequencies(['heron', 'gull'])).frequencies, [605, 5]);
      const list = await large.index.rank({ words: '배터리를 heron', parts: partsQuery('배터리를') }, { limit: 2 });
      assert.equal(list[0]?.passage.id, 'p605');
    }));
});

describe('two indexes of the same passages', function () {
  this.timeout(60_000);

  it('give the same lists, whatever the order in which their rows were written', async () => {
    const same = Array.from({ length: 300 }, (_, i) =>
      passage(`same-${(i * 7919) % 1000}`, `copies/${i}.md`, 'A licence text that stands in every file.', {
        title: `Copy ${i % 3}`,
      }),
    );
    const rows = [...PASSAGES, ...same].map((of) => ({ ...of, vector: embedder.vectorOf(of.text) }));
    const random = seededRandom(3);
    const orders = [rows, rows.toReversed(), rows.toSorted(() => random() - 0.5)];
    const lists: string[] = [];
    for (const [n, order] of orders.entries()) {
      await withStore(async ({ passages, index }) => {
        for (let i = 0; i < order.length; i += 50 + n * 70) await passages.append(order.slice(i, i + 50 + n * 70));
        await refreshTextIndices(passages.table, true);
        const options = { limit: 10 };
        const vector = embedder.vectorOf('licence text');
        lists.push(
          JSON.stringify([
            (await index.textSearch('licence text', options)).map((hit) => hit.passage.id),
            (await index.vectorSearch(vector, options)).map((hit) => hit.passage.id),
            (await index.rank({ words: 'licence text' }, options)).map((hit) => hit.passage.id),
            (await index.rank({ vector }, options)).map((hit) => hit.passage.id),
            (await index.textSearch('gull reeds', { limit: 3 })).map((hit) => hit.passage.id),
            (await index.textSearch('licence', { limit: 400 })).map((hit) => hit.passage.id),
          ]),
        );
      });
    }
    assert.equal(new Set(lists).size, 1, lists.join('\n'));
  });
});

describe('a build of an earlier version', () => {
  it('that knows no units answers until this one is done', async () => {
    await withStore(async (store) => {
      await store.passages.append(PASSAGES.map((each) => ({ ...each, vector: embedder.vectorOf(each.text) })));
      await store.passages.table.dropColumns(['units', 'parts']);
      const earlier = new LancePassageIndex(
        store.passages.table,
        embedder.dimensions,
        () => Promise.reject(new Error('not asked')),
        false,
      );
      const [found] = await earlier.get(['a']);
      assert.equal(found?.text, 'The heron stands in the reeds.');
      assert.equal(found?.units, undefined);
      const near = await earlier.vectorSearch(embedder.vectorOf('The tern dives.'), { limit: 1 });
      assert.equal(near[0]?.passage.id, 'c');
      assert.equal((await earlier.passagesOf('docs/gull.md')).length, 1);
      const worded = await earlier.rank({ words: 'reeds', parts: 'reed eeds' }, { limit: 1 });
      assert.equal(worded[0]?.passage.id, 'a');
    });
  });
});
