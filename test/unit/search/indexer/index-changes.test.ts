import assert from 'node:assert/strict';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { createPassageSource, type FolderPassageSource } from '../../../../src/search/reading/create-passage-source.ts';
import { openStore } from '../../../../src/search/store/index-store.ts';
import { nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { FileLedger } from '../../../../src/search/indexer/file-ledger.ts';
import { caseBlindDisk } from '../../../doubles/case-blind-disk.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { ManualTimers } from '../../../doubles/manual-clock.ts';
import { IndexHarness } from './index-harness.ts';
import { until } from '../../../doubles/waiting.ts';

const notes = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`area/note-${i}.md`, `# Note ${i}\n\nText about harbour ${i}.\n`]),
  );

describe('changes of files', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  let service: LocalIndexService;
  beforeEach(async () => {
    harness = await IndexHarness.create(notes(30));
  });
  afterEach(() => harness.close());

  const found = async (word: string): Promise<string[]> =>
    [...new Set((await service.index.textSearch(word, { limit: 50 })).map((hit) => hit.passage.path))].sort();
  const skipped = async (name: string): Promise<string | undefined> =>
    (await service.report()).skipped.find((file) => file.path === name)?.reason;

  /** A service whose reading is watched: `beforeRead` runs before the n-th file (from 1) is read. */
  function watched(
    beforeRead: (n: number) => Promise<void>,
    changes: Parameters<IndexHarness['service']>[1] = {},
  ): LocalIndexService {
    let n = 0;
    return harness.service(new HashEmbedder(), {
      createSource: (config, embedder): FolderPassageSource => {
        const source = createPassageSource(config, {
          countTokens: (text) => embedder.countTokens(text),
          wasmDir: path.resolve('.'),
          gitHome: { home: harness.base },
        });
        return {
          ...source,
          read: async (file, signal) => {
            await beforeRead(++n);
            return source.read(file, signal);
          },
        };
      },
      ...changes,
    });
  }

  it('is found after a rebuild that failed halfway, once what kept that from going on is over', async () => {
    const embedder = new HashEmbedder();
    service = await harness.updated(embedder);
    await harness.write({ 'new.md': '# New\n\nA jetty.\n' });
    embedder.beforePassage = () => {
      throw new Error('no network');
    };
    await assert.rejects(service.update({ rebuild: true }), /no network/);
    embedder.beforePassage = () => undefined;
    await harness.write({ 'area/note-3.md': '# Note 3\n\nA lighthouse.\n' });
    await service.filesChanged([harness.uri('area/note-3.md')]);
    await until(async () => (await found('lighthouse')).length > 0, 'it is found');
    assert.deepEqual(await found('lighthouse'), ['area/note-3.md']);
    assert.deepEqual(await found('jetty'), ['new.md']);
    await until(async () => (await service.state()).phase === 'ready', 'it is done');
  });

  it('leave the count of the files of an update as it is', async () => {
    const totals = new Set<number>();
    service = watched(async (n) => {
      if (n === 10) await service.filesChanged([harness.uri('area/note-1.md')]);
      if (n > 5) totals.add((await service.state()).filesTotal);
    });
    await service.open(harness.config());
    await service.update({ hints: { openUris: [harness.uri('area/note-2.md')] } });
    assert.deepEqual([...totals], [29]);
  });

  it('knows a file by its new name alone when only its capitals have changed', async () => {
    service = harness.service(undefined, { files: caseBlindDisk });
    await harness.write({ 'deep/inner/lamp.md': '# Lamp\n\nA lantern.\n', 'lamp.md': '# Lamp\n\nA lantern.\n' });
    await service.open(harness.config());
    await service.update({});
    await rename(harness.path('lamp.md'), harness.path('Lamp.md'));
    await rename(harness.path('deep'), harness.path('Deep'));
    await service.filesChanged([harness.uri('lamp.md'), harness.uri('Lamp.md')]);
    await service.filesChanged([harness.uri('deep'), harness.uri('Deep')]);
    assert.deepEqual(await found('lantern'), ['Deep/inner/lamp.md', 'Lamp.md']);
  });

  it('keeps a file that was made and told of while an update ran', async () => {
    service = watched(async (n) => {
      if (n !== 20) return;
      await harness.write({ 'born.md': '# Born\n\nA lighthouse.\n' });
      await service.filesChanged([harness.uri('born.md')]);
    });
    await service.open(harness.config());
    await service.update({});
    assert.deepEqual(await found('lighthouse'), ['born.md']);
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('keeps a known file that went before the walk and came back while the update ran', async () => {
    let again = false;
    service = watched(async () => {
      if (!again) return;
      again = false;
      await harness.write({ 'area/note-3.md': '# Note 3\n\nA windmill.\n' });
      await service.filesChanged([harness.uri('area/note-3.md')]);
    });
    await service.open(harness.config());
    await service.update({});
    await rm(harness.path('area/note-3.md'));
    await harness.write({ 'other.md': '# Other\n' });
    again = true;
    await service.update({});
    assert.deepEqual(await found('windmill'), ['area/note-3.md']);
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('takes out what a changed ignore file leaves out, and brings it back when that file goes', async () => {
    service = harness.service();
    await harness.write({
      'private/pay.md': '# Pay\n\nThe salaries.\n',
      'private/deep/more.md': '# More\n\nMore salaries.\n',
      'open.md': '# Open\n',
    });
    await service.open(harness.config({ useGitignore: true }));
    await service.update({});
    assert.deepEqual(await found('salaries'), ['private/deep/more.md', 'private/pay.md']);
    for (const name of ['.gitignore', '.hoptrailignore']) {
      await harness.write({ [name]: 'private/\n' });
      await service.filesChanged([harness.uri(name)]);
      assert.deepEqual(await found('salaries'), [], name);
      assert.equal(await skipped('private'), 'ignored', name);
      await rm(harness.path(name));
      await service.filesChanged([harness.uri(name)]);
      assert.deepEqual(await found('salaries'), ['private/deep/more.md', 'private/pay.md'], `without ${name}`);
      assert.equal(await skipped('private'), undefined, `without ${name}`);
    }
    await harness.write({ 'private/.hoptrailignore': 'deep\n' });
    await service.filesChanged([harness.uri('private/.hoptrailignore')]);
    assert.deepEqual(await found('salaries'), ['private/pay.md']);
  });

  it('reads nothing more of a folder that an ignore file leaves out while an update runs', async () => {
    const embedder = new HashEmbedder();
    service = watched(
      async (n) => {
        if (n !== 10) return;
        await harness.write({ '.hoptrailignore': 'area/\n' });
        await service.filesChanged([harness.uri('.hoptrailignore')]);
      },
      { openEmbedder: () => Promise.resolve(embedder) },
    );
    await harness.write({ 'open.md': '# Open\n\nA harbour for all.\n' });
    await service.open(harness.config());
    await service.update({});
    assert.deepEqual(await found('harbour'), ['open.md']);
    assert.equal(embedder.embedded.filter((text) => text.startsWith('note-')).length, 0);
  });

  it('notes what is left out of a new folder, and forgets it when the folder goes', async () => {
    service = await harness.updated();
    await harness.write({ 'new/a.md': '# A\n', 'new/logo.png': 'x', 'new/empty.md': '' });
    await service.filesChanged([harness.uri('new')]);
    assert.deepEqual([await skipped('new/logo.png'), await skipped('new/empty.md')], ['binary', 'empty']);
    await rm(harness.path('new/logo.png'));
    await service.filesChanged([harness.uri('new/logo.png')]);
    assert.deepEqual([await skipped('new/logo.png'), await skipped('new/empty.md')], [undefined, 'empty']);
    await rm(harness.path('new'), { recursive: true });
    await service.filesChanged([harness.uri('new')]);
    assert.equal(await skipped('new/empty.md'), undefined);
  });

  it('reads a file that is said to have changed although its time and size are as before, and writes nothing when its bytes are too', async () => {
    let commits = 0;
    service = harness.service(new HashEmbedder(), {
      openStore: async (generation, options) => {
        const store = await openStore(generation, options);
        const put = store?.files.put.bind(store.files);
        if (store && put)
          store.files.put = (records) => {
            commits += records.length;
            return put(records);
          };
        return store;
      },
    });
    const at = new Date(1_700_000_000_000);
    await harness.write({ 'a.md': '# A\n\nA mill.\n' });
    await utimes(harness.path('a.md'), at, at);
    await service.open(harness.config());
    await service.update({});
    await harness.write({ 'a.md': '# A\n\nA quay.\n' });
    await utimes(harness.path('a.md'), at, at);
    await service.filesChanged([harness.uri('a.md')]);
    assert.deepEqual(await found('quay'), ['a.md']);
    commits = 0;
    await service.filesChanged([harness.uri('a.md')]);
    assert.equal(commits, 0);
  });

  it('passes over what the index knows once for all changed paths, and not at all when they are files that it knows', async () => {
    service = await harness.updated();
    let passes = 0;
    const { uris } = FileLedger.prototype;
    FileLedger.prototype.uris = function counted(this: FileLedger) {
      passes += 1;
      return uris.call(this);
    };
    try {
      await harness.write(
        Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`new/note-${i}.md`, `# New ${i}\n`])),
      );
      await service.filesChanged(Array.from({ length: 100 }, (_, i) => harness.uri(`new/note-${i}.md`)));
      assert.equal(passes, 1);
      await service.filesChanged(Array.from({ length: 100 }, (_, i) => harness.uri(`new/note-${i}.md`)));
      assert.equal(passes, 1);
    } finally {
      FileLedger.prototype.uris = uris;
    }
    await rename(harness.path('new'), harness.path('old'));
    await service.filesChanged([harness.uri('new'), harness.uri('old')]);
    assert.deepEqual(
      (await service.report()).files
        .map((file) => file.path)
        .filter((name) => !name.startsWith('area/'))
        .filter((name) => !name.startsWith('old/')),
      [],
    );
    assert.equal((await service.report()).files.length, 130);
  });

  describe('that could not be written', () => {
    let full = false;
    beforeEach(() => {
      full = false;
      service = harness.service(new HashEmbedder(), {
        openStore: async (generation, options) => {
          const store = await openStore(generation, options);
          const table = store?.passages.table;
          if (table) {
            const merge = table.mergeInsert.bind(table);
            table.mergeInsert = (on) => {
              if (full) throw new Error('lance error: No space left on device (os error 28)');
              return merge(on);
            };
          }
          return store;
        },
      });
    });

    it('are tried again with the next change, and their error goes when it goes well', async () => {
      await service.open(harness.config());
      await service.update({});
      full = true;
      await harness.write({ 'area/note-1.md': '# Note 1\n\nA drawbridge.\n' });
      await assert.rejects(service.filesChanged([harness.uri('area/note-1.md')]), { code: 'disk-full' });
      const { phase, error } = await service.state();
      assert.deepEqual([phase, error?.code], ['failed', 'disk-full']);
      full = false;
      await harness.write({ 'area/note-2.md': '# Note 2\n\nA windmill.\n' });
      await service.filesChanged([harness.uri('area/note-2.md')]);
      assert.deepEqual([await found('drawbridge'), await found('windmill')], [['area/note-1.md'], ['area/note-2.md']]);
      await until(async () => (await service.state()).phase === 'ready', 'it is done');
      assert.equal((await service.state()).error, undefined);
      await service.update({});
      assert.deepEqual(await harness.dump(), await harness.freshDump());
    });

    it('are tried again after a while when nothing else happens', async () => {
      const clock = new ManualTimers();
      let refuse = false;
      service = watched(
        async () => {
          if (refuse) throw new Error('the disk is tired');
        },
        { clock },
      );
      await service.open(harness.config());
      await service.update({});
      refuse = true;
      await harness.write({ 'area/note-1.md': '# Note 1\n\nA drawbridge.\n' });
      await assert.rejects(service.filesChanged([harness.uri('area/note-1.md')]), /tired/);
      refuse = false;
      const states: (string | undefined)[] = [];
      const ready = new Promise<void>((resolve) => {
        service.onState((state) => {
          states.push(state.error?.message);
          if (state.phase === 'ready') resolve();
        });
      });
      assert.equal(clock.running(30_000), 1);
      clock.runOut(30_000);
      await ready;
      assert.deepEqual(await found('drawbridge'), ['area/note-1.md']);
      assert.equal(states.at(-1), undefined);
    });
  });
});

