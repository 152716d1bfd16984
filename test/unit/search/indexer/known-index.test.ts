import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, it } from 'mocha';
import type { IndexConfig } from '../../../../src/search/indexer/index-service.ts';
import { knownIndexAround, knownIndexOf, makeIndexKnown } from '../../../../src/search/indexer/known-index.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const BUNDLED = { version: '1.0.0', embedder: { kind: 'bundled' } } as const;

describe('what a window makes known of its index', () => {
  let base: string;
  let cache: string;
  const at = (name: string): string => join(base, name);
  const config = (...folders: string[]): IndexConfig => ({
    roots: folders.map((name) => ({ uri: pathToFileURL(at(name)).href, name })),
    indexUri: at('index'),
    embedder: { kind: 'bundled' },
    excludeGlobs: ['**/drafts'],
    useGitignore: false,
    maxFileBytes: 1_000,
  });

  beforeEach(() => {
    base = realpathSync(temporaryFolder());
    cache = at('cache');
    for (const name of ['notes', 'code', 'index']) mkdirSync(at(name));
  });

  it('is known for exactly its folders, in whichever order, and by the way that they really lie at', async () => {
    symlinkSync(at('notes'), at('link'));
    await makeIndexKnown(config('link', 'code'), '1.0.0', cache);
    assert.deepEqual(knownIndexOf([at('code'), at('notes')], BUNDLED, cache), config('link', 'code'));
    assert.equal(knownIndexOf([at('notes')], BUNDLED, cache), undefined);
    const [file = ''] = readdirSync(cache);
    assert.equal(statSync(join(cache, file)).mode & 0o077, 0, 'for this user alone');
  });

  it('is what the window that opened it last says, whole at every moment', async () => {
    const windows = Array.from({ length: 20 }, (_, i) =>
      makeIndexKnown({ ...config('notes'), maxFileBytes: i + 1 }, '1.0.0', cache),
    );
    await Promise.all(windows);
    assert.ok(knownIndexOf([at('notes')], BUNDLED, cache));
    await makeIndexKnown({ ...config('notes'), maxFileBytes: 99 }, '1.0.0', cache);
    assert.equal(knownIndexOf([at('notes')], BUNDLED, cache)?.maxFileBytes, 99);
    assert.equal(readdirSync(cache).length, 1);
  });

  it('counts nothing once the index is gone or lies elsewhere, for another version, or where it is damaged', async () => {
    await makeIndexKnown(config('notes'), '1.0.0', cache);
    assert.equal(knownIndexOf([at('notes')], { ...BUNDLED, version: '1.0.1' }, cache), undefined);
    rmSync(at('index'), { recursive: true });
    assert.equal(knownIndexOf([at('notes')], BUNDLED, cache), undefined);
    mkdirSync(at('index'));
    assert.ok(knownIndexOf([at('notes')], BUNDLED, cache));
    const [file = ''] = readdirSync(cache);
    writeFileSync(join(cache, file), readFileSync(join(cache, file), 'utf8').slice(0, 40));
    assert.equal(knownIndexOf([at('notes')], BUNDLED, cache), undefined);
    await makeIndexKnown(config('notes'), '1.0.0', cache);
    await makeIndexKnown({ ...config('notes'), indexUri: 's3://bucket/index' }, '1.0.0', cache);
    assert.deepEqual(readdirSync(cache), []);
  });

  it('is known around each of its folders: what the last window says that has it open with others', async () => {
    symlinkSync(at('notes'), at('link'));
    const around = (name: string): ReturnType<typeof knownIndexAround> => knownIndexAround(at(name), BUNDLED, cache);
    assert.equal(around('notes'), undefined, 'no folder of windows is there yet');
    await makeIndexKnown(config('notes'), '1.0.0', cache);
    assert.equal(around('notes'), undefined, 'one folder alone is no others’');
    await makeIndexKnown(config('link', 'code'), '1.0.0', cache);
    assert.deepEqual(around('notes'), { config: config('link', 'code'), uri: pathToFileURL(at('link')).href });
    assert.deepEqual(around('code')?.uri, pathToFileURL(at('code')).href);
    assert.equal(around('index'), undefined);
    assert.equal(knownIndexAround(at('notes'), { ...BUNDLED, version: '1.0.1' }, cache), undefined);
    for (const file of readdirSync(cache)) utimesSync(join(cache, file), 1, 1);
    mkdirSync(at('third'));
    await makeIndexKnown(config('code', 'third'), '1.0.0', cache);
    assert.deepEqual(around('code')?.config, config('code', 'third'));
    rmSync(at('third'), { recursive: true });
    assert.deepEqual(around('code')?.config, config('link', 'code'), 'of the last window one folder is gone');
  });

  it('is used with its own embedding model, whose key is never written down', async () => {
    const endpoint = { kind: 'endpoint', baseUrl: 'http://gpu-box/v1', model: 'e5' } as const;
    await makeIndexKnown({ ...config('notes'), embedder: endpoint }, '1.0.0', cache);
    const known = (embedder: IndexConfig['embedder'] = { kind: 'bundled' }): IndexConfig['embedder'] | undefined =>
      knownIndexOf([at('notes')], { version: '1.0.0', embedder }, cache)?.embedder;
    assert.deepEqual(known(), endpoint, 'no other is named');
    assert.equal(known({ kind: 'folder', path: '/model' }), undefined);
    const withKey = { ...endpoint, apiKey: 'sk-secret' };
    await makeIndexKnown({ ...config('notes'), embedder: withKey }, '1.0.0', cache);
    assert.equal(known(), undefined, 'it wants a key');
    assert.deepEqual(known(withKey), withKey);
    const [file = ''] = readdirSync(cache);
    assert.doesNotMatch(readFileSync(join(cache, file), 'utf8'), /sk-secret/);
  });
});
