import type { StrategyOutcome } from './ridge-model.ts';

/** How much an answer's quality weighs against its cost: reward = βP − (1−β)T (AQA). */
export type Beta = number;

export const rewardOf = (outcome: StrategyOutcome, beta: Beta): number => beta * outcome.quality - (1 - beta) * outcome.cost;

/** What a policy thinks of one action. */
export interface ActionEstimate {
  /** Index of the action. */
  action: number;
  /** Expected quality and cost; may leave 0..1, as linear models do. */
  expected: StrategyOutcome;
  /** √(xᵀA⁻¹x). */
  width: number;
}

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
  values.forEach((value, i) => { if (best < 0 || value > (values[best] as number)) best = i; });
  return best;
}
