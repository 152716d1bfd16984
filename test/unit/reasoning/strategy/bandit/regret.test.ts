import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { paperActions } from '../../../../../src/reasoning/strategy/action-set.ts';
import { actionFeatures } from '../../../../../src/reasoning/strategy/bandit/action-features.ts';
import { EpsilonGreedyPolicy, FixedPolicy, UniformPolicy } from '../../../../../src/reasoning/strategy/bandit/baseline-policies.ts';
import { annealedExploration, constantExploration } from '../../../../../src/reasoning/strategy/bandit/exploration.ts';
import { LinUcb } from '../../../../../src/reasoning/strategy/bandit/lin-ucb.ts';
import { argMax, rewardOf, type Policy } from '../../../../../src/reasoning/strategy/bandit/policy.ts';
import type { StrategyOutcome } from '../../../../../src/reasoning/strategy/bandit/ridge-model.ts';
import { SharedLinUcb } from '../../../../../src/reasoning/strategy/bandit/shared-lin-ucb.ts';
import { seededRandom } from '../../../../../src/evaluation/random.ts';

const actions = paperActions();
const structures = actions.map((action) => actionFeatures(action.graph));
const DIMENSIONS = 5;

interface World {
  features(): Float64Array;
  expected(x: Float64Array, action: number): StrategyOutcome;
  random(): number;
}

/**
 * Questions of which some want retrieval and some do not, graphs whose quality follows mostly from their agents; `quirk` is the
 * standard deviation of what does not: a part of each graph's quality, linear in the question, that its structure does not explain.
 */
function makeWorld(seed: number, quirk: number): World {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const parts = structures[0]?.length ?? 0;
  const shared = Array.from({ length: parts }, () => Float64Array.from({ length: DIMENSIONS }, () => 0.15 * normal()));
  const own = actions.map(() => Float64Array.from({ length: DIMENSIONS }, () => quirk * normal()));
  const dotted = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return {
    random,
    features: () => Float64Array.from([1, ...Array.from({ length: DIMENSIONS - 1 }, () => random())]),
    expected: (x, action) => ({
      quality: 0.4 + [...(structures[action] ?? [])].reduce((sum, s, p) => sum + s * dotted(shared[p] ?? x, x), 0) + dotted(own[action] ?? x, x),
      cost: 0.15 * (actions[action]?.graph.agents.length ?? 0),
    }),
  };
}

/** Cumulative pseudo-regret at the checkpoints. */
function regretOf(policy: Policy, world: World, checkpoints: readonly number[]): number[] {
  const curve: number[] = [];
  let regret = 0;
  for (let step = 1; step <= Math.max(...checkpoints); step += 1) {
    const x = world.features();
    const rewards = actions.map((_, action) => rewardOf(world.expected(x, action), 0.5));
    const action = policy.choose(x, 0.5);
    const { quality, cost } = world.expected(x, action);
    policy.learn(x, action, { quality: quality + 0.3 * (world.random() - 0.5), cost });
    regret += Math.max(...rewards) - (rewards[action] ?? 0);
    if (checkpoints.includes(step)) curve.push(regret);
  }
  return curve;
}

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
      const apartAnnealed = total(() => new LinUcb(actions.length, DIMENSIONS, annealedExploration()), quirk, checkpoints);
      const chance = total((seed) => new UniformPolicy(actions.length, seededRandom(seed)), quirk, checkpoints);
      const greedy = total((seed) => new EpsilonGreedyPolicy(actions.length, DIMENSIONS, seededRandom(seed)), quirk, checkpoints);
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
    const fixed = actions.map((action, i) => regretOf(new FixedPolicy(i, action.name), world(), [100])[0] ?? 0);
    const best = -(fixed[argMax(fixed.map((regret) => -regret))] ?? 0);
    const [early, late] = regretOf(shared(), world(), [400, 800]) as [number, number];
    assert.ok((late - early) / 400 < -best / 100, `${(late - early) / 400} against ${-best / 100}`);
  });
});

describe('shared LinUCB', () => {
  it('scores each action as the joint model does, by a cheaper way', () => {
    const bandit = shared();
    const world = makeWorld(31, 0.02);
    for (let i = 0; i < 150; i += 1) { const x = world.features(); bandit.learn(x, (i * 37) % actions.length, world.expected(x, (i * 37) % actions.length)); }
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
