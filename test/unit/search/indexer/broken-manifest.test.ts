import assert from 'node:assert/strict';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createIndexLayout } from '../../../../src/search/store/index-layout.ts';
import { IndexHarness } from './index-harness.ts';

describe('a broken manifest', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  beforeEach(async () => {
    harness = await IndexHarness.create(
      Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`note-${i}.md`, `# Note ${i}\n\nText about harbour ${i}.\n`]),
      ),
    );
    const service = await harness.updated();
    await service.close();
  });
  afterEach(() => harness.close());

  /** Manifests of a table, oldest first: LanceDB counts down from the largest number there is. */
  const versionsOf = async (table: string): Promise<string[]> => {
    const folder = path.join(
      harness.indexFolder(),
      (await createIndexLayout(harness.indexFolder()).current()) ?? '',
      `${table}.lance`,
      '_versions',
    );
    const names = (await readdir(folder)).filter((name) => name.endsWith('.manifest'));
    const version = (name: string): bigint => {
      const number = BigInt(name.slice(0, -'.manifest'.length));
      return number > 1n << 62n ? (1n << 64n) - 1n - number : number;
    };
    return names.sort((a, b) => (version(a) < version(b) ? -1 : 1)).map((name) => path.join(folder, name));
  };

  for (const [how, spoil] of [
    ['cut short', (file: string) => truncate(file, 100)],
    ['overwritten', (file: string) => writeFile(file, 'nonsense')],
  ] as const) {
    it(`of an earlier version, ${how}, costs nothing but a warning`, async () => {
      for (const table of ['passages', 'files', 'meta']) {
        const versions = await versionsOf(table);
        for (const name of versions.slice(0, -1)) await spoil(name);
      }
      const service = harness.service();
      await service.open(harness.config());
      await harness.write({ 'new.md': '# New\n\nA lighthouse.\n' });
      for (let round = 0; round < 2; round++) await service.update({});
      const { phase, error, notices } = await service.state();
      assert.deepEqual([phase, error], ['ready', undefined]);
      assert.deepEqual(
        notices.map(({ code }) => code),
        ['untidied'],
        'nothing was set aside or built again',
      );
      assert.equal((await service.index.textSearch('lighthouse', { limit: 1 }))[0]?.passage.path, 'new.md');
      assert.ok(!(await readdir(harness.indexFolder())).includes('damaged'), 'nothing is set aside');
      await service.update({ rebuild: true });
      assert.deepEqual((await service.state()).notices, [], 'a rebuilt index has no such manifest');
      await service.close();
      assert.deepEqual(await harness.dump(), await harness.freshDump());
    });
  }

  it('of the newest version is cured by building again, truly', async () => {
    const expected = await harness.dump();
    for (const table of ['passages', 'meta']) {
      await writeFile((await versionsOf(table)).at(-1) ?? '', 'nonsense');
      const again = harness.service();
      assert.deepEqual((await again.open(harness.config())).notices, [{ code: 'damaged', details: {} }]);
      await again.update({});
      assert.deepEqual((await again.state()).notices, [{ code: 'rebuilt', details: {} }]);
      await again.close();
      assert.deepEqual(await harness.dump(), expected);
      assert.ok((await readdir(harness.indexFolder())).includes('damaged'), 'the damaged index is kept aside');
    }
  });
});
