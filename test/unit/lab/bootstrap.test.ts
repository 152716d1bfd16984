import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mean, seededRandom, shuffled } from '../../../src/base/numbers.ts';
import { compareRuns } from '../../../lab/evaluation/compare-runs.ts';
import type { EvaluationRecord } from '../../../lab/evaluation/records.ts';
import { bootstrapInterval, pairedPermutationTest, quantile, wilsonInterval } from '../../../lab/statistics.ts';

const record = (id: string, f1: number): EvaluationRecord => ({
  id,
  fingerprint: 'x',
  metrics: { f1 },
  ms: 1,
  tokens: 0,
  detail: null,
});

describe('bootstrap', () => {
  const coin = Array.from({ length: 100 }, (_, i) => i % 2);

  it('gives the same interval for the same seed, around the mean', () => {
    const [low, high] = bootstrapInterval(coin, 7);
    assert.deepEqual(bootstrapInterval(coin, 7), [low, high]);
    assert.ok(low < mean(coin) && mean(coin) < high);
    // normal approximation: 0.5 ± 1.96 × 0.05
    assert.ok(Math.abs(low - 0.402) < 0.03 && Math.abs(high - 0.598) < 0.03, `${low} to ${high}`);
  });

  it('gives a share an interval that does not leave 0 to 1', () => {
    const told = ([low, high]: readonly number[]): string => `${low?.toFixed(3)} ${high?.toFixed(3)}`;
    assert.equal(told(wilsonInterval(3, 104)), '0.010 0.081');
    assert.equal(told(wilsonInterval(0, 10)), '0.000 0.278');
    assert.deepEqual(wilsonInterval(0, 0), [0, 1]);
  });

  it('interpolates quantiles', () => {
    assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
    assert.equal(quantile([], 0.5), 0);
  });

  it('finds a steady difference and no difference', () => {
    assert.ok(
      pairedPermutationTest(
        Array.from({ length: 30 }, () => 0.2),
        1,
      ) < 0.001,
    );
    assert.ok(
      pairedPermutationTest(
        coin.map((value) => value - 0.5),
        1,
      ) > 0.5,
    );
  });
});

describe('compareRuns', () => {
  it('pairs by question and counts better and worse', () => {
    const [comparison] = compareRuns(
      [record('a', 0), record('b', 1), record('only-a', 1)],
      [record('b', 0.5), record('a', 1)],
      1,
    );
    assert.deepEqual(
      {
        metric: comparison?.metric,
        n: comparison?.n,
        difference: comparison?.difference,
        better: comparison?.better,
        worse: comparison?.worse,
      },
      { metric: 'f1', n: 2, difference: 0.25, better: 1, worse: 1 },
    );
  });
});

describe('shuffled', () => {
  it('keeps every item and follows the seed', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const once = shuffled(items, seededRandom(3));
    assert.deepEqual(shuffled(items, seededRandom(3)), once);
    assert.notDeepEqual(once, items);
    assert.deepEqual([...once].sort(), items);
  });
});
