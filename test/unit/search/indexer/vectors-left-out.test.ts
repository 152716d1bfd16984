import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, it } from 'mocha';
import { causeInWords } from '../../../../src/search/domain/file-cause.ts';
import { EmbeddingEndpointError } from '../../../../src/search/embedding/embedder.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { describeInEachPlace, type IndexHarness } from './index-harness.ts';

const refusal = (status: number): Error =>
  new EmbeddingEndpointError('http://localhost:1/v1', `status ${status} input too long`, { status });

describeInEachPlace('passages without a vector', function (create) {
  this.timeout(60_000);
  let harness: IndexHarness;
  let embedder: HashEmbedder;
  beforeEach(async () => {
    embedder = new HashEmbedder();
    harness = await create(
      Object.fromEntries(
        Array.from({ length: 100 }, (_, i) => [`note-${i}.md`, `# Note ${i}\n\nText about harbour ${i}.\n`]),
      ),
    );
  });
  afterEach(() => harness.close());

  for (const status of [400, 500]) {
    it(`are those that the model refuses with ${status}, and no others; they are told of and found by words`, async () => {
      await harness.write({
        'poison.md': '# Poison\n\nA poisonous lighthouse.\n',
        'copy/poison.md': '# Poison\n\nA poisonous lighthouse.\n',
      });
      let refused = 0;
      embedder.beforePassage = (text) => {
        if (!text.includes('poisonous')) return;
        refused += 1;
        throw refusal(status);
      };
      const service = harness.service(embedder);
      await service.open(harness.config());
      const report = await service.update({});
      assert.equal(report.embedded, 100);
      const { coverage, phase, notices } = await service.state();
      assert.deepEqual([coverage.passages, coverage.embedded, phase], [102, 100, 'ready']);
      assert.deepEqual(notices, [{ code: 'passages-refused', details: { passages: 2 } }]);
      assert.deepEqual(
        report.skipped.map((file) => [file.path, file.reason]),
        [
          ['copy/poison.md', 'unsupported'],
          ['poison.md', 'unsupported'],
        ],
      );
      const [first] = report.skipped;
      assert.match(first ? causeInWords(first.why) : '', /found by words only.*: 1 \(.*input too long\)/);
      assert.equal((await service.index.textSearch('lighthouse', { limit: 5 })).length, 2);
      refused = 0;
      await service.update({});
      assert.equal(refused, 0, 'the same text is not asked for again');
      await harness.write({
        'poison.md': '# Poison\n\nAn antidote.\n',
        'copy/poison.md': '# Poison\n\nAn antidote.\n',
      });
      await service.filesChanged([harness.uri('poison.md'), harness.uri('copy/poison.md')]);
      await service.update({});
      const after = await service.state();
      assert.deepEqual([after.coverage.embedded, after.notices], [102, []]);
    });
  }

  it('are not made of a model that refuses everything: then the run fails as a whole', async () => {
    let asked = 0;
    embedder.beforePassage = () => {
      asked += 1;
      throw refusal(400);
    };
    const service = harness.service(embedder);
    await service.open(harness.config());
    await assert.rejects(service.update({}), { code: 'embedding-endpoint-failed', status: 400 });
    assert.ok(asked <= 3, `it was asked ${asked} times`);
    assert.deepEqual((await service.report()).skipped, []);
    embedder.beforePassage = () => undefined;
    assert.equal((await service.update({})).embedded, 100);
  });

  it('are not made of a refused key, nor is anything asked for again', async () => {
    let asked = 0;
    embedder.beforePassage = () => {
      asked += 1;
      throw refusal(401);
    };
    const service = harness.service(embedder);
    await service.open(harness.config());
    await assert.rejects(service.update({}), { status: 401 });
    assert.equal(asked, 1);
  });

  it('are those of pictures in a notebook, whose lines are all there', async () => {
    const picture = randomBytes(60_000).toString('base64');
    const cell = {
      cell_type: 'code',
      metadata: {},
      execution_count: 1,
      source: ['plot(harbour_depths)\n'],
      outputs: [
        {
          output_type: 'display_data',
          metadata: {},
          data: { 'image/png': `${picture}\n`, 'text/plain': ['<Figure of the lighthouse>'] },
        },
      ],
    };
    await harness.write({
      'plots.ipynb': JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1),
    });
    const service = harness.service(embedder);
    await service.open(harness.config());
    const report = await service.update({});
    const ofNotebook = (await service.passagesOf('plots.ipynb')).map((passage) => passage.text);
    assert.equal(ofNotebook.join('').replace(/\s/g, '').includes(picture), true);
    assert.ok(ofNotebook.length > 20);
    assert.ok(embedder.embedded.filter((text) => text.startsWith('plots.ipynb')).length < 8);
    assert.ok(embedder.embedded.some((text) => text.includes('plot(harbour_depths)')));
    assert.ok(embedder.embedded.some((text) => text.includes('Figure of the lighthouse')));
    const told = report.skipped.find((file) => file.path === 'plots.ipynb');
    assert.ok(told?.reason === 'binary');
    assert.equal(told.why.code, 'encoded-data');
    const { coverage, notices } = await service.state();
    assert.deepEqual([coverage.embedded, notices], [coverage.passages, []]);
  });
});