describe('folders that cannot be read', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  beforeEach(async () => {
    harness = await IndexHarness.create(notes(5));
  });
  afterEach(() => harness.close());

  it('keep what is known of a workspace folder that is not there, and say so', async () => {
    const embedder = new HashEmbedder();
    const service = await harness.updated(embedder);
    const before = await harness.dump();
    await rename(harness.workspace, `${harness.workspace}-unmounted`);
    await assert.rejects(service.update({}), (error: Error & { code?: string; advice?: string }) => {
      assert.equal(error.code, 'root-unreadable');
      assert.match(error.message, /workspace cannot be read/);
      assert.match(error.advice ?? '', /update the index/);
      return true;
    });
    await assert.rejects(service.filesChanged([harness.uri('area'), harness.uri('area/note-1.md')]), {
      code: 'root-unreadable',
    });
    const { phase, error } = await service.state();
    assert.deepEqual([phase, error?.code], ['failed', 'root-unreadable']);
    assert.deepEqual(
      (await service.report()).skipped.map((file) => file.reason),
      ['unreadable'],
    );
    await rename(`${harness.workspace}-unmounted`, harness.workspace);
    await service.update({});
    assert.equal((await service.state()).error, undefined);
    await service.close();
    assert.deepEqual(await harness.dump(), before);
    assert.equal(embedder.embedded.length, 5);
  });

  it('do not keep other workspace folders from being read, nor one that was taken out of the workspace from going', async () => {
    const second = path.join(harness.base, 'second');
    await mkdir(second);
    await writeFile(path.join(second, 'b.md'), '# B\n\nA ferry.\n');
    const roots = [
      ...harness.config().roots,
      { uri: harness.config().roots[0]?.uri.replace(/workspace$/, 'second') ?? '', name: 'second' },
    ];
    const service = harness.service();
    await service.open(harness.config({ roots }));
    await service.update({});
    await rename(second, `${second}-gone`);
    await harness.write({ 'new.md': '# New\n\nA lighthouse.\n' });
    await assert.rejects(service.update({}), { code: 'root-unreadable' });
    assert.deepEqual(
      (await service.index.textSearch('lighthouse', { limit: 5 })).map((hit) => hit.passage.path),
      ['workspace/new.md'],
    );
    assert.deepEqual(
      (await service.index.textSearch('ferry', { limit: 5 })).map((hit) => hit.passage.path),
      ['second/b.md'],
    );
    await service.open(harness.config());
    await service.update({});
    assert.deepEqual(await service.index.textSearch('ferry', { limit: 5 }), []);
  });

  it('keep what is known below a folder that may not be listed, and of a file that may not be looked at', async () => {
    await harness.write({
      'locked/deep/a.md': '# A\n\nA ferry.\n',
      'tired.md': '# Tired\n\nA windmill.\n',
      'gone/b.md': '# B\n\nA quay.\n',
    });
    let failing = false;
    const fail = (code: string): never => {
      throw Object.assign(new Error(code), { code });
    };
    const service = await harness.updated(new HashEmbedder(), {
      files: {
        ...nodeFileSystem,
        list: (folder) => (failing && folder.endsWith('locked') ? fail('EACCES') : nodeFileSystem.list(folder)),
        stat: (file) => (failing && file.endsWith('tired.md') ? fail('EIO') : nodeFileSystem.stat(file)),
      },
    });
    failing = true;
    await rm(harness.path('gone'), { recursive: true });
    const report = await service.update({});
    await service.filesChanged([harness.uri('locked'), harness.uri('tired.md')]);
    const paths = async (word: string): Promise<string[]> =>
      (await service.index.textSearch(word, { limit: 5 })).map((hit) => hit.passage.path);
    assert.deepEqual(
      [await paths('ferry'), await paths('windmill'), await paths('quay')],
      [['locked/deep/a.md'], ['tired.md'], []],
    );
    assert.deepEqual(
      report.skipped.map((file) => [file.path, file.reason]),
      [
        ['locked', 'unreadable'],
        ['tired.md', 'unreadable'],
      ],
    );
  });

  it('read a file again that could not be read, although it has not changed', async () => {
    let failing = true;
    const service = harness.service(new HashEmbedder(), {
      files: {
        ...nodeFileSystem,
        read: (file, how) =>
          failing && file.endsWith('note-1.md')
            ? Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' }))
            : nodeFileSystem.read(file, how),
      },
    });
    await service.open(harness.config());
    assert.equal((await service.update({})).files, 4);
    failing = false;
    assert.equal((await service.update({})).files, 5);
  });
});
