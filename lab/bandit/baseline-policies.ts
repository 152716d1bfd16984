import { argMax, type Beta, type Policy, rewardOf, RidgeModel, type StrategyOutcome } from '#learning/lab';

/** Chooses by chance. `random` gives numbers from 0 inclusive to 1 exclusive. */
export class UniformPolicy implements Policy {
  readonly name = 'uniform';
  readonly #actions: number;
  readonly #random: () => number;

  constructor(actions: number, random: () => number) {
    this.#actions = actions;
    this.#random = random;
  }

  choose(): number {
    return Math.floor(this.#random() * this.#actions);
  }

  best(): number {
    return this.choose();
  }

  learn(): void {}
}

/** Always the same action. */
export class FixedPolicy implements Policy {
  readonly name: string;
  readonly #action: number;

  constructor(action: number, name: string) {
    this.#action = action;
    this.name = `fixed:${name}`;
  }

  choose(): number {
    return this.#action;
  }

  best(): number {
    return this.#action;
  }

  learn(): void {}
}

/** The best action by its linear model but for a share ε of choices, which are made by chance. */
export class EpsilonGreedyPolicy implements Policy {
  readonly name = 'epsilon-greedy';
  readonly #models: readonly RidgeModel[];
  readonly #random: () => number;
  readonly #epsilon: number;

  constructor(actions: number, dimensions: number, random: () => number, epsilon = 0.1) {
    this.#models = Array.from({ length: actions }, () => new RidgeModel(dimensions));
    this.#random = random;
    this.#epsilon = epsilon;
  }

  choose(features: Float64Array, beta: Beta): number {
    if (this.#random() < this.#epsilon) return Math.floor(this.#random() * this.#models.length);
    return this.best(features, beta);
  }

  best(features: Float64Array, beta: Beta): number {
    return argMax(
      this.#models.map((model) =>
        rewardOf({ quality: model.predict(features, 'quality'), cost: model.predict(features, 'cost') }, beta),
      ),
    );
  }

  learn(features: Float64Array, action: number, outcome: StrategyOutcome, weight = 1): void {
    this.#models[action]?.add(features, outcome, weight);
  }
}
