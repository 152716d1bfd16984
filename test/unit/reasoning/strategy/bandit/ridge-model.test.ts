import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LinUcb } from '../../../../../src/reasoning/strategy/bandit/lin-ucb.ts';
import { RidgeModel } from '../../../../../src/reasoning/strategy/bandit/ridge-model.ts';
import { invert, multiply } from '../../../../../src/reasoning/strategy/bandit/symmetric-matrix.ts';
import { seededRandom } from '../../../../../src/retrieval/learning/random.ts';

/** Ridge regression in closed form by Gaussian elimination with pivoting: (I + XᵀX)⁻¹Xᵀr, nothing of the code under test. */
function closedForm(rows: readonly Float64Array[], rewards: readonly number[]): number[] {
  const n = rows[0]?.length ?? 0;
  const m = Array.from({ length: n }, (_, i) => [...Array.from({ length: n }, (__, j) => (i === j ? 1 : 0) + rows.reduce((sum, x) => sum + (x[i] ?? 0) * (x[j] ?? 0), 0)), rows.reduce((sum, x, k) => sum + (x[i] ?? 0) * (rewards[k] ?? 0), 0)]);
  for (let c = 0; c < n; c += 1) {
    const pivot = m.slice(c).reduce((best, row, i) => (Math.abs(row[c] ?? 0) > Math.abs(m[best]?.[c] ?? 0) ? c + i : best), c);
    [m[c], m[pivot]] = [m[pivot] as number[], m[c] as number[]];
    for (let r = 0; r < n; r += 1) {
      if (r === c) continue;
      const factor = (m[r]?.[c] ?? 0) / (m[c]?.[c] ?? 1);
      for (let k = c; k <= n; k += 1) (m[r] as number[])[k] = (m[r]?.[k] ?? 0) - factor * (m[c]?.[k] ?? 0);
    }
  }
  return m.map((row, i) => (row[n] ?? 0) / (row[i] ?? 1));
}

const sample = (n: number, count: number, seed: number): Float64Array[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Float64Array.from({ length: n }, () => random() * 2 - 1));
};
const near = (a: number, b: number, tolerance: number): void => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

describe('ridge model', () => {
  it('equals closed-form ridge regression', () => {
    const rows = sample(6, 80, 1);
    const random = seededRandom(2);
    const outcomes = rows.map(() => ({ quality: random(), cost: random() }));
    const model = new RidgeModel(6);
    rows.forEach((x, i) => model.add(x, outcomes[i] ?? { quality: 0, cost: 0 }));
    for (const target of ['quality', 'cost'] as const) {
      const expected = closedForm(rows, outcomes.map((outcome) => outcome[target]));
      model.weights(target).forEach((weight, i) => near(weight, expected[i] ?? NaN, 1e-10));
    }
  });

  it('knows least where it has seen least', () => {
    const model = new RidgeModel(2);
    near(model.width(Float64Array.of(1, 0)), 1, 1e-12);
    for (let i = 0; i < 99; i += 1) model.add(Float64Array.of(1, 0), { quality: 1, cost: 0 });
    near(model.width(Float64Array.of(1, 0)), 0.1, 1e-12);
    near(model.width(Float64Array.of(0, 1)), 1, 1e-12);
  });

  it('stays right after 100,000 updates, badly conditioned ones among them', () => {
    const n = 12;
    const random = seededRandom(3);
    const model = new RidgeModel(n);
    const x = new Float64Array(n);
    for (let step = 0; step < 100_000; step += 1) {
      for (let i = 0; i < n; i += 1) x[i] = i === 0 ? 1 : i < n / 2 ? random() : (x[i - 1] as number) * (1 + 1e-4 * random()); // half of them nearly copies
      if (step % 1000 === 0) x[n - 1] = 1000;
      model.add(x, { quality: random(), cost: random() });
    }
    const { covariance, moments } = model.parts();
    const exact = multiply(invert(covariance, n), moments.quality);
    model.weights('quality').forEach((weight, i) => near(weight, exact[i] ?? NaN, 1e-4 * Math.max(1, Math.abs(exact[i] ?? 0))));
    for (let i = 0; i < n; i += 1) for (let j = 0; j < n; j += 1) assert.equal(model.inverse[i * n + j], model.inverse[j * n + i]);
    assert.ok(model.width(x) >= 0);
  });

  it('corrects an outcome without counting it twice', () => {
    const rows = sample(4, 20, 4);
    const first = new RidgeModel(4);
    const second = new RidgeModel(4);
    rows.forEach((x, i) => {
      first.add(x, { quality: i === 7 ? 0 : 0.5, cost: 0.1 });
      second.add(x, { quality: 0.5, cost: 0.1 });
    });
    second.shift(rows[7] as Float64Array, 'quality', -0.5);
    first.weights('quality').forEach((weight, i) => near(second.weights('quality')[i] ?? NaN, weight, 1e-12));
    near(first.width(rows[7] as Float64Array), second.width(rows[7] as Float64Array), 1e-12);
  });

  it('counts a weighted outcome as so many', () => {
    const [x] = sample(3, 1, 5) as [Float64Array];
    const once = new RidgeModel(3);
    const thrice = new RidgeModel(3);
    once.add(x, { quality: 0.7, cost: 0.2 }, 3);
    for (let i = 0; i < 3; i += 1) thrice.add(x, { quality: 0.7, cost: 0.2 });
    once.weights('quality').forEach((weight, i) => near(weight, thrice.weights('quality')[i] ?? NaN, 1e-12));
  });

  it('can be made again from its parts', () => {
    const model = new RidgeModel(5);
    sample(5, 30, 6).forEach((x, i) => model.add(x, { quality: i / 30, cost: 0.1 }));
    const again = new RidgeModel(5, model.parts());
    model.weights('quality').forEach((weight, i) => near(again.weights('quality')[i] ?? NaN, weight, 1e-12));
  });

  it('does not invert what is not positive definite', () => {
    assert.throws(() => invert(Float64Array.of(1, 2, 2, 1), 2), RangeError);
  });
});

describe('LinUCB', () => {
  it('chooses by the bound of the paper on βP − (1−β)T', () => {
    const bandit = new LinUcb(3, 2);
    const history: [number, Float64Array, { quality: number; cost: number }][] = sample(2, 30, 8).map((x, i) => [i % 3, x, { quality: (i % 5) / 5, cost: (i % 7) / 7 }]);
    for (const [action, x, outcome] of history) bandit.learn(x, action, outcome);
    const x = Float64Array.of(0.3, -0.8);
    for (const beta of [0.2, 0.5, 0.9]) {
      const bounds = [0, 1, 2].map((action) => {
        const own = history.filter(([chosen]) => chosen === action);
        const theta = closedForm(own.map(([, features]) => features), own.map(([, , outcome]) => beta * outcome.quality - (1 - beta) * outcome.cost));
        const width = closedForm(own.map(([, features]) => features), own.map(() => 0)).length === 2 ? (bandit.models[action]?.width(x) ?? 0) : 0;
        return (theta[0] ?? 0) * 0.3 - (theta[1] ?? 0) * 0.8 + 2 * width;
      });
      assert.equal(bandit.choose(x, beta), bounds.indexOf(Math.max(...bounds)));
    }
  });
});
