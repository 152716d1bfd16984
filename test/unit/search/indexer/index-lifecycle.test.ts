import assert from 'node:assert/strict';
import { readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { IndexState } from '../../../../src/search/domain/index-state.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { createIndexLayout } from '../../../../src/search/store/index-layout.ts';
import { type IndexStore, openStore } from '../../../../src/search/store/index-store.ts';
import { unindexedTexts } from '../../../../src/search/store/table-upkeep.ts';
import { storageError } from '../../../../src/search/store/storage-errors.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { ManualTimers } from '../../../doubles/manual-clock.ts';
import { IndexHarness } from './index-harness.ts';
import { until } from '../../../doubles/waiting.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

/** After so long without work the tables are tidied. */
const QUIET_MS = 300_000;

const files = (count: number, extra = ''): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`note-${i}.md`, `# Note ${i}\n\nText about harbour ${i}. ${extra}\n`]),
  );

/** The data files of the passages that answer, those of earlier versions among them. */
async function dataFiles(indexFolder: string): Promise<string[]> {
  const name = await createIndexLayout(indexFolder).current();
  const folder = path.join(indexFolder, name ?? '', 'passages.lance', 'data');
  return (await readdir(folder)).map((file) => path.join(folder, file));
}

describe('index lifecycle', function () {
  this.timeout(120_000);
  let harness: IndexHarness;
  beforeEach(async () => {
    harness = await IndexHarness.create(files(30));
  });
  afterEach(() => harness.close());

  it('is searched by words while vectors are still being made, and says how much there is', async () => {
    const embedder = new HashEmbedder();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    embedder.beforePassage = () => (embedder.embedded.length >= 5 ? held : undefined);
    const service = harness.service(embedder);
    await service.open(harness.config());
    const update = service.update({});
    await until(() => embedder.embedded.length >= 5, 'embedding has begun');
    const hits = await service.index.textSearch('harbour 17', { limit: 30 });
    assert.ok(hits.some((hit) => hit.passage.path === 'note-17.md'));
    const { coverage, phase } = await service.state();
    assert.equal(phase, 'embedding');
    assert.deepEqual({ passages: coverage.passages, indexing: coverage.indexing }, { passages: 30, indexing: true });
    assert.ok(coverage.embedded < 30);
    letGo();
    await update;
    assert.equal((await service.index.coverage()).embedded, 30);
  });

  it('pauses, resumes, and can be cancelled without losing what was done', async () => {
    const embedder = new HashEmbedder();
    const service = harness.service(embedder);
    const phases: string[] = [];
    service.onState((state) => phases.push(state.phase));
    await service.open(harness.config());
    embedder.beforePassage = async () => {
      if (embedder.embedded.length === 3) await service.pause();
    };
    const update = service.update({});
    await until(() => embedder.embedded.length >= 3, 'some passages are embedded');
    await until(async () => (await service.state()).phase === 'paused', 'it pauses');
    const atPause = embedder.embedded.length;
    assert.ok((await service.index.textSearch('harbour', { limit: 5 })).length > 0);
    await service.resume();
    await update;
    assert.ok(embedder.embedded.length >= atPause && phases.includes('paused'));

    await harness.write(files(60, 'Changed.'));
    const cancel = new AbortController();
    embedder.beforePassage = () => {
      if (embedder.embedded.length === 70) cancel.abort();
    };
    await assert.rejects(service.update({}, cancel.signal), { name: 'AbortError' });
    embedder.beforePassage = () => undefined;
    await service.update({});
    assert.equal((await service.state()).coverage.embedded, 60);
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('says that it is paused, whatever comes to be worked on, and then what is worked on', async () => {
    const service = await harness.updated();
    const phase = async (): Promise<string> => (await service.state()).phase;
    await service.pause();
    await harness.write({ 'note-1.md': '# Note\n\nA lighthouse.\n' });
    await service.filesChanged([harness.uri('note-1.md')]);
    const phases = new Set<string>();
    const stop = service.onState((state) => phases.add(state.phase));
    await harness.write(files(60, 'Changed.'));
    const update = service.update({});
    await until(async () => (await service.state()).coverage.indexing, 'it would read');
    assert.equal(await phase(), 'paused');
    assert.deepEqual([...phases], ['paused']);
    stop();
    await service.resume();
    await update;
    assert.equal(await phase(), 'ready');
  });

  it('is closed without reading all files that have just changed', async () => {
    const service = await harness.updated();
    const changed = files(150, 'Changed. '.repeat(100));
    await harness.write(changed);
    const changing = assert.rejects(service.filesChanged(Object.keys(changed).map((name) => harness.uri(name))), {
      name: 'AbortError',
    });
    await until(async () => {
      const { filesDone, filesTotal } = await service.state();
      return filesTotal === 150 && filesDone > 0;
    }, 'some are read');
    await service.close();
    await changing;
    assert.equal((await service.state()).error, undefined);
    await harness.updated();
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it("builds another embedder's index beside the old one, which answers by words until it is ready", async () => {
    const first = await harness.updated(new HashEmbedder('hash/1', 16));
    await first.close();
    const embedder = new HashEmbedder('hash/2', 16);
    const second = harness.service(embedder);
    const state = await second.open(harness.config({ embedder: { kind: 'folder', path: '/other' } }));
    assert.deepEqual(state.notices, [{ code: 'growing-beside', details: {} }]);
    assert.equal(state.embedderId, 'hash/2');
    let asked = false;
    embedder.beforePassage = async () => {
      if (asked) return;
      asked = true;
      assert.ok((await second.index.textSearch('harbour 3', { limit: 3 })).length > 0, 'the old one answers');
      assert.deepEqual(
        await second.index.vectorSearch(embedder.vectorOf('harbour'), { limit: 3 }),
        [],
        'but not with vectors of another model',
      );
    };
    const report = await second.update({});
    assert.ok(asked);
    assert.equal(report.embedded, 30);
    assert.equal((await second.index.vectorSearch(embedder.vectorOf('harbour'), { limit: 3 })).length, 3);
    assert.equal((await createIndexLayout(harness.indexFolder()).list()).length, 1, 'the old one is gone');
    assert.deepEqual((await second.state()).notices, []);
  });

  it('rebuilds an index of another schema beside it', async () => {
    const first = await harness.updated();
    await first.close();
    const layout = createIndexLayout(harness.indexFolder());
    const name = (await layout.current()) ?? '';
    const old = name.replace(/^v\d+/, 'v0');
    const written = await openStore(await layout.open(name, { following: false }), {
      dimensions: 16,
      writable: true,
      now: () => 1,
    });
    await written?.passages.table.update({ values: { checksum: '1' } }); // over other columns than today's
    written?.close();
    await rename(path.join(harness.indexFolder(), name), path.join(harness.indexFolder(), old));
    await layout.setCurrent(old);
    const embedder = new HashEmbedder();
    const second = harness.service(embedder);
    assert.equal((await second.open(harness.config())).notices[0]?.code, 'growing-beside');
    assert.ok((await second.index.textSearch('harbour 3', { limit: 3 })).length > 0, 'the old one answers');
    await second.update({});
    assert.deepEqual([await layout.list(), embedder.embedded], [[name], []], 'and gives its vectors');
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('does not grow over 25 rebuilds, and rebuilds without embedding', async () => {
    const embedder = new HashEmbedder();
    const service = await harness.updated(embedder);
    const layout = createIndexLayout(harness.indexFolder());
    const before = (await layout.bytes()) ?? 0;
    const expected = await harness.dump();
    for (let i = 0; i < 25; i++) await service.update({ rebuild: true });
    assert.equal(embedder.embedded.length, 30);
    assert.deepEqual(await harness.dump(), expected);
    const after = (await layout.bytes()) ?? 0;
    assert.ok(after < before * 1.5 + 25_000, `${before} bytes became ${after}`);
  });

  it('does not grow without end over many rounds of edits', async () => {
    const ROUNDS = 60; // longer than the time from one tidying up to the next
    const service = await harness.updated(new HashEmbedder(), { wallClock: () => Date.now() + 60_000 });
    const layout = createIndexLayout(harness.indexFolder());
    const sizes: number[] = [];
    for (let i = 0; i < 2 * ROUNDS; i++) {
      await harness.write(files(10, `Round ${i % 3}, edited.`));
      await service.update({});
      sizes.push((await layout.bytes()) ?? 0);
    }
    const early = Math.max(...sizes.slice(0, ROUNDS));
    const late = Math.max(...sizes.slice(ROUNDS));
    assert.ok(late < early * 1.25, `the largest size was ${early} bytes at first and ${late} later`);
  });

  it('merges what was written once nobody works', async () => {
    const clock = new ManualTimers();
    let store: IndexStore | undefined;
    const service = await harness.updated(new HashEmbedder(), {
      clock,
      idleMs: undefined,
      openStore: async (...given) => (store = await openStore(...given)),
    });
    assert.ok(store);
    const { table } = store.passages;
    const outside = async (): Promise<number> => (await unindexedTexts(table)).unindexed;
    const before = await outside();
    const longPart = (i: number): string => `## Part ${i}\n\n${`Stone ${i} is laid beside the quay. `.repeat(20)}\n`;
    const sections = Array.from({ length: 600 }, (_, i) => longPart(i));
    await harness.write({ 'quays.md': `${sections.join('\n')}\n## Last\n\nA lighthouse.\n` });
    await service.filesChanged([harness.uri('quays.md')]);
    await until(() => clock.running(QUIET_MS) === 1, 'vectors are made and nobody works');
    const found = async (): Promise<string | undefined> =>
      (await service.index.textSearch('lighthouse', { limit: 1 }))[0]?.passage.path;
    assert.equal(await found(), 'quays.md', 'found before it is merged');
    assert.ok((await outside()) > before + 500);

    clock.runOut(QUIET_MS);
    await until(async () => (await outside()) === 0, 'all of it is in the index');
    assert.equal(await found(), 'quays.md');
    assert.deepEqual(await harness.dump(), await harness.freshDump());
    assert.equal((await service.state()).coverage.embedded, (await service.state()).coverage.passages);
  });

  it('takes imported passages as its whole content, and finds their vectors again', async () => {
    const embedder = new HashEmbedder();
    const service = harness.service(embedder);
    await service.open(harness.config());
    const passage = (id: string, text: string): Passage =>
      notePassage(id, `Title ${id}`, text, { uri: `set:${id}`, path: `set/${id}`, contentHash: 'x' });
    const one = [passage('a', 'the heron stands'), passage('b', 'the gull flies'), passage('c', "it's quoted")];
    const report = await service.importPassages(one);
    assert.deepEqual({ passages: report.passages, embedded: report.embedded }, { passages: 3, embedded: 3 });
    assert.equal((await service.importPassages(one)).embedded, 0);
    const two = [passage('b', 'the gull flies'), passage('d', 'a tern dives'), { ...passage('c', 'changed') }];
    assert.equal((await service.importPassages(two)).embedded, 2);
    assert.deepEqual(
      (await service.index.get(['d', 'a', 'b', 'c'])).map((found) => [found.id, found.text]),
      [
        ['d', 'a tern dives'],
        ['b', 'the gull flies'],
        ['c', 'changed'],
      ],
    );
    assert.equal(
      (await service.importPassages(one)).embedded,
      0,
      'vectors of passages that are gone are kept for a while',
    );
    const only = await service.index.vectorSearch(embedder.vectorOf('gull'), { limit: 5, filter: { ids: ['a', 'c'] } });
    assert.deepEqual(only.map((hit) => hit.passage.id).sort(), ['a', 'c']);
    await service.update({});
    assert.deepEqual(await harness.dump(), await harness.freshDump(), 'files take the place of imported passages');
  });

  it('tells of a full disk, keeps what it has, and goes on when there is room', async () => {
    let full = false;
    const service = await harness.updated(new HashEmbedder(), {
      openStore: async (generation, options) => {
        const store = await openStore(generation, options);
        const table = store?.passages.table;
        if (table) {
          const add = table.add.bind(table);
          table.add = (...args) =>
            full
              ? Promise.reject(
                  new Error(
                    'lance error: LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)',
                  ),
                )
              : add(...args);
        }
        return store;
      },
    });
    full = true;
    await harness.write({ 'more.md': '# More\n\nAnother quay.\n' });
    await assert.rejects(service.update({}), { code: 'disk-full' });
    const state = await service.state();
    assert.deepEqual([state.phase, state.error?.code], ['failed', 'disk-full']);
    assert.ok((await service.index.textSearch('harbour', { limit: 3 })).length > 0);
    full = false;
    await service.update({});
    assert.equal((await service.state()).error, undefined);
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('tells of a place that cannot be written to', async () => {
    const service = harness.service();
    const place =
      process.platform === 'win32'
        ? 'C:\\Windows\\System32\\config\\hoptrail'
        : process.platform === 'darwin'
          ? '/System/hoptrail'
          : '/sys/hoptrail';
    await assert.rejects(service.open(harness.config({ indexUri: place })), { code: 'storage-read-only' });
    const { phase, error } = await service.state();
    assert.deepEqual([phase, error?.code], ['failed', 'storage-read-only']);
  });

  describe('damage', () => {
    const built = async (): Promise<unknown[]> => {
      const service = await harness.updated();
      await service.close();
      return harness.dump();
    };
    const assertRebuilt = async (expected: unknown[]): Promise<void> => {
      const service = harness.service();
      const states: IndexState[] = [];
      service.onState((state) => states.push(state));
      await service.open(harness.config());
      await service.update({});
      await until(
        async () =>
          (await service.state()).phase === 'ready' && states.some(({ notices }) => notices[0]?.code === 'damaged'),
        'people are told',
      );
      await service.update({});
      await service.close();
      assert.deepEqual(await harness.dump(), expected);
      assert.ok((await readdir(harness.indexFolder())).includes('damaged'), 'the damaged index is kept aside');
    };

    it('is recognised when a file is cut short', async () => {
      const expected = await built();
      for (const file of await dataFiles(harness.indexFolder())) await truncate(file, 100);
      await assertRebuilt(expected);
    });

    it('costs no inference for what can still be read', async () => {
      const expected = await built();
      const layout = createIndexLayout(harness.indexFolder());
      const indices = path.join(harness.indexFolder(), (await layout.current()) ?? '', 'files.lance', '_versions');
      for (const name of await readdir(indices)) await writeFile(path.join(indices, name), 'nonsense');
      const embedder = new HashEmbedder();
      const service = await harness.updated(embedder);
      await service.close();
      assert.deepEqual(await harness.dump(), expected);
      assert.equal(embedder.embedded.length, 0);
    });

    it('is recognised when bits are flipped', async () => {
      const expected = await built();
      for (const name of await dataFiles(harness.indexFolder())) {
        const bytes = await readFile(name);
        for (let at = 200; at < bytes.length * 0.6; at += 97) bytes[at] = (bytes[at] ?? 0) ^ 0x10;
        await writeFile(name, bytes);
      }
      await assertRebuilt(expected);
    });

    it('is recognised when a manifest is overwritten', async () => {
      const expected = await built();
      const layout = createIndexLayout(harness.indexFolder());
      const versions = path.join(harness.indexFolder(), (await layout.current()) ?? '', 'passages.lance', '_versions');
      for (const name of await readdir(versions)) await writeFile(path.join(versions, name), 'nonsense');
      await assertRebuilt(expected);
    });

    it('does not trouble an index whose pointer is lost', async () => {
      const expected = await built();
      await writeFile(path.join(harness.indexFolder(), 'current.json'), '{');
      const embedder = new HashEmbedder();
      await harness.updated(embedder);
      assert.equal(embedder.embedded.length, 0);
      assert.deepEqual(await harness.dump(), expected);
    });
  });

  describe('a second process', () => {
    it('does not write beside the first, and is told who that is', async () => {
      const first = await harness.updated();
      const second = harness.service();
      await assert.rejects(second.open(harness.config()), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'index-held');
        assert.match(error.message, new RegExp(`held by process ${process.pid} `));
        return true;
      });
      await first.close();
      assert.equal((await second.open(harness.config())).phase, 'ready');
    });

    it('that takes the lease makes the writer step down', async () => {
      const first = await harness.updated();
      await writeFile(
        path.join(harness.indexFolder(), 'writer.lock'),
        JSON.stringify({ token: 'another', pid: process.pid, host: (await import('node:os')).hostname() }),
      );
      await harness.write({ 'new.md': '# New\n' });
      await assert.rejects(first.update({}), { code: 'index-not-writable' });
      assert.equal((await first.state()).phase, 'read-only');
      assert.ok((await first.index.textSearch('harbour', { limit: 3 })).length > 0);
    });
  });

  describe('a disk that is full, or must not be written', () => {
    it('can be searched as it is, says why nothing is written, and is written again when it can be', async () => {
      await (await harness.updated()).close();
      for (const said of [
        'ENOSPC: no space left on device',
        'EDQUOT: quota',
        'EFBIG: file too large',
        'EROFS: read-only',
      ]) {
        let fails = true;
        const own = harness.layout().lease();
        const tryAcquire = (): ReturnType<typeof own.tryAcquire> =>
          fails ? Promise.reject(storageError(new Error(said), 'take its lock')) : own.tryAcquire();
        const service = harness.service(undefined, { writerLease: () => ({ tryAcquire, holder: () => own.holder() }) });
        const { phase, error } = await service.open(harness.config());
        assert.deepEqual(
          [phase, error?.code],
          ['read-only', said.startsWith('EROFS') ? 'storage-read-only' : 'disk-full'],
        );
        assert.equal((await service.index.textSearch('harbour 3', { limit: 1 })).length, 1);
        assert.equal((await service.update({})).passages, 30, 'an update reports what there is');
        await assert.rejects(service.update({ rebuild: true }), { code: error?.code });
        fails = false;
        await service.update({});
        assert.deepEqual([(await service.state()).phase, (await service.state()).error], ['ready', undefined]);
        await service.close();
      }
    });
  });
});
