import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Passage } from '../../../../src/model/passage.ts';
import { createIndexLayout } from '../../../../src/indexing/store/index-layout.ts';
import { openStore, type IndexStore } from '../../../../src/indexing/store/index-store.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';

const embedder = new HashEmbedder();

function passage(id: string, file: string, text: string, changes: Partial<Passage> = {}): Passage {
  return { id, uri: `file:///w/${encodeURI(file)}`, path: file, startLine: 1, endLine: 1, kind: 'section', language: 'markdown', title: '', text, contentHash: id, links: [], ...changes };
}

const PASSAGES: Passage[] = [
  passage('a', "docs/ines's notes.md", 'The heron stands in the reeds.', { title: 'Birds > Heron', links: [{ kind: 'wikilink', target: 'gull', line: 1, path: 'docs/gull.md' }] }),
  passage('b', 'docs/gull.md', 'A gull flies over the reeds, another gull follows.', { title: 'Birds > Gull' }),
  passage('c', 'docs/deep/tern.md', 'The tern dives.', { startLine: 9, links: [{ kind: 'wikilink', target: 'gull', line: 9, path: 'docs/gull.md' }, { kind: 'wikilink', target: 'heron', line: 9 }] }),
  passage('d', 'docs-old/gull.md', 'An old gull.', {}),
  passage('e', 'src/rowStore.ts', 'export function parseHTTPRequest(raw) { return mergeRows(raw); }', {
    kind: 'function', language: 'typescript', title: 'RowStore > parseHTTPRequest', links: [{ kind: 'define', target: 'RowStore.parseHTTPRequest', line: 1 }, { kind: 'call', target: 'mergeRows', line: 1 }],
  }),
  passage('f', 'src/merge_rows.py', 'def merge_rows(rows):\n    return rows', { kind: 'function', language: 'python', title: 'merge_rows', links: [{ kind: 'define', target: 'merge_rows', line: 1 }] }),
  passage('g', 'docs/reise.md', '東京への旅行。Le café près de la gare.', { title: 'Reise' }),
];

describe('LanceDB passage index', function () {
  this.timeout(60_000);
  let folder: string;
  let store: IndexStore;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hoptrail-query-'));
    const opened = await openStore(await createIndexLayout(folder).open('v1-0123456789ab-1', { following: false }), { dimensions: embedder.dimensions, writable: true, now: () => 1 });
    assert.ok(opened);
    store = opened;
    await store.passages.append(PASSAGES.map((of) => ({ passage: { ...of, vector: embedder.vectorOf(of.text) }, fileHash: 'h' })));
  });
  after(async () => {
    store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ids = async (query: string, filter = {}): Promise<string[]> => (await store.index.textSearch(query, { limit: 10, filter })).map((hit) => hit.passage.id);

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
    for (const query of ['"quoted', "it's", 'a AND (b OR', 'x:y', '\\', '*', '🙂', 'a'.repeat(5_000), 'drop table; --', '%_']) {
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
    assert.deepEqual((await ids('rows', { languages: ['python'] })), ['f']);
    assert.deepEqual((await ids('rows', { kinds: ['section'] })), []);
    assert.deepEqual(await ids('gull', { paths: ['docs/', 'docs-old'], excludeIds: ['b'] }), ['d']);
    assert.deepEqual(await ids('gull', { paths: ['docs'], excludeIds: [] }), ['b']);
    const near = await store.index.vectorSearch(embedder.vectorOf('The tern dives.'), { limit: 3, filter: { ids: ['a', 'b', 'c'], paths: ['docs/deep'] } });
    assert.deepEqual(near.map((hit) => hit.passage.id), ['c']);
    assert.ok(Math.abs((near[0]?.score ?? 0) - 1) < 1e-5);
  });

  it('finds passages that answer to a name and those that point there, most matches first', async () => {
    const named = await store.index.findByName(['name:gull', 'path:docs/gull.md'], { limit: 10 });
    assert.deepEqual(named.map((hit) => [hit.passage.id, hit.score]), [['b', 2], ['d', 1]]);
    const linking = await store.index.findLinkingTo(['path:docs/gull.md', 'name:heron'], { limit: 10 });
    assert.deepEqual(linking.map((hit) => [hit.passage.id, hit.score]), [['c', 2], ['a', 1]]);
    assert.deepEqual((await store.index.findLinkingTo(['path:docs/gull.md'], { limit: 1, filter: { paths: ['docs/deep'] } })).map((hit) => hit.passage.id), ['c']);
    assert.deepEqual(await store.index.findByName(["name:it's"], { limit: 3 }), []);
    assert.deepEqual(await store.index.findByName([], { limit: 3 }), []);
  });

  it('counts how many passages hold a term', async () => {
    assert.deepEqual(await store.index.documentFrequencies(['gull', 'reeds', 'nothing']), { total: 7, frequencies: [2, 2, 0] });
  });

  it('gives passages in the order asked, with vectors, unknown ones left out', async () => {
    const got = await store.index.get(['c', 'nobody', 'a', 'c']);
    assert.deepEqual(got.map((found) => found.id), ['c', 'a', 'c']);
    assert.equal(got[0]?.vector?.length, embedder.dimensions);
  });

  it('ends when aborted', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(store.index.textSearch('gull', { limit: 1, signal }), { name: 'AbortError' });
    await assert.rejects(store.index.findByName(['name:gull'], { limit: 1, signal }), { name: 'AbortError' });
  });

  it('does not compare vectors of another length', async () => {
    assert.deepEqual(await store.index.vectorSearch(new Float32Array(3), { limit: 3 }), []);
  });
});
