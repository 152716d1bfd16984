import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FollowedFiles } from '../../../../src/search/indexer/file-ledger.ts';
import { openStore, type IndexStore } from '../../../../src/search/store/index-store.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { indexRequests } from '../../../../src/search/indexer/index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { describeInEachPlace, type IndexHarness } from './index-harness.ts';
import { until } from '../../../doubles/waiting.ts';

const NOTES = {
  'ferry.md': '# Ferry\n\nThe ferry leaves the harbour. See [[costs]].\n',
  'costs.md': '# Costs\n\nNine thousand a year.\n',
  'hollow.md': '',
  'noise.txt': 'a\0b\0\0\0c\u0001\0',
  'big.md': `# Big\n\n${'word '.repeat(400)}\n`,
};

describeInEachPlace('an index that another process writes', function (create) {
  this.timeout(120_000);
  let harness: IndexHarness;
  beforeEach(async () => {
    harness = await create(NOTES);
  });
  afterEach(() => harness.close());

  const written = async (embedder = new HashEmbedder()) => {
    const writer = harness.service(embedder);
    await writer.open(harness.config({ maxFileBytes: 1_000 }));
    await writer.update({});
    return writer;
  };
  const paths = async (service: LocalIndexService): Promise<string[]> =>
    (await service.report()).files.map(({ path }) => path);

  describe('in a second window', () => {
    it('has a list of files, and says that more may have been left out than it knows', async () => {
      const writer = await written();
      const reader = harness.service();
      assert.equal((await reader.open(harness.config())).phase, 'read-only');
      const [its, ours] = [await writer.report(), await reader.report()];
      assert.deepEqual(
        its.files.map(({ path, language, passages }) => [path, language, passages]),
        [
          ['costs.md', 'markdown', 1],
          ['ferry.md', 'markdown', 1],
        ],
      );
      assert.deepEqual(ours.files, its.files);
      assert.deepEqual(
        its.skipped.map(({ path, reason }) => [path, reason]),
        [
          ['big.md', 'too-large'],
          ['hollow.md', 'empty'],
          ['noise.txt', 'binary'],
        ],
      );
      assert.equal(its.skippedKnown, undefined, 'the writer knows all that was left out');
      assert.deepEqual(ours.skipped, its.skipped.slice(2), 'what was never read is not in the index');
      assert.equal(ours.skippedKnown, false);
      for (const { path, passages } of ours.files) assert.equal((await reader.passagesOf(path)).length, passages);
      const report = await reader.update({});
      assert.deepEqual(
        { files: report.files, embedded: report.embedded, known: report.skippedKnown },
        { files: 2, embedded: 0, known: false },
      );
    });

    it('keeps the list in step with what the writer does', async () => {
      const writer = await written();
      const reader = harness.service();
      await reader.open(harness.config());
      assert.deepEqual(await paths(reader), ['costs.md', 'ferry.md']);
      await harness.write({ 'quay.md': '# Quay\n\nOf stone.\n' });
      await writer.filesChanged([harness.uri('quay.md')]);
      assert.deepEqual(await paths(reader), ['costs.md', 'ferry.md', 'quay.md']);
      await harness.write({ 'pier.md': '# Pier\n\nOf wood.\n' });
      await writer.update({ rebuild: true });
      await until(async () => (await paths(reader)).includes('pier.md'), 'the reader lists the files of the new build');
      assert.equal((await reader.state()).phase, 'read-only');
    });

    it('knows what was left out once it has taken over', async () => {
      const writer = await written();
      const reader = harness.service();
      await reader.open(harness.config({ maxFileBytes: 1_000 }));
      await writer.close();
      await until(async () => (await reader.state()).phase !== 'read-only', 'it takes over');
      await reader.update({});
      const report = await reader.report();
      assert.deepEqual(
        [report.skippedKnown, report.skipped.map(({ path }) => path)],
        [undefined, ['big.md', 'hollow.md', 'noise.txt']],
      );
    });

    it('refuses to rebuild, and stays a reader', async () => {
      await written();
      const before = await harness.layout().list();
      const reader = harness.service();
      await reader.open(harness.config());
      await assert.rejects(reader.update({ rebuild: true }), { code: 'index-not-writable' });
      const { phase, error } = await reader.state();
      assert.deepEqual([phase, error], ['read-only', undefined]);
      assert.deepEqual(await harness.layout().list(), before);
      assert.equal((await reader.update({})).files, 2, 'an update still reports what there is');
    });
  });

  it('is not said to have left nothing out before the folders were walked', async () => {
    const service = harness.service();
    await service.open(harness.config({ maxFileBytes: 1_000 }));
    assert.equal((await service.report()).skippedKnown, false);
    await service.update({});
    assert.equal((await service.report()).skippedKnown, undefined);
  });

  it('is not read again for its list of files until that has changed', async () => {
    const writer = await written();
    const layout = harness.layout();
    const store = await openStore(await layout.open((await layout.current()) ?? '', { following: true }), {
      dimensions: 16,
      writable: false,
      now: () => Date.now(),
    });
    assert.ok(store);
    let followed: IndexStore | undefined = store;
    const files = new FollowedFiles(() => followed);
    const first = await files.all();
    assert.equal(await files.all(), first, 'the very same list');
    await harness.write({ 'quay.md': '# Quay\n\nOf stone.\n' });
    await writer.filesChanged([harness.uri('quay.md')]);
    assert.equal((await files.all()).length, first.length + 1);
    store.close();
    await assert.rejects(files.all(), 'a store that cannot be read is not an empty one');
    followed = undefined;
    assert.deepEqual(await files.all(), []);
  });

  describe('and that is only followed', () => {
    it('is never written, whoever goes', async () => {
      const writer = await written();
      const follower = harness.service();
      const { phase, notices, bytes } = await follower.open(harness.config({ follow: true }));
      assert.equal(phase, 'read-only');
      assert.equal(
        bytes,
        await harness.layout().bytes(),
        'it says at once how large the index is, where that is known',
      );
      assert.deepEqual(notices, [{ code: 'only-followed', details: {} }]);
      await writer.close();
      const before = await harness.dump();
      assert.equal(await harness.layout().lease().holder(), undefined, 'nobody holds the lease');
      await harness.write({ 'secret.md': '# Secret\n\nA lighthouse.\n' });
      // Longer than a waiting window would need.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await follower.filesChanged([harness.uri('secret.md')]);
      const report = await follower.update({});
      assert.deepEqual({ files: report.files, embedded: report.embedded }, { files: 2, embedded: 0 });
      await assert.rejects(follower.update({ rebuild: true }), { code: 'index-not-writable', message: /followed/ });
      await assert.rejects(follower.importPassages([]), { code: 'index-not-writable' });
      assert.equal((await follower.state()).phase, 'read-only');
      assert.equal(await harness.layout().lease().holder(), undefined);
      assert.deepEqual(await harness.dump(), before);
      assert.deepEqual(await follower.index.textSearch('lighthouse', { limit: 3 }), []);
      assert.equal((await follower.index.textSearch('harbour', { limit: 3 }))[0]?.passage.path, 'ferry.md');
      const next = harness.service();
      assert.equal((await next.open(harness.config())).phase, 'ready', "it stands in no writer's way");
      await next.update({});
      assert.equal(
        (await follower.index.textSearch('lighthouse', { limit: 3 }))[0]?.passage.path,
        'secret.md',
        'and follows that one',
      );
    });

    it('waits for an index that is not there yet, and makes none', async () => {
      const follower = harness.service();
      const state = await follower.open(harness.config({ follow: true }));
      assert.deepEqual([state.missing, state.bytes], [true, undefined]);
      assert.equal((await follower.update({})).files, 0);
      assert.deepEqual(await harness.layout().list(), []);
      assert.ok(!existsSync(harness.indexFolder()));
      await written();
      await until(
        async () => (await follower.index.textSearch('harbour', { limit: 1 })).length === 1,
        'it has found the index',
      );
      await until(async () => (await follower.state()).missing === undefined, 'it says so');
      assert.deepEqual(await paths(follower), ['costs.md', 'ferry.md']);
    });

    it('is searched by meaning with its own embedding model alone, and by words with any', async () => {
      const writer = await written(new HashEmbedder('hash/1', 16));
      await writer.close();
      const layout = harness.layout();
      const builds = await layout.list();
      const [same, other] = [new HashEmbedder('hash/1', 16), new HashEmbedder('hash/2', 16)];
      const [matching, differing] = [harness.service(same), harness.service(other)];
      await matching.open(harness.config({ follow: true }));
      await differing.open(harness.config({ follow: true, embedder: { kind: 'folder', path: '/other' } }));
      assert.equal((await matching.index.vectorSearch(same.vectorOf('harbour'), { limit: 2 })).length, 2);
      await assert.rejects(differing.index.vectorSearch(other.vectorOf('harbour'), { limit: 2 }), {
        code: 'index-other-embedder',
        message: /another embedding model than hash\/2/,
      });
      assert.equal((await differing.index.textSearch('harbour', { limit: 2 }))[0]?.passage.path, 'ferry.md');
      await differing.update({});
      assert.deepEqual([await layout.list(), await layout.current()], [builds, builds[0]]);
    });

    it('is asked for across the process boundary', () => {
      const [config] = indexRequests.open.args.parse([harness.config({ follow: true })]);
      assert.equal(config.follow, true);
    });
  });
});
