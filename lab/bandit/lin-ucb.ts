import {
  type ActionEstimate,
  argMax,
  type Beta,
  constantExploration,
  type Exploration,
  type Policy,
  RidgeModel,
  type StrategyOutcome,
  upperBounds,
} from '#learning/lab';

/** What a model expects of its action. */
export const expectedBy = (model: RidgeModel, features: Float64Array): StrategyOutcome => ({
  quality: model.predict(features, 'quality'),
  cost: model.predict(features, 'cost'),
});

/**
 * LinUCB with disjoint linear models (Li et al. 2010, Algorithm 1; AQA's learner): one A and b per action, chosen by
 * the largest θᵀx + α√(xᵀA⁻¹x). Knows nothing of what actions have in common: see {@link SharedLinUcb}.
 */
export class LinUcb implements Policy {
  readonly name = 'lin-ucb';
  readonly models: readonly RidgeModel[];
  readonly #exploration: Exploration;
  #steps = 0;

  constructor(actions: number, dimensions: number, exploration: Exploration = constantExploration()) {
    this.models = Array.from({ length: actions }, () => new RidgeModel(dimensions));
    this.#exploration = exploration;
  }

  choose(features: Float64Array, beta: Beta): number {
    return argMax(upperBounds(this.estimate(features), beta, this.#exploration(this.#steps)));
  }

  best(features: Float64Array, beta: Beta): number {
    return argMax(upperBounds(this.estimate(features), beta, 0));
  }

  learn(features: Float64Array, action: number, outcome: StrategyOutcome, weight = 1): void {
    this.models[action]?.add(features, outcome, weight);
    this.#steps += weight;
  }

  estimate(features: Float64Array): ActionEstimate[] {
    return this.models.map((model, action) => ({
      action,
      expected: expectedBy(model, features),
      width: model.width(features),
    }));
  }
}
