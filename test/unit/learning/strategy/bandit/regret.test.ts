import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EpsilonGreedyPolicy, fixedPolicy, uniformPolicy } from '../../../../../lab/bandit/baseline-policies.ts';
import {
  annealedExploration,
  argMax,
  constantExploration,
  type Policy,
} from '../../../../../src/learning/strategy/bandit/policy.ts';
import { LinUcb } from '../../../../../lab/bandit/lin-ucb.ts';
import { SharedLinUcb } from '../../../../../src/learning/strategy/bandit/shared-lin-ucb.ts';
import { seededRandom } from '../../../../../src/base/numbers.ts';
import {
  actions,
  DIMENSIONS,
  makeWorld,
  regretOf,
  structures,
  type World,
} from '../../../../doubles/strategy-world.ts';

const SEEDS = [11, 12];
const shared = (): SharedLinUcb => new SharedLinUcb(structures, DIMENSIONS, { exploration: annealedExploration() });
const total = (make: (seed: number) => Policy, quirk: number, checkpoints: readonly number[]): number[] => {
  const curves = SEEDS.map((seed) => regretOf(make(seed), makeWorld(seed, quirk), checkpoints));
  return checkpoints.map((_, i) => curves.reduce((sum, curve) => sum + (curve[i] ?? 0), 0) / SEEDS.length);
};

describe('regret over 97 graphs', function () {
  this.timeout(60_000);
  const checkpoints = [200, 600];

  for (const quirk of [0, 0.03]) {
    it(`falls faster when graphs learn together${quirk > 0 ? ', also when structure does not tell all' : ''}`, () => {
      const together = total(shared, quirk, checkpoints);
      const apart = total(() => new LinUcb(actions.length, DIMENSIONS, constantExploration()), quirk, checkpoints);
      const apartAnnealed = total(
        () => new LinUcb(actions.length, DIMENSIONS, annealedExploration()),
        quirk,
        checkpoints,
      );
      const chance = total((seed) => uniformPolicy(actions.length, seededRandom(seed)), quirk, checkpoints);
      const greedy = total(
        (seed) => new EpsilonGreedyPolicy(actions.length, DIMENSIONS, seededRandom(seed)),
        quirk,
        checkpoints,
      );
      const report = JSON.stringify({ together, apart, apartAnnealed, greedy, chance });
      const early = 0;
      const end = checkpoints.length - 1;
      assert.ok((together[early] ?? 0) < 0.6 * (apart[early] ?? 0), report);
      assert.ok((together[end] ?? 0) < 0.35 * (apart[end] ?? 0), report);
      assert.ok((together[end] ?? 0) < 0.6 * (apartAnnealed[end] ?? 0), report);
      assert.ok((together[end] ?? 0) < 0.8 * (greedy[end] ?? 0), report);
      assert.ok((together[end] ?? 0) < 0.35 * (chance[end] ?? 0), report);
      // Per question it is already small in the second stretch.
      const late = ((together[1] ?? 0) - (together[0] ?? 0)) / (600 - 200);
      assert.ok(late < 0.5 * ((together[0] ?? 0) / 200), report);
    });
  }

  it('is the same for the same seed', () => {
    assert.deepEqual(regretOf(shared(), makeWorld(5, 0.02), [100]), regretOf(shared(), makeWorld(5, 0.02), [100]));
  });

  it('beats the best graph in hindsight once features matter', () => {
    const world = (): World => makeWorld(21, 0);
    const fixed = actions.map((action, i) => regretOf(fixedPolicy(i, action.name), world(), [100])[0] ?? 0);
    const best = -(fixed[argMax(fixed.map((regret) => -regret))] ?? 0);
    const [early, late] = regretOf(shared(), world(), [400, 800]) as [number, number];
    assert.ok((late - early) / 400 < -best / 100, `${(late - early) / 400} against ${-best / 100}`);
  });
});

describe('shared LinUCB', () => {
  it('scores each action as the joint model does, by a cheaper way', () => {
    const bandit = shared();
    const world = makeWorld(31, 0.02);
    for (let i = 0; i < 150; i += 1) {
      const x = world.features();
      bandit.learn(x, (i * 37) % actions.length, world.expected(x, (i * 37) % actions.length));
    }
    const x = world.features();
    for (const { action, expected, width } of bandit.estimate(x)) {
      const joint = bandit.joint(x, action);
      assert.ok(Math.abs(expected.quality - bandit.model.predict(joint, 'quality')) < 1e-10);
      assert.ok(Math.abs(expected.cost - bandit.model.predict(joint, 'cost')) < 1e-10);
      assert.ok(Math.abs(width - bandit.model.width(joint)) < 1e-9);
    }
  });

  it('takes back what it learnt when an outcome is corrected', () => {
    const [a, b] = [shared(), shared()];
    const x = makeWorld(32, 0).features();
    a.learn(x, 3, { quality: 0.2, cost: 0.3 });
    b.learn(x, 3, { quality: 0.9, cost: 0.3 });
    b.correct(x, 3, { quality: -0.7 });
    assert.ok(Math.abs((a.estimate(x)[3]?.expected.quality ?? 0) - (b.estimate(x)[3]?.expected.quality ?? 1)) < 1e-12);
  });
});
