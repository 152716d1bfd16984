import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { argMax, LinUcb, rewardOf, solve } from '../../../../src/learning/strategy/lin-ucb.ts';

describe('LinUCB', () => {
  it('is the model of Li et al.: A = I + Σxxᵀ, b = Σrx, width √(xᵀA⁻¹x)', () => {
    const bandit = new LinUcb(2, 2);
    bandit.learn([1, 0], 0, { quality: 1, cost: 0.5 });
    bandit.learn([1, 0], 0, { quality: 0.5, cost: 0.5 });
    const [known, unknown] = bandit.estimate([1, 0]);
    assert.ok(Math.abs((known?.expected.quality ?? 0) - 1.5 / 3) < 1e-12);
    assert.ok(Math.abs((known?.expected.cost ?? 0) - 1 / 3) < 1e-12);
    assert.ok(Math.abs((known?.width ?? 0) - Math.sqrt(1 / 3)) < 1e-12);
    assert.deepEqual(unknown, { expected: { quality: 0, cost: 0 }, width: 1 });
    assert.equal(bandit.choose([1, 0], 0.5), 1, 'α = 2 tries what is not known');
    assert.equal(bandit.best([1, 0], 0.5), 0);
    assert.equal(bandit.best([1, 0], 0), 1, 'where only cost counts');
    assert.throws(() => bandit.learn([1, 0], 2, { quality: 1, cost: 0 }), RangeError);
  });

  it('solves what Gauss would, and refuses a matrix that is not positive definite', () => {
    const random = seededRandom(3);
    const rows = Array.from({ length: 12 }, () => Array.from({ length: 6 }, () => random() - 0.5));
    const matrix = Array.from({ length: 6 }, (_, i) =>
      Array.from({ length: 6 }, (__, j) =>
        rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), i === j ? 1 : 0),
      ),
    );
    const wanted = [1, -2, 3, 0, 5, 0.5];
    const right = matrix.map((row) => row.reduce((sum, value, j) => sum + value * (wanted[j] ?? 0), 0));
    solve(matrix, right).forEach((value, i) => assert.ok(Math.abs(value - (wanted[i] ?? 0)) < 1e-9));
    assert.throws(() => solve([[0]], [1]), RangeError);
    assert.throws(() => solve([[Number.NaN]], [1]), RangeError);
  });

  it('finds the best action of each kind of question, with ever less regret', () => {
    const random = seededRandom(5);
    const bandit = new LinUcb(4, 3, 0.5);
    const quality = [[0.9, 0.2], [0.3, 0.8], [0.5, 0.5], [0.1, 0.1]];
    const regret = [0, 0];
    for (let step = 0; step < 600; step += 1) {
      const kind = random() < 0.5 ? 0 : 1;
      const x = [1, kind, 1 - kind];
      const action = bandit.choose(x, 1);
      const all = quality.map((own) => own[kind] ?? 0);
      bandit.learn(x, action, { quality: (all[action] ?? 0) + 0.2 * (random() - 0.5), cost: 0 });
      regret[step < 300 ? 0 : 1]! += Math.max(...all) - (all[action] ?? 0);
    }
    assert.ok((regret[1] ?? 0) < (regret[0] ?? 0) / 2, String(regret));
    assert.deepEqual([bandit.best([1, 0, 1], 1), bandit.best([1, 1, 0], 1)], [0, 1]);
  });

  it('rewards by βP − (1−β)T, and takes the first of equals', () => {
    assert.ok(Math.abs(rewardOf({ quality: 0.8, cost: 0.4 }) - 0.2) < 1e-12);
    assert.equal(argMax([1, 3, 3]), 1);
    assert.equal(argMax([]), -1);
  });
});
