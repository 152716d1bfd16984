import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LinUcb } from '../../../../../lab/bandit/lin-ucb.ts';
import { invert, RidgeModel } from '../../../../../src/learning/strategy/bandit/ridge-model.ts';
import { seededRandom } from '../../../../../src/base/numbers.ts';

/** z of M z = v by Gaussian elimination with pivoting: nothing of the code under test. */
function solve(matrix: readonly (readonly number[])[], v: readonly number[]): number[] {
  const n = v.length;
  const m = matrix.map((row, i) => [...row, v[i] as number]);
  for (let c = 0; c < n; c += 1) {
    const pivot = m
      .slice(c)
      .reduce(
        (best, row, i) => (Math.abs(row[c] as number) > Math.abs((m[best] as number[])[c] as number) ? c + i : best),
        c,
      );
    [m[c], m[pivot]] = [m[pivot] as number[], m[c] as number[]];
    const top = m[c] as number[];
    for (const row of m.slice(c + 1)) {
      const factor = (row[c] as number) / (top[c] as number);
      for (let k = c; k <= n; k += 1) row[k] = (row[k] as number) - factor * (top[k] as number);
    }
  }
  const z: number[] = [];
  for (let i = n - 1; i >= 0; i -= 1) {
    const row = m[i] as number[];
    z[i] =
      ((row[n] as number) - row.slice(i + 1, n).reduce((sum, value, k) => sum + value * (z[i + 1 + k] as number), 0)) /
      (row[i] as number);
  }
  return z;
}

/** A = I + XᵀX, and b = Xᵀr, added up one by one. */
class Sums {
  readonly a: number[][];
  readonly b: number[];

  constructor(n: number) {
    this.a = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 1 : 0)));
    this.b = Array.from({ length: n }, () => 0);
  }

  add(x: Float64Array, reward: number): void {
    x.forEach((xi, i) => {
      const row = this.a[i] as number[];
      x.forEach((xj, j) => {
        row[j] = (row[j] as number) + xi * xj;
      });
      this.b[i] = (this.b[i] as number) + reward * xi;
    });
  }

  /** Ridge regression in closed form: θ = A⁻¹b. */
  theta(): number[] {
    return solve(this.a, this.b);
  }

  /** √(xᵀA⁻¹x). */
  width(x: Float64Array): number {
    const z = solve(this.a, [...x]);
    return Math.sqrt(x.reduce((sum, value, i) => sum + value * (z[i] as number), 0));
  }
}

function sumsOf(rows: readonly Float64Array[], rewards: readonly number[]): Sums {
  const sums = new Sums(rows[0]?.length ?? 0);
  rows.forEach((x, i) => sums.add(x, rewards[i] ?? 0));
  return sums;
}

const sample = (n: number, count: number, seed: number): Float64Array[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Float64Array.from({ length: n }, () => random() * 2 - 1));
};
const near = (a: number, b: number, tolerance: number): void =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

describe('ridge model', () => {
  it('equals closed-form ridge regression', () => {
    const rows = sample(6, 80, 1);
    const random = seededRandom(2);
    const outcomes = rows.map(() => ({ quality: random(), cost: random() }));
    const model = new RidgeModel(6);
    rows.forEach((x, i) => model.add(x, outcomes[i] ?? { quality: 0, cost: 0 }));
    for (const target of ['quality', 'cost'] as const) {
      const expected = sumsOf(
        rows,
        outcomes.map((outcome) => outcome[target]),
      ).theta();
      model.weights(target).forEach((weight, i) => near(weight, expected[i] ?? NaN, 1e-10));
    }
    const sums = sumsOf(rows, []);
    for (const x of sample(6, 5, 9)) near(model.width(x), sums.width(x), 1e-10);
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
    const sums = new Sums(n);
    const x = new Float64Array(n);
    for (let step = 0; step < 100_000; step += 1) {
      for (let i = 0; i < n; i += 1)
        // Half of them nearly copies.
        x[i] = i === 0 ? 1 : i < n / 2 ? random() : (x[i - 1] as number) * (1 + 1e-4 * random());
      if (step % 1000 === 0) x[n - 1] = 100_000;
      const outcome = { quality: random(), cost: random() };
      model.add(x, outcome);
      sums.add(x, outcome.quality);
      if (step % 10 === 0) model.refresh(); // as the product does after runs
    }
    assert.ok(model.reinversions > 0, 'the running inverse has drifted');
    const exact = sums.theta();
    model
      .weights('quality')
      .forEach((weight, i) => near(weight, exact[i] ?? NaN, 1e-4 * Math.max(1, Math.abs(exact[i] ?? 0))));
    for (const seen of [x, ...sample(n, 5, 10)]) near(model.width(seen), sums.width(seen), 1e-4 * sums.width(seen));
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < n; j += 1) assert.equal(model.inverse[i * n + j], model.inverse[j * n + i]);
  });

  it('leaves the remaking of its inverse to those who have the time, until it is of no use', () => {
    const model = new RidgeModel(2);
    const sums = new Sums(2);
    const learn = (x: Float64Array): void => {
      model.add(x, { quality: 1, cost: 0 });
      sums.add(x, 1);
    };
    const due = Float64Array.of(1e5, 1.1e5);
    learn(due);
    learn(Float64Array.of(1e5, 1.2e5));
    assert.equal(model.reinversions, 0);
    model.refresh();
    assert.equal(model.reinversions, 1);
    model.refresh();
    assert.equal(model.reinversions, 1, 'nothing is due');
    near(model.width(due), sums.width(due), 1e-6);
    const lost = new RidgeModel(2);
    lost.add(Float64Array.of(1e7, 1.1e7), { quality: 1, cost: 0 });
    assert.equal(lost.reinversions, 1, 'too far off to choose by');
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
    const history: [number, Float64Array, { quality: number; cost: number }][] = sample(2, 30, 8).map((x, i) => [
      i % 3,
      x,
      { quality: (i % 5) / 5, cost: (i % 7) / 7 },
    ]);
    for (const [action, x, outcome] of history) bandit.learn(x, action, outcome);
    const x = Float64Array.of(0.3, -0.8);
    for (const beta of [0.2, 0.5, 0.9]) {
      const bounds = [0, 1, 2].map((action) => {
        const own = history.filter(([chosen]) => chosen === action);
        const sums = sumsOf(
          own.map(([, features]) => features),
          own.map(([, , outcome]) => beta * outcome.quality - (1 - beta) * outcome.cost),
        );
        near(bandit.estimate(x)[action]?.width ?? NaN, sums.width(x), 1e-10);
        const [first = NaN, second = NaN] = sums.theta();
        return first * 0.3 - second * 0.8 + 2 * sums.width(x);
      });
      assert.equal(bandit.choose(x, beta), bounds.indexOf(Math.max(...bounds)));
    }
  });
});
