import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'mocha';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { describeInEachPlace, type IndexHarness } from './index-harness.ts';
import { until } from '../../../doubles/waiting.ts';

describeInEachPlace('texts of editors that are not saved', function (create) {
  this.timeout(60_000);
  let harness: IndexHarness;
  let service: LocalIndexService;
  beforeEach(async () => {
    harness = await create({
      'quay.md': '# Quay\n\nThe crane lifts nine tons.\n',
      'ferry.md': '# Ferry\n\nSee [the quay](quay.md).\n',
      'empty.md': '',
      'private/pay.md': '# Pay\n\nSalaries.\n',
      '.hoptrailignore': 'private/\n',
    });
    service = await harness.updated();
  });
  afterEach(() => harness.close());

  const found = async (word: string): Promise<string[]> =>
    (await service.index.textSearch(word, { limit: 50 })).map(
      ({ passage }) => `${passage.path}:${passage.startLine}-${passage.endLine}`,
    );
  const shown = (name: string, text: string | null): Promise<void> =>
    service.unsaved([{ uri: harness.uri(name), text }]);

  it('are read in place of the file, by their own lines, and given up for what lies on disk', async () => {
    await shown('quay.md', '# Quay\n\n\n\nThe gantry lifts twelve tons.\n');
    assert.deepEqual(await found('gantry'), ['quay.md:1-5']);
    assert.deepEqual(await found('crane'), []);
    await shown('quay.md', '# Quay\n\nThe derrick lifts twelve tons.\n');
    assert.deepEqual(await found('gantry'), []);
    assert.deepEqual(await found('derrick'), ['quay.md:1-3']);
    await shown('quay.md', null);
    assert.deepEqual(await found('derrick'), []);
    assert.deepEqual(await found('crane'), ['quay.md:1-3']);
    await service.update({});
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('stand through a walk over the folders, and through a change on disk', async () => {
    await shown('quay.md', '# Quay\n\nThe gantry lifts twelve tons.\n');
    await harness.write({ 'quay.md': '# Quay\n\nThe windlass.\n' });
    await service.filesChanged([harness.uri('quay.md')]);
    await service.update({});
    assert.deepEqual([await found('gantry'), await found('windlass')], [['quay.md:1-3'], []]);
    await service.update({ rebuild: true });
    assert.deepEqual([await found('gantry'), await found('windlass')], [['quay.md:1-3'], []]);
  });

  it('take the place of a file that is empty on disk, and leave one out that the editor has emptied', async () => {
    await shown('empty.md', '# New\n\nThe bollard is painted.\n');
    assert.deepEqual(await found('bollard'), ['empty.md:1-3']);
    await shown('quay.md', '');
    assert.deepEqual(await found('crane'), []);
    assert.ok((await service.report()).skipped.some(({ path, reason }) => path === 'quay.md' && reason === 'empty'));
  });

  it('are not read of what is ignored, lies outside, or says what is ignored', async () => {
    await shown('private/pay.md', '# Pay\n\nThe bonus.\n');
    await shown('../outside.md', '# Outside\n\nThe bonus.\n');
    await shown('gone.md', '# Gone\n\nThe bonus.\n');
    await shown('.hoptrailignore', '');
    assert.deepEqual([await found('bonus'), await found('salaries')], [[], []]);
  });

  it('that were too large for a file of the settings are left out as that', async () => {
    await shown('quay.md', `# Quay\n\n${'The gantry. '.repeat(100_000)}`);
    assert.deepEqual([await found('gantry'), await found('crane')], [[], []]);
    assert.ok(
      (await service.report()).skipped.some(({ path, reason }) => path === 'quay.md' && reason === 'too-large'),
    );
  });

  it('are forgotten with the session: the next one reads the disk', async () => {
    await shown('quay.md', '# Quay\n\nThe gantry lifts nine tons\n');
    await service.close();
    await service.open(harness.config());
    await service.update({});
    assert.deepEqual([await found('gantry'), await found('crane')], [[], ['quay.md:1-3']]);
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });
});
