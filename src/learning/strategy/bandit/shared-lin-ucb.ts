import {
  type ActionEstimate,
  argMax,
  type Beta,
  constantExploration,
  type Exploration,
  type Policy,
  upperBounds,
} from './policy.ts';
import { RidgeModel, type RidgeParts, type StrategyOutcome } from './ridge-model.ts';

/** Scale of an action's own offset: small, so that it takes several outcomes to leave what its kind has taught. */
const OWN = 0.5;

/**
 * LinUCB that shares strength between actions: one linear model over φ(x, a) = [x ⊗ s(a), ½·1ₐ], where s(a) are the
 * structural features of the graph. What a question's features say about an agent, about a vote or about depth is
 * learnt from every graph that has them; only an offset is a graph's own. It is the hybrid model of Li et al. (2010,
 * §3.2) with all of x shared.
 *
 * Scoring contracts A⁻¹ with x once (m·d)² and leaves m² per action, so that 97 actions cost little more than one.
 */
export class SharedLinUcb implements Policy {
  readonly name = 'shared-lin-ucb';
  readonly model: RidgeModel;
  readonly #structures: readonly Float64Array[];
  readonly #parts: number;
  readonly #dimensions: number;
  readonly #exploration: Exploration;
  #steps: number;

  /** @param structures s(a) of each action, of equal lengths. @param dimensions Length of x. */
  constructor(
    structures: readonly Float64Array[],
    dimensions: number,
    options: { exploration?: Exploration; learnt?: RidgeParts; steps?: number } = {},
  ) {
    this.#structures = structures;
    this.#parts = structures[0]?.length ?? 0;
    this.#dimensions = dimensions;
    this.#exploration = options.exploration ?? constantExploration();
    this.#steps = options.steps ?? 0;
    this.model = new RidgeModel(this.#parts * dimensions + structures.length, options.learnt);
  }

  /** Outcomes learnt so far, by weight. */
  get steps(): number {
    return this.#steps;
  }

  choose(features: Float64Array, beta: Beta): number {
    return argMax(upperBounds(this.estimate(features), beta, this.#exploration(this.#steps)));
  }

  best(features: Float64Array, beta: Beta): number {
    return argMax(upperBounds(this.estimate(features), beta, 0));
  }

  learn(features: Float64Array, action: number, outcome: StrategyOutcome, weight = 1): void {
    this.model.add(this.joint(features, action), outcome, weight);
    this.#steps += weight;
  }

  /** Changes an outcome that was learnt before. */
  correct(features: Float64Array, action: number, difference: Partial<StrategyOutcome>): void {
    const joint = this.joint(features, action);
    this.model.shift(joint, 'quality', difference.quality ?? 0);
    this.model.shift(joint, 'cost', difference.cost ?? 0);
  }

  /** φ(x, a). */
  joint(features: Float64Array, action: number): Float64Array {
    const joint = new Float64Array(this.model.dimensions);
    this.#structures[action]?.forEach((structure, p) => {
      if (structure !== 0)
        features.forEach((value, i) => {
          joint[p * this.#dimensions + i] = structure * value;
        });
    });
    joint[this.#parts * this.#dimensions + action] = OWN;
    return joint;
  }

  estimate(features: Float64Array): ActionEstimate[] {
    const n = this.model.dimensions;
    const offsets = this.#parts * this.#dimensions;
    const quality = this.#along(this.model.weights('quality'), features);
    const cost = this.#along(this.model.weights('cost'), features);
    const rows = this.#contractedRows(features);
    const square = rows.map((row) => this.#along(row, features)); // G_pq = Σ x_i A⁻¹[pi, qj] x_j
    return this.#structures.map((structure, action) => {
      const own = offsets + action;
      let variance = OWN * OWN * (this.model.inverse[own * n + own] as number);
      structure.forEach((sp, p) => {
        if (sp === 0) return;
        variance += 2 * OWN * sp * (rows[p]?.[own] as number);
        structure.forEach((sq, q) => {
          variance += sp * sq * (square[p]?.[q] as number);
        });
      });
      const expected = (weights: Float64Array, shared: Float64Array): number =>
        structure.reduce((sum, sp, p) => sum + sp * (shared[p] as number), OWN * (weights[own] as number));
      return {
        action,
        expected: {
          quality: expected(this.model.weights('quality'), quality),
          cost: expected(this.model.weights('cost'), cost),
        },
        width: Math.sqrt(Math.max(0, variance)),
      };
    });
  }

  /** For each part p the row Σ_i x_i A⁻¹[pi, ·]. */
  #contractedRows(features: Float64Array): Float64Array[] {
    const n = this.model.dimensions;
    const { inverse } = this.model;
    return Array.from({ length: this.#parts }, (_, p) => {
      const row = new Float64Array(n);
      features.forEach((value, i) => {
        if (value === 0) return;
        const from = (p * this.#dimensions + i) * n;
        for (let j = 0; j < n; j += 1) row[j] = (row[j] as number) + value * (inverse[from + j] as number);
      });
      return row;
    });
  }

  /** Contracts the x side of a vector over (part, feature): one number per part. */
  #along(vector: Float64Array, features: Float64Array): Float64Array {
    return Float64Array.from({ length: this.#parts }, (_, p) =>
      features.reduce((sum, value, i) => sum + value * (vector[p * this.#dimensions + i] as number), 0),
    );
  }
}
