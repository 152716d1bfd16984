import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';
import { sharedAddress } from '../../../../src/search/process/sharing/meeting-point.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('where the process of an index can be met', () => {
  it('is one place, however the folder of the index is named', async function () {
    if (process.getuid === undefined) return this.skip();
    const folder = temporaryFolder();
    const entry = path.join(folder, 'entry.cjs');
    await writeFile(entry, '');
    const met = (indexUri: string) => sharedAddress(folder, { entry, modelsDir: folder }, { indexUri });
    const place = await met(folder);
    assert.ok(place);
    assert.equal(await met(path.relative(process.cwd(), folder)), place);
    assert.equal(await met(pathToFileURL(folder).href), place);
    assert.notEqual(await met('s3://bucket/index'), place);
  });
});
