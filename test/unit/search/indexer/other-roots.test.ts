import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { WorkspaceRoot } from '../../../../src/search/domain/source-file.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

describe('an index that was made for other folders', function () {
  this.timeout(120_000);
  let harness: IndexHarness;
  beforeEach(async () => {
    harness = await IndexHarness.create();
  });
  afterEach(() => harness.close());

  /** A folder beside the others with one note about its own name. */
  async function root(name: string): Promise<WorkspaceRoot> {
    const folder = path.join(harness.base, name);
    await mkdir(folder);
    await writeFile(path.join(folder, 'note.md'), `# Note\n\nConcerning ${name}.\n`);
    return { uri: pathToFileURL(folder).href, name };
  }
  async function openOn(...roots: WorkspaceRoot[]): Promise<LocalIndexService> {
    const service = harness.service();
    await service.open(harness.config({ roots }));
    return service;
  }
  async function built(...roots: WorkspaceRoot[]): Promise<void> {
    const service = await openOn(...roots);
    await service.update({});
    await service.close();
  }
  const found = async (service: LocalIndexService): Promise<string[]> =>
    (await service.index.textSearch('concerning', { limit: 9 }))
      .map(({ passage }) => passage.uri.split('/').at(-2) ?? '')
      .sort();

  it('neither answers nor is written over, until it is rebuilt', async () => {
    const [ferry, harbour] = [await root('ferry'), await root('harbour')];
    await built(ferry);
    const service = await openOn(harbour);
    const { phase, error } = await service.state();
    assert.deepEqual([phase, error?.code, error?.action], ['failed', 'index-other-roots', 'rebuild-index']);
    assert.ok(
      error?.message.includes(path.join(harness.base, 'ferry')) &&
        error.message.includes(path.join(harness.base, 'harbour')),
      error?.message,
    );
    const before = await harness.dump();
    await assert.rejects(service.update({}), { code: 'index-other-roots' });
    await assert.rejects(service.filesChanged([`${harbour.uri}/note.md`]), { code: 'index-other-roots' });
    await assert.rejects(service.importPassages([]), { code: 'index-other-roots' });
    await assert.rejects(service.index.textSearch('concerning', { limit: 1 }), { code: 'index-other-roots' });
    assert.deepEqual(await harness.dump(), before);
    await service.update({ rebuild: true });
    assert.deepEqual(await found(service), ['harbour']);
    assert.deepEqual([(await service.state()).phase, (await service.state()).error], ['ready', undefined]);
    await service.close();
    const again = await openOn(harbour);
    await again.update({});
    assert.deepEqual(await found(again), ['harbour']);
  });

  it('is the same one for a folder that is named by way of a link', async () => {
    const ferry = await root('ferry');
    const link = path.join(harness.base, 'link');
    await symlink(path.join(harness.base, 'ferry'), link, 'junction');
    await built({ uri: pathToFileURL(link).href, name: 'ferry' });
    const service = await openOn(ferry);
    assert.deepEqual([(await service.state()).phase, await found(service)], ['ready', ['link']]);
    await service.update({});
    assert.deepEqual(await found(service), ['ferry']);
  });

  it('is not one whose folders are in another order, or were added to or taken from', async () => {
    const [ferry, harbour, quay] = [await root('ferry'), await root('harbour'), await root('quay')];
    await built(ferry, harbour);
    for (const [roots, names] of [
      [
        [harbour, ferry],
        ['ferry', 'harbour'],
      ],
      [
        [ferry, harbour, quay],
        ['ferry', 'harbour', 'quay'],
      ],
      [[quay], ['quay']],
    ] as const) {
      const service = await openOn(...roots);
      await service.update({});
      assert.deepEqual(await found(service), names);
      await service.close();
    }
    const service = await openOn(ferry);
    await assert.rejects(service.update({}), { code: 'index-other-roots' }, 'it is of the quay alone by now');
  });

  it('is one whose folder was moved: a rebuild takes its vectors over', async () => {
    const ferry = await root('ferry');
    await built(ferry);
    await rename(path.join(harness.base, 'ferry'), path.join(harness.base, 'moved'));
    const embedder = new HashEmbedder();
    const service = harness.service(embedder);
    await service.open(
      harness.config({ roots: [{ uri: pathToFileURL(path.join(harness.base, 'moved')).href, name: 'ferry' }] }),
    );
    await assert.rejects(service.update({}), { code: 'index-other-roots' });
    await service.update({ rebuild: true });
    assert.deepEqual(await found(service), ['moved']);
    assert.equal(embedder.embedded.length, 0);
  });

  it('stays where another embedding model is asked for', async () => {
    const [ferry, harbour] = [await root('ferry'), await root('harbour')];
    await built(ferry);
    const before = await harness.dump();
    const service = harness.service(new HashEmbedder('hash/2'));
    await service.open(harness.config({ roots: [harbour], embedder: { kind: 'folder', path: '/other' } }));
    await assert.rejects(service.update({}), { code: 'index-other-roots' });
    assert.deepEqual(await harness.dump(), before);
  });

  it('is one of imported passages, for a folder', async () => {
    const service = await openOn();
    await service.importPassages([notePassage('a', '', 'Concerning ferries.', { uri: 'set:a', path: 'a' })]);
    await service.close();
    const other = await openOn(await root('harbour'));
    await assert.rejects(other.update({}), { code: 'index-other-roots', message: /imported passages/ });
  });

  it("is nobody's while it is empty", async () => {
    const first = await openOn(await root('ferry'));
    await first.close();
    const second = await openOn(await root('harbour'));
    await second.update({});
    assert.deepEqual(await found(second), ['harbour']);
  });
});
