import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, it } from 'mocha';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { describeInEachPlace, type IndexHarness } from './index-harness.ts';

describeInEachPlace('a folder that was full and is empty', function (create) {
  this.timeout(60_000);
  let harness: IndexHarness;
  let service: LocalIndexService;
  const files = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`area/note-${i}.md`, `# Note ${i}\n\nText about harbour ${i}.\n`]),
    );
  const found = async (): Promise<number> => (await service.index.textSearch('harbour', { limit: 50 })).length;

  beforeEach(async () => {
    harness = await create(files(10));
    service = await harness.updated();
  });
  afterEach(() => harness.close());

  /** As an unmounted drive leaves its mount point. */
  const unmount = async (): Promise<void> => {
    await rename(harness.workspace, path.join(harness.base, 'drive'));
    await mkdir(harness.workspace);
  };
  const mount = async (): Promise<void> => {
    await rm(harness.workspace, { recursive: true });
    await rename(path.join(harness.base, 'drive'), harness.workspace);
  };

  it('keeps its index and asks, until it is full again', async () => {
    const before = await harness.dump();
    await unmount();
    await assert.rejects(service.update({}), { code: 'root-emptied', action: 'remove-emptied' });
    const { phase, error } = await service.state();
    assert.deepEqual([phase, error?.code], ['failed', 'root-emptied']);
    assert.match(error?.message ?? '', /workspace holds nothing any more, and the index knows 10 files/);
    assert.equal(await found(), 10);
    assert.deepEqual(await harness.dump(), before);
    await mount();
    await service.update({});
    assert.equal((await service.state()).phase, 'ready');
    assert.deepEqual(await harness.dump(), before);
  });

  it('is emptied by an explicit word, and so is one that is gone', async () => {
    await unmount();
    await service.update({ emptied: true });
    assert.equal(await found(), 0);
    await mount();
    await service.update({});
    assert.equal(await found(), 10);
    await rm(harness.workspace, { recursive: true });
    await assert.rejects(service.update({}), { code: 'root-unreadable' });
    assert.equal(await found(), 10);
    await service.update({ emptied: true });
    assert.equal(await found(), 0);
    assert.equal((await service.state()).phase, 'ready');
  });

  it('is kept when an editor tells of its files one by one, or of a few of them', async () => {
    await unmount();
    await assert.rejects(service.filesChanged([harness.uri('area/note-1.md'), harness.uri('area/note-2.md')]), {
      code: 'root-emptied',
    });
    await assert.rejects(service.filesChanged([harness.uri('area')]), { code: 'root-emptied' });
    assert.equal(await found(), 10);
    assert.equal((await service.state()).error?.code, 'root-emptied');
    await mount();
    await service.update({});
    assert.deepEqual([(await service.state()).error, await found()], [undefined, 10]);
  });

  it('is kept when the index is rebuilt, or made anew for another model', async () => {
    await unmount();
    await assert.rejects(service.update({ rebuild: true }), { code: 'root-emptied' });
    assert.equal(await found(), 10);
    await service.close();
    class Other extends HashEmbedder {
      override readonly id = 'hash/other';
    }
    service = harness.service(new Other());
    await service.open(harness.config());
    await assert.rejects(service.update({}), { code: 'root-emptied' });
    assert.equal(await found(), 10);
  });

  it('goes with the question where there were hardly any files, or where settings leave them out', async () => {
    for (let i = 2; i < 10; i++) await harness.remove(`area/note-${i}.md`);
    await service.update({});
    assert.equal(await found(), 2);
    await rm(path.join(harness.workspace, 'area'), { recursive: true });
    await service.update({});
    assert.equal(await found(), 0);
    await harness.write(files(5));
    await service.update({});
    await writeFile(harness.path('.hoptrailignore'), 'area/\n');
    await service.filesChanged([harness.uri('.hoptrailignore')]);
    assert.equal(await found(), 0, 'an ignore file is a word as well');
  });

  it('does not hold up the other folders, nor the one that was closed', async () => {
    const other = path.join(harness.base, 'other');
    await mkdir(other);
    for (let i = 0; i < 4; i++) await writeFile(path.join(other, `o-${i}.md`), `# O ${i}\n\nA windmill ${i}.\n`);
    const roots = [...harness.config().roots, { uri: pathToFileURL(other).href, name: 'other' }];
    await service.open(harness.config({ roots }));
    await service.update({});
    await unmount();
    await writeFile(path.join(other, 'o-9.md'), '# O 9\n\nA windmill 9.\n');
    await assert.rejects(service.update({}), { code: 'root-emptied' });
    const windmills = (await service.index.textSearch('windmill', { limit: 50 })).length;
    assert.deepEqual([windmills, await found()], [5, 10]);
    await service.open(harness.config({ roots: roots.slice(1) }));
    await service.update({});
    assert.equal(await found(), 0, 'it was taken out of the workspace');
  });
});
