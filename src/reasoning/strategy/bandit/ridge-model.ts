import { addOuter, dot, identity, invert, multiply, type SymmetricMatrix } from './symmetric-matrix.ts';

/** What one answer taught: its quality P and its penalised time T, each 0..1. */
export interface StrategyOutcome {
  quality: number;
  cost: number;
}

export type Target = keyof StrategyOutcome;

/** What a ridge model is made of; enough to make it again. */
export interface RidgeParts {
  /** A = I + Σ w x xᵀ, full. */
  covariance: SymmetricMatrix;
  /** b = Σ w r x per target. */
  moments: Record<Target, Float64Array>;
}

/** Residual of A·A⁻¹x − x, relative to the largest of x or 1, above which the running inverse is due to be made anew, and above which no estimate should rest on it. */
const DRIFT = 1e-7;
const LOST = 1e-4;

/**
 * The linear model of LinUCB (Li et al. 2010, Algorithm 1): A = I + Σxxᵀ, b = Σrx. Quality and cost are learnt apart, over one A:
 * the reward βP − (1−β)T is linear in them, so that one model serves every β and equals LinUCB on that reward.
 *
 * The inverse follows by Sherman and Morrison (1950); A itself is kept exactly. A product of the two is checked with each update: when it
 * is no longer the identity, the inverse is due to be made anew from A, which takes as long as some hundred updates and is left to
 * {@link refresh}; only an inverse that is of no use any more is made anew at once.
 */
export class RidgeModel {
  readonly dimensions: number;
  readonly #covariance: SymmetricMatrix;
  readonly #moments: Record<Target, Float64Array>;
  #inverse: SymmetricMatrix;
  #weights: Partial<Record<Target, Float64Array>> = {};
  #reinversions = 0;
  #drifted = false;

  constructor(dimensions: number, parts?: RidgeParts) {
    this.dimensions = dimensions;
    this.#covariance = parts ? Float64Array.from(parts.covariance) : identity(dimensions);
    this.#moments = { quality: Float64Array.from(parts?.moments.quality ?? new Float64Array(dimensions)), cost: Float64Array.from(parts?.moments.cost ?? new Float64Array(dimensions)) };
    this.#inverse = parts ? invert(this.#covariance, dimensions) : identity(dimensions);
  }

  /** Learns an outcome, as `weight` observations of it. */
  add(x: Float64Array, outcome: StrategyOutcome, weight = 1): void {
    addOuter(this.#covariance, x, weight);
    const along = multiply(this.#inverse, x);
    addOuter(this.#inverse, along, -weight / (1 + weight * dot(x, along)));
    this.shift(x, 'quality', outcome.quality * weight);
    this.shift(x, 'cost', outcome.cost * weight);
    this.#keepSafe(x);
  }

  /** Corrects an outcome that was learnt: adds to its value what was missing, without counting it again. */
  shift(x: Float64Array, target: Target, difference: number): void {
    const moment = this.#moments[target];
    for (let i = 0; i < x.length; i += 1) moment[i] = (moment[i] as number) + difference * (x[i] as number);
    this.#weights = {};
  }

  /** θ = A⁻¹b. */
  weights(target: Target): Float64Array {
    return (this.#weights[target] ??= multiply(this.#inverse, this.#moments[target]));
  }

  predict(x: Float64Array, target: Target): number {
    return dot(this.weights(target), x);
  }

  /** √(xᵀA⁻¹x): how little is known in this direction. */
  width(x: Float64Array): number {
    return Math.sqrt(Math.max(0, dot(x, multiply(this.#inverse, x))));
  }

  /** A⁻¹, read-only: for those who contract it themselves. */
  get inverse(): SymmetricMatrix {
    return this.#inverse;
  }

  /** Makes the inverse anew where it has drifted. To be called when nobody waits. */
  refresh(): void {
    if (this.#drifted) this.#invertAnew();
  }

  /** How often the inverse had to be made anew. */
  get reinversions(): number {
    return this.#reinversions;
  }

  parts(): RidgeParts {
    return { covariance: Float64Array.from(this.#covariance), moments: { quality: Float64Array.from(this.#moments.quality), cost: Float64Array.from(this.#moments.cost) } };
  }

  #keepSafe(x: Float64Array): void {
    const back = multiply(this.#covariance, multiply(this.#inverse, x));
    let [residual, scale] = [0, 1];
    for (let i = 0; i < x.length; i += 1) {
      residual = Math.max(residual, Math.abs((back[i] as number) - (x[i] as number)));
      scale = Math.max(scale, Math.abs(x[i] as number));
    }
    residual /= scale;
    this.#drifted ||= residual > DRIFT;
    if (residual > LOST) this.#invertAnew();
  }

  #invertAnew(): void {
    this.#inverse = invert(this.#covariance, this.dimensions);
    this.#weights = {};
    this.#drifted = false;
    this.#reinversions += 1;
  }
}
