import { paperActions, actionFeatures } from '../../lab/bandit/prior-state.ts';
import { type Policy, rewardOf } from '../../src/learning/strategy/bandit/policy.ts';
import type { StrategyOutcome } from '../../src/learning/strategy/bandit/ridge-model.ts';
import { seededRandom } from '../../src/base/numbers.ts';

export const actions = paperActions();
export const structures = actions.map((action) => actionFeatures(action.graph));
/** Features of a question. */
export const DIMENSIONS = 5;

export interface World {
  features(): Float64Array;
  expected(x: Float64Array, action: number): StrategyOutcome;
  random(): number;
}

/**
 * Questions of which some want retrieval and some do not, graphs whose quality follows mostly from their agents;
 * `quirk` is the standard deviation of what does not: a part of each graph's quality, linear in the question, that its
 * structure does not explain.
 */
export function makeWorld(seed: number, quirk: number): World {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const parts = structures[0]?.length ?? 0;
  const shared = Array.from({ length: parts }, () => Float64Array.from({ length: DIMENSIONS }, () => 0.15 * normal()));
  const own = actions.map(() => Float64Array.from({ length: DIMENSIONS }, () => quirk * normal()));
  const dotted = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return {
    random,
    features: () => Float64Array.from([1, ...Array.from({ length: DIMENSIONS - 1 }, () => random())]),
    expected: (x, action) => ({
      quality:
        0.4 +
        [...(structures[action] ?? [])].reduce((sum, s, p) => sum + s * dotted(shared[p] ?? x, x), 0) +
        dotted(own[action] ?? x, x),
      cost: 0.15 * (actions[action]?.graph.agents.length ?? 0),
    }),
  };
}

/** Cumulative pseudo-regret at the checkpoints. */
export function regretOf(policy: Policy, world: World, checkpoints: readonly number[]): number[] {
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
