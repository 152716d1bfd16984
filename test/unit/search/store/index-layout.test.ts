import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createIndexLayout, generationPrefix, type IndexLayout } from '../../../../src/search/store/index-layout.ts';
import { metaSchema } from '../../../../src/search/store/file-table.ts';
import { openStore, openVectors } from '../../../../src/search/store/index-store.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

/** A build with one passage, which answers from now on. */
async function filled(layout: IndexLayout, id: string): Promise<string> {
  const name = `${generationPrefix('hash/1')}1`;
  const store = await openStore(await layout.open(name, { following: false }), {
    dimensions: 8,
    writable: true,
    now: () => 1,
  });
  assert.ok(store);
  await store.passages.append([notePassage(id, '', id)]);
  store.close();
  await layout.setCurrent(name);
  return name;
}

describe('index layout', function () {
  this.timeout(60_000);

  it('keeps no connection open to what is not there, or is of another shape', async () => {
    const folder = temporaryFolder();
    const layout = createIndexLayout(folder);
    const reading = { dimensions: 8, writable: false, now: () => 1 };
    const missing = await layout.open(`${generationPrefix('hash/1')}2`, { following: true });
    assert.equal(await openStore(missing, reading), undefined);
    assert.equal(missing.connection.isOpen(), false);
    const name = await filled(layout, 'a');
    const other = await layout.open(name, { following: false });
    assert.equal(await openVectors(other, 9, () => 1), undefined);
    assert.equal(other.connection.isOpen(), false);
    const broken = await layout.open(name, { following: false });
    await broken.connection.dropTable(`${broken.tablePrefix}passages`);
    await broken.connection.createEmptyTable(`${broken.tablePrefix}passages`, metaSchema);
    await assert.rejects(openStore(broken, reading), { code: 'index-damaged' });
    assert.equal(broken.connection.isOpen(), false);
    const whole = await layout.open(`${generationPrefix('hash/1')}3`, { following: false });
    const store = await openStore(whole, { ...reading, writable: true });
    assert.equal(whole.connection.isOpen(), true);
    store?.close();
    assert.equal(whole.connection.isOpen(), false);
  });

  it('keeps indices apart that share one remote database', async () => {
    const [a, b, alone] = ['#aaaa', '#bbbb', ''].map((part) =>
      createIndexLayout(`shared-memory://layout-test/database${part}`),
    );
    assert.ok(a && b && alone);
    const [lease, other] = [await a.lease().tryAcquire(), await b.lease().tryAcquire()];
    assert.ok(lease && other);
    assert.equal(await a.lease().tryAcquire(), undefined);
    await Promise.all([lease.release(), other.release()]);
    const name = await filled(a, 'of-a');
    assert.deepEqual([await b.list(), await b.current()], [[], undefined]);
    await filled(b, 'of-b');
    assert.deepEqual([await alone.list(), await alone.current()], [[], undefined]);
    assert.deepEqual([await a.list(), await a.current()], [[name], name]);
    await b.remove(name);
    assert.deepEqual([await a.list(), await b.list()], [[name], []]);
    const store = await openStore(await a.open(name, { following: true }), {
      dimensions: 8,
      writable: false,
      now: () => 1,
    });
    assert.deepEqual(
      (await store?.index.get(['of-a', 'of-b']))?.map(({ id }) => id),
      ['of-a'],
    );
    store?.close();
  });

  it('does not take a folder that cannot be read for an empty one', async () => {
    const base = temporaryFolder();
    const layout = createIndexLayout(path.join(base, 'index'));
    assert.deepEqual([await layout.list(), await layout.current()], [[], undefined], 'not there yet');
    await writeFile(path.join(base, 'index'), 'no folder');
    await assert.rejects(layout.list(), { code: 'index-place' });
    await assert.rejects(layout.current(), { code: 'index-place' });
    await rm(path.join(base, 'index'));
    await mkdir(path.join(base, 'index', 'current.json'), { recursive: true });
    await assert.rejects(layout.current(), { code: 'storage-failed' });
    await rm(path.join(base, 'index', 'current.json'), { recursive: true });
    for (const text of ['', 'null', '{"generation": 7}']) {
      await writeFile(path.join(base, 'index', 'current.json'), text);
      assert.equal(await layout.current(), undefined, 'the builds that lie there are looked at instead');
    }
  });

  it('leaves nothing behind where it cannot be said which build answers', async () => {
    const base = temporaryFolder();
    await mkdir(path.join(base, 'current.json'));
    await assert.rejects(
      createIndexLayout(base).setCurrent(`${generationPrefix('hash/1')}1`),
      /switch to its new build/,
    );
    assert.deepEqual(await readdir(base), ['current.json']);
  });
});
