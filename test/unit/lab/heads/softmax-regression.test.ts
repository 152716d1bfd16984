import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { type SoftmaxRow, trainSoftmax } from '../../../../lab/heads/softmax-regression.ts';
import { softmaxProbabilities } from '../../../../src/research/classify/classifiers.ts';

const random = seededRandom(3);
/** Three clouds in the plane. */
const rows: SoftmaxRow[] = Array.from({ length: 150 }, (_, i) => {
  const label = i % 3;
  const angle = (label * 2 * Math.PI) / 3;
  return { features: [Math.cos(angle) + random() - 0.5, Math.sin(angle) + random() - 0.5], label, weight: 1 };
});
const options = { lambda: 0.001, iterations: 400 };
const predict = (weights: ReturnType<typeof trainSoftmax>, features: readonly number[]): number => {
  const probabilities = softmaxProbabilities(weights, features);
  return probabilities.indexOf(Math.max(...probabilities));
};

describe('trainSoftmax', () => {
  it('separates what can be separated', () => {
    const weights = trainSoftmax(rows, 3, options);
    assert.ok(rows.filter((row) => predict(weights, row.features) === row.label).length >= 147);
  });

  it('gives the same weights for the same rows', () => {
    assert.deepEqual(trainSoftmax(rows, 3, options), trainSoftmax(rows, 3, options));
  });

  it('stands where the gradient of the penalised loss vanishes', () => {
    const weights = trainSoftmax(rows, 3, { lambda: 0.01, iterations: 3000 });
    weights.weights.forEach((row, k) =>
      row.forEach((weight, i) => {
        const gradient =
          rows.reduce(
            (sum, one) =>
              sum +
              ((softmaxProbabilities(weights, one.features)[k] ?? 0) - (one.label === k ? 1 : 0)) *
                (one.features[i] ?? 0),
            0,
          ) /
            rows.length +
          0.01 * weight;
        assert.ok(Math.abs(gradient) < 1e-6, `${gradient}`);
      }),
    );
  });

  it('heeds the weights of rows', () => {
    const contested: SoftmaxRow[] = [
      { features: [1], label: 0, weight: 1 },
      { features: [1], label: 1, weight: 3 },
    ];
    assert.ok(
      Math.abs(
        (softmaxProbabilities(trainSoftmax(contested, 2, { lambda: 1e-6, iterations: 2000 }), [1])[1] ?? 0) - 0.75,
      ) < 0.01,
    );
  });
});
