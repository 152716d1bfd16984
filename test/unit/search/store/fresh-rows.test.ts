import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';
import type { IndexStore } from '../../../../src/search/store/index-store.ts';
import { temporaryStore } from '../../../doubles/temporary-store.ts';
import { nameKey } from '../../../../src/search/domain/link-keys.ts';
import { KeySearch } from '../../../../src/search/store/key-search.ts';
import { FreshRows } from '../../../../src/search/store/fresh-rows.ts';
import {
  compact,
  KEY_COLUMNS,
  type KeyColumn,
  refreshTextIndices,
  unindexedTexts,
} from '../../../../src/search/store/table-upkeep.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const embedder = new HashEmbedder();
const passage = (id: string, text: string, file = `${id}.md`): Passage =>
  notePassage(id, '', text, { path: file, contentHash: `${id} ${text}` });

const WORDS = 'heron gull tern reed river harbour pilot signal repair mast wind tide chart engine cable lamp'.split(
  ' ',
);
const random = seededRandom(5);
/** Rare and common words, of different lengths. */
const made = (): string =>
  Array.from({ length: 8 + Math.floor(random() * 60) }, () => WORDS[Math.floor(WORDS.length * random() ** 2)]).join(
    ' ',
  );

describe('texts outside the full-text index', function () {
  this.timeout(60_000);
  let store: IndexStore;

  beforeEach(async () => {
    store = await temporaryStore(embedder.dimensions);
    await store.passages.append(Array.from({ length: 600 }, (_, i) => passage(`old-${i}`, made())));
    assert.ok(await refreshTextIndices(store.passages.table, true));
  });
  afterEach(() => store.close());

  const write = (...passages: Passage[]): Promise<void> =>
    store.passages.change({ written: passages, gone: [], goneFiles: [] });
  const search = (query: string, filter = {}) => store.index.rank({ words: query }, { limit: 10, filter });
  const ids = async (query: string, filter = {}): Promise<string[]> =>
    (await search(query, filter)).map((hit) => hit.passage.id);

  it('are found at once, as they are now', async () => {
    await write(passage('new', 'The walrus sleeps.'));
    assert.deepEqual(await ids('walruses'), ['new'], 'words are stemmed');
    await write(passage('new', 'The narwhal sleeps.'), passage('old-7', 'A walrus, read anew.'));
    assert.deepEqual(await ids('walrus'), ['old-7']);
    assert.deepEqual(await ids('narwhal'), ['new']);
    await store.passages.deleteIds(['new']);
    assert.deepEqual(await ids('narwhal'), []);
    const [hit] = await store.index.textSearch('walrus', { limit: 1 });
    assert.equal(hit?.passage.text, 'A walrus, read anew.');
  });

  it('count as much as those that it holds', async () => {
    const added = Array.from({ length: 120 }, (_, i) => passage(`new-${i}`, made()));
    await write(...added);
    const before = new Map((await store.index.rank({ words: 'chart engine' }, { limit: 720 })).map(scoreById));
    await compact(store.passages.table, Date.now());
    assert.equal((await unindexedTexts(store.passages.table)).unindexed, 0);
    const after = new Map((await store.index.rank({ words: 'chart engine' }, { limit: 720 })).map(scoreById));
    assert.equal(before.size, after.size);
    assert.ok([...before.keys()].some((id) => id.startsWith('new-')));
    for (const [id, score] of before)
      assert.ok(Math.abs(score / (after.get(id) ?? 0) - 1) < 0.15, `${id}: ${score} and ${after.get(id)}`);
  });

  it('are told to have their vectors when these have come', async () => {
    await write(passage('new', 'The walrus sleeps.'));
    const embedded = async (): Promise<boolean | undefined> => (await search('walrus'))[0]?.passage.embedded;
    assert.equal(await embedded(), false);
    await store.passages.setVectors([
      { id: 'new', contentHash: 'new The walrus sleeps.', vector: embedder.vectorOf('walrus') },
    ]);
    assert.equal(await embedded(), true);
  });

  it('meet the filter of a search', async () => {
    await write(passage('in', 'A walrus.', 'zoo/in.md'), passage('out', 'A walrus.', 'sea/out.md'));
    assert.deepEqual(await ids('walrus', { paths: ['zoo'] }), ['in']);
    assert.deepEqual(await ids('walrus', { excludeIds: ['in'] }), ['out']);
  });

  it('are found by words of languages without spaces, without accents, and by parts of identifiers', async () => {
    await write(passage('trip', '東京への旅行。Le café.'), passage('code', 'parseHTTPRequest(raw)'));
    assert.deepEqual(await ids('東京'), ['trip']);
    assert.deepEqual(await ids('cafe'), ['trip']);
    assert.deepEqual(await ids('parseHTTPRequest'), ['code']);
    assert.deepEqual(await ids('http request'), ['code']);
    assert.deepEqual(await ids('the of'), []);
  });

  it('are found by every word that is asked for, as those that it holds are', async () => {
    const every = async (words: string): Promise<string[]> =>
      (await store.index.rank({ words, every: true }, { limit: 10 })).map((hit) => hit.passage.id).sort();
    await write(
      passage('day', 'On 2026-11-28 the walrus slept.'),
      passage('apart', 'In 2026 it slept on the 28th, and 11 walruses on day 28.'),
      passage('lacking', 'On 2026-11-27 another walrus did, walrus by walrus.'),
    );
    const look = async (): Promise<void> => {
      assert.deepEqual(await every('2026-11-28'), ['apart', 'day']);
      assert.deepEqual(await every('2026-11-28 walruses'), ['apart', 'day']);
      assert.deepEqual(await every('2026-11-28 narwhal'), []);
      assert.deepEqual(await every('2026-12-28'), []);
    };
    await look();
    await compact(store.passages.table, Date.now());
    assert.equal((await unindexedTexts(store.passages.table)).unindexed, 0);
    await look();
  });

  it('are only those that the index lacks, and none once it is tidied', async () => {
    await write(passage('new', 'The walrus sleeps.'), passage('old-3', 'A walrus wakes.'));
    const fresh = new FreshRows(store.passages.table);
    assert.ok(await fresh.refresh());
    assert.equal(fresh.size, 2);
    assert.deepEqual([fresh.holding('walrus', 0), fresh.holding('walrus', 1)], [2, 0]);
    await compact(store.passages.table, Date.now());
    assert.ok(await fresh.refresh());
    assert.equal(fresh.size, 0);
    assert.deepEqual((await ids('walrus')).sort(), ['new', 'old-3']);
  });

  it('are found by every search while they and others are written', async () => {
    await write(passage('kept', 'The walrus sleeps.'));
    await write(passage('old-0', 'An old rower.'));
    let writing = true;
    const searching = (async () => {
      const missed: string[][] = [];
      for (let searches = 0; writing || searches < 20; searches++) {
        const [named, indexed] = await Promise.all([ids('walrus'), search('old rower')]);
        if (!named.includes('kept') || !indexed.some((hit) => hit.passage.id === 'old-0')) missed.push(named);
      }
      return missed;
    })();
    for (let i = 0; i < 40; i++) {
      await write(passage('kept', `The walrus sleeps, night ${i}.`), passage('old-0', `An old rower, ${i}.`));
      await write(...Array.from({ length: 5 }, (_, other) => passage(`more-${other}`, `${made()} ${i}`)));
      if (i % 10 === 5) await compact(store.passages.table, Date.now());
    }
    writing = false;
    assert.deepEqual(await searching, []);
  });

  describe('by keys', () => {
    const TITLES = ['Heron Hut', 'Gull Hut', 'Tern Hut'];
    const titled = (id: string, title: string, linkTo?: string): Passage =>
      notePassage(id, title, made(), {
        path: `${id}.md`,
        contentHash: `${id} ${title}`,
        links: linkTo === undefined ? [] : [{ kind: 'wikilink', target: linkTo, line: 1 }],
      });
    const keysOf = (titles: readonly string[]): string[] => titles.map(nameKey);
    /** By the index, and as LanceDB itself finds them, with how many keys each has. */
    async function bothWays(column: KeyColumn, keys: readonly string[]): Promise<[string[], string[]]> {
      const options = { limit: 1000 };
      const found =
        column === 'name_keys'
          ? (await store.index.rank({ names: keys }, options)).map(({ passage: { id }, score }) => `${id} ${score}`)
          : (await store.index.findLinkingTo(keys, options)).map(({ passage: { id }, score }) => `${id} ${score}`);
      const matches = await new KeySearch(store.passages.table, column, keys, undefined).matches(options.limit);
      return [found.sort(), matches.map(({ id, score }) => `${id} ${score}`).sort()];
    }

    beforeEach(async () => {
      await store.passages.append(TITLES.flatMap((title, i) => [titled(`held-${i}`, title, TITLES[(i + 1) % 3])]));
      await compact(store.passages.table, Date.now());
      assert.equal((await unindexedTexts(store.passages.table)).unindexed, 0);
    });

    it('are found with those that the index holds, as they are now', async () => {
      for (let i = 0; i < 12; i++) await write(titled(`new-${i}`, TITLES[i % 3] ?? '', TITLES[(i + 2) % 3]));
      await write(titled('held-1', 'Heron Hut', 'Tern Hut'), titled('new-3', 'Reed Hut'));
      await store.passages.deleteIds(['new-0', 'held-2']);
      const fresh = new FreshRows(store.passages.table);
      assert.ok(await fresh.refresh());
      assert.ok(fresh.holdsKeys && fresh.size === 12, `${fresh.size}`);
      for (const column of KEY_COLUMNS)
        for (const titles of [TITLES, ['Heron Hut'], ['Reed Hut'], ['Nowhere']]) {
          const [found, expected] = await bothWays(column, keysOf(titles));
          assert.deepEqual(found, expected, `${column}: ${titles.join(', ')}`);
        }
      const [named] = await bothWays('name_keys', keysOf(['Heron Hut']));
      assert.deepEqual(named, ['held-0 1', 'held-1 1', 'new-6 1', 'new-9 1']);
    });

    it('meet the filter of a search', async () => {
      await write(titled('new-1', 'Heron Hut'), titled('new-2', 'Heron Hut'));
      const found = await store.index.rank(
        { names: keysOf(['Heron Hut']) },
        { limit: 9, filter: { paths: ['new-2.md'] } },
      );
      assert.deepEqual(
        found.map(({ passage }) => passage.id),
        ['new-2'],
      );
    });

    it('are found by every search while others are written and vectors come', async () => {
      await write(titled('kept', 'Walrus Hut'));
      let writing = true;
      const searching = (async () => {
        const missed: string[] = [];
        for (let searches = 0; writing || searches < 20; searches++) {
          const found = await store.index.rank({ names: keysOf(['Walrus Hut', 'Heron Hut']) }, { limit: 99 });
          const ids = found.map(({ passage }) => passage.id);
          for (const id of ['kept', 'held-0'])
            if (ids.filter((each) => each === id).length !== 1) missed.push(ids.join());
        }
        return missed;
      })();
      for (let i = 0; i < 30; i++) {
        await write(titled('kept', 'Walrus Hut'), titled(`more-${i}`, `Hut ${i}`));
        await store.passages.setVectors([
          { id: 'held-0', contentHash: 'held-0 Heron Hut', vector: embedder.vectorOf(`${i}`) },
        ]);
        if (i % 10 === 5) await compact(store.passages.table, Date.now());
      }
      writing = false;
      assert.deepEqual(await searching, []);
    });
  });

  it('are left to LanceDB where a compaction ended before the indices were up to date', async () => {
    const { table } = store.passages;
    for (let batch = 0; batch < 2; batch++)
      await store.passages.append(Array.from({ length: 600 }, (_, i) => passage(`more-${batch}-${i}`, made())));
    assert.ok(await refreshTextIndices(table, true));
    await write(notePassage('new', 'Walrus Hut', 'The walrus sleeps.', { path: 'new.md', contentHash: 'new' }));
    const [before, last] = [await table.version(), await compact(table, Date.now()).then(() => table.version())];
    let unindexed = 0;
    for (let version = last - 1; version > before && unindexed === 0; version--) {
      await table.checkout(version);
      ({ unindexed } = await unindexedTexts(table));
    }
    assert.equal(unindexed, 1, 'fragments are joined, and one row is in no index');
    await table.restore();
    assert.equal(await new FreshRows(table).refresh(), undefined);
    assert.deepEqual(await ids('walrus'), ['new']);
    const named = await store.index.rank({ names: [nameKey('Walrus Hut')] }, { limit: 9 });
    assert.deepEqual(
      named.map((hit) => hit.passage.id),
      ['new'],
    );
    await compact(table, Date.now());
    assert.equal((await unindexedTexts(table)).unindexed, 0);
    assert.deepEqual(await ids('walrus'), ['new']);
  });

  it('are left to LanceDB where they are too many', async () => {
    await write(passage('new', 'The walrus sleeps.'), passage('newer', 'A walrus wakes.'));
    assert.equal(await new FreshRows(store.passages.table, 1).refresh(), undefined);
    assert.ok(await new FreshRows(store.passages.table, 2).refresh());
  });
});

const scoreById = ({ passage: { id }, score }: { passage: { id: string }; score: number }): [string, number] => [
  id,
  score,
];
