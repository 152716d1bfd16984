import type { StrategyOutcome } from './ridge-model.ts';

/** An arm as the bandit sees it. */
export interface BanditAction {
  name: string;
  /**
   * s(a): features that actions share. What the bandit learns of one action it learns of all with the same features.
   * Every action has equally many.
   */
  readonly structure: Float64Array;
}

/** Version of the structures of the product's actions: states learnt with another one are not read. */
export const ACTION_FEATURES_VERSION = 2;

/** α as a function of the number of outcomes learnt so far. */
export type Exploration = (steps: number) => number;

/** The paper's α = 2, throughout. */
export const constantExploration = (): Exploration => () => 2;

/**
 * Starts at the paper's α = 2 and falls like 1/√t: 2 is meant for rewards of unit scale, and is far too curious for the
 * small differences between strategies once each of their features has been seen. `half` outcomes bring it to 1/√2 of
 * its start.
 */
export const annealedExploration =
  (start = 2, half = 10, floor = 0.05): Exploration =>
  (steps) =>
    Math.max(floor, start / Math.sqrt(1 + steps / half));

/** How much an answer's quality weighs against its cost: reward = βP − (1−β)T (AQA). */
export type Beta = number;

export const rewardOf = (outcome: StrategyOutcome, beta: Beta): number =>
  beta * outcome.quality - (1 - beta) * outcome.cost;

/** What a policy thinks of one action. */
export interface ActionEstimate {
  /** Index of the action. */
  action: number;
  /** Expected quality and cost; may leave 0..1, as linear models do. */
  expected: StrategyOutcome;
  /** √(xᵀA⁻¹x). */
  width: number;
}

/** Upper confidence bounds of the reward. */
export const upperBounds = (estimates: readonly ActionEstimate[], beta: Beta, alpha: number): number[] =>
  estimates.map(({ expected, width }) => rewardOf(expected, beta) + alpha * width);

/** Chooses an action by its index for a question's features, and learns from what came of it. */
export interface Policy {
  readonly name: string;
  choose(features: Float64Array, beta: Beta): number;
  /** What it holds to be best, without trying anything out. */
  best(features: Float64Array, beta: Beta): number;
  learn(features: Float64Array, action: number, outcome: StrategyOutcome, weight?: number): void;
}

/** Index of the largest value, the first of equals; −1 for none. */
export function argMax(values: readonly number[]): number {
  let best = -1;
  values.forEach((value, i) => {
    if (best < 0 || value > (values[best] as number)) best = i;
  });
  return best;
}
