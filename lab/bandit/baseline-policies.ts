import { argMax, type Beta, type Policy, rewardOf, RidgeModel, type StrategyOutcome } from '#learning/lab';
import { expectedBy } from './lin-ucb.ts';

const unlearning = (name: string, choose: () => number): Policy => ({
  name,
  choose,
  best: choose,
  learn: () => undefined,
});

/** Chooses by chance. @param random gives numbers from 0 inclusive to 1 exclusive. */
export const uniformPolicy = (actions: number, random: () => number): Policy =>
  unlearning('uniform', () => Math.floor(random() * actions));

/** Always the same action. */
export const fixedPolicy = (action: number, name: string): Policy => unlearning(`fixed:${name}`, () => action);

const EPSILON = 0.1;

/** The best action by its linear model but for a share ε of choices, which are made by chance. */
export class EpsilonGreedyPolicy implements Policy {
  readonly name = 'epsilon-greedy';
  readonly #models: readonly RidgeModel[];
  readonly #random: () => number;

  constructor(actions: number, dimensions: number, random: () => number) {
    this.#models = Array.from({ length: actions }, () => new RidgeModel(dimensions));
    this.#random = random;
  }

  choose(features: Float64Array, beta: Beta): number {
    if (this.#random() < EPSILON) return Math.floor(this.#random() * this.#models.length);
    return this.best(features, beta);
  }

  best(features: Float64Array, beta: Beta): number {
    return argMax(this.#models.map((model) => rewardOf(expectedBy(model, features), beta)));
  }

  learn(features: Float64Array, action: number, outcome: StrategyOutcome, weight = 1): void {
    this.#models[action]?.add(features, outcome, weight);
  }
}
