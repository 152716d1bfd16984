import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { boostFurther } from '../../../../../src/search/retrieval/heads/train-chain-scorer.ts';
import type { ExampleGroup } from '../../../../../src/search/retrieval/heads/recording-scorer.ts';
import { DEFAULT_BOOSTING, trainTrees } from '../../../../../src/search/retrieval/heads/gradient-boosting.ts';
import { predict, type Model } from '../../../../../src/search/retrieval/heads/model.ts';
import { seededRandom } from '../../../../../src/base/numbers.ts';

/** Groups of six rivals of which the one with the highest `feature` is right; the other feature is noise. */
function groups(feature: 'named' | 'linked', count: number, seed: number): ExampleGroup[] {
  const random = seededRandom(seed);
  const features = ['linked', 'named'];
  const column = features.indexOf(feature);
  return Array.from({ length: count }, (_, g) => {
    const rows = Array.from({ length: 6 }, () => Float64Array.from([random(), random()]));
    const best = rows.reduce((a, row, i) => ((row[column] ?? 0) > (rows[a]?.[column] ?? 0) ? i : a), 0);
    return {
      head: 'next',
      question: `${feature} ${g}`,
      set: 'own',
      code: rows.map(() => false),
      features,
      rows,
      labels: rows.map((_, i) => Number(i === best)),
    };
  });
}

function trained(): Model {
  const examples = groups('named', 80, 1);
  const rows = examples.flatMap((group) => group.rows);
  return trainTrees(
    {
      features: ['linked', 'named'],
      rows,
      labels: examples.flatMap((group) => group.labels),
      weights: rows.map(() => 1),
    },
    { ...DEFAULT_BOOSTING, trees: 30, featureShare: 1 },
  );
}

/** Share of groups whose right rival gets the highest logit. */
function accuracy(model: Model, examples: readonly ExampleGroup[]): number {
  const right = examples.filter((group) => {
    const logits = group.rows.map((row) =>
      predict(model, Object.fromEntries(group.features.map((name, i) => [name, row[i] ?? 0]))),
    );
    return group.labels[logits.indexOf(Math.max(...logits))] === 1;
  });
  return right.length / examples.length;
}

describe('boostFurther', () => {
  it('takes up what new examples say, on top of what the head knows', () => {
    const model = trained();
    const further = boostFurther(model, groups('linked', 80, 2), 1);
    assert.ok(accuracy(further, groups('linked', 60, 3)) > accuracy(model, groups('linked', 60, 3)) + 0.1);
    assert.ok(accuracy(further, groups('named', 60, 4)) > 0.7, 'the old is not forgotten in one round');
    assert.ok(model.kind === 'trees' && further.kind === 'trees' && further.trees.length === model.trees.length + 30);
    assert.deepEqual(further.trees.slice(0, model.trees.length), model.trees);
  });

  it('gives equal heads for equal input, whatever order a group has its features in', () => {
    const model = trained();
    const examples = groups('linked', 30, 5);
    const turned = examples.map((group) => ({
      ...group,
      features: [...group.features].reverse(),
      rows: group.rows.map((row) => Float64Array.from(row).reverse()),
    }));
    assert.deepEqual(boostFurther(model, examples, 1), boostFurther(model, turned, 1));
  });

  it('keeps a head without examples, and refuses one that is not made of trees', () => {
    const model = trained();
    assert.equal(boostFurther(model, [], 1), model);
    assert.throws(
      () => boostFurther({ kind: 'linear', features: ['named'], weights: [1], bias: 0 }, groups('named', 1, 1), 1),
      RangeError,
    );
  });
});
