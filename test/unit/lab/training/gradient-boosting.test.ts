import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_BOOSTING, trainTrees } from '../../../../lab/heads/gradient-boosting.ts';
import { modelShape, predict, predictTable } from '../../../../src/search/retrieval/heads/model.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { FeatureTable } from '../../../../src/search/retrieval/features/feature-table.ts';
import { trainChainScorer } from '../../../../lab/heads/train-chain-scorer.ts';
import type { ExampleGroup } from '../../../../lab/heads/recording-scorer.ts';

const random = seededRandom(3);
const rows = Array.from({ length: 600 }, () => Float64Array.from([random(), random(), random()]));
const truth = (row: ArrayLike<number>): number => Number((row[0] ?? 0) > 0.5 !== (row[1] ?? 0) > 0.5);
const data = { features: ['x', 'y', 'noise'], rows, labels: rows.map(truth), weights: rows.map(() => 1) };
const OPTIONS = { ...DEFAULT_BOOSTING, trees: 60, featureShare: 1, leafWeight: 1 };

describe('trainTrees', () => {
  it('learns what no single feature tells', () => {
    const model = trainTrees(data, OPTIONS);
    const fresh = Array.from({ length: 300 }, () => Float64Array.from([random(), random(), random()]));
    const right = fresh.filter(
      (row) => Number(predict(model, { x: row[0] ?? 0, y: row[1] ?? 0, noise: row[2] ?? 0 }) > 0) === truth(row),
    ).length;
    assert.ok(right / fresh.length > 0.93, `${right} of ${fresh.length}`);
  });

  it('gives equal models for equal seeds, and survives being written down', () => {
    const model = trainTrees(data, OPTIONS);
    assert.deepEqual(trainTrees(data, OPTIONS), model);
    assert.notDeepEqual(trainTrees(data, { ...OPTIONS, rowShare: 0.5, seed: 8 }), model);
    const read = modelShape.parse(JSON.parse(JSON.stringify(model)));
    assert.equal(predict(read, { x: 0.2, y: 0.9, noise: 0 }), predict(model, { x: 0.2, y: 0.9, noise: 0 }));
  });

  it('scores a table as it scores rows, and refuses both where a feature is missing', () => {
    const model = trainTrees(data, OPTIONS);
    const table = new FeatureTable(2);
    table.set(0, { x: 0.1, y: 0.8 });
    table.set(1, { x: 0.7, y: 0.9 });
    assert.throws(() => predictTable(model, table), /no feature is called noise/);
    assert.throws(() => predict(model, { x: 0.1, y: 0.8 }), /no feature is called noise/);
    table.set(1, { noise: 0.5 });
    assert.deepEqual(predictTable(model, table), [
      predict(model, { x: 0.1, y: 0.8, noise: 0 }),
      predict(model, { x: 0.7, y: 0.9, noise: 0.5 }),
    ]);
  });

  it('answers with the prior when there is nothing to split', () => {
    const flat = { features: ['x'], rows: [new Float64Array(1), new Float64Array(1)], labels: [1, 0], weights: [1, 1] };
    assert.ok(Math.abs(predict(trainTrees(flat, { ...OPTIONS, rowShare: 1 }), { x: 5 })) < 1e-6);
  });
});

describe('trainChainScorer', () => {
  const group = (question: string): ExampleGroup => {
    const values = Array.from({ length: 6 }, () => random());
    const best = values.indexOf(Math.max(...values));
    return {
      head: 'next',
      question,
      set: 'notes',
      code: values.map(() => false),
      features: ['near'],
      rows: values.map((value) => Float64Array.from([value])),
      labels: values.map((_, i) => Number(i === best)),
    };
  };

  it('learns the heads that it has examples of, from anyone', () => {
    const heads = trainChainScorer(
      Array.from({ length: 80 }, (_, i) => group(`q${i}`)),
      { seed: 1 },
    );
    assert.equal(heads.first, undefined);
    assert.ok(heads.next);
    assert.ok(predict(heads.next, { near: 0.95 }) > predict(heads.next, { near: 0.3 }) + 1);
  });
});

describe('FeatureTable', () => {
  it('adds how each rival stands among the others', () => {
    const table = new FeatureTable(3);
    [3, 1, 3].forEach((score, i) => table.set(i, { score }));
    table.addStandings(['score']);
    assert.deepEqual([...table.column('score.gap')], [0, -2, 0]);
    assert.deepEqual([...table.column('score.rank')], [0, Math.log(3), 0]);
    assert.ok(Math.abs(table.column('score.z').reduce((sum, value) => sum + value, 0)) < 1e-12);
  });
});
