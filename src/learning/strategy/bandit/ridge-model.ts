/** Square symmetric matrices as full row-major arrays: `m[i * n + j]`. */
type SymmetricMatrix = Float64Array;

function identity(n: number): SymmetricMatrix {
  const m = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) m[i * n + i] = 1;
  return m;
}

/** m ← m + scale · v vᵀ, both halves written from one product, so that the matrix stays exactly symmetric. */
export function addOuter(m: SymmetricMatrix, v: Float64Array, scale: number): void {
  const n = v.length;
  for (let i = 0; i < n; i += 1) {
    const vi = (v[i] as number) * scale;
    if (vi === 0) continue;
    for (let j = i; j < n; j += 1) {
      const added = (m[i * n + j] as number) + vi * (v[j] as number);
      m[i * n + j] = added;
      m[j * n + i] = added;
    }
  }
}

function multiply(m: SymmetricMatrix, v: Float64Array): Float64Array {
  const n = v.length;
  const product = new Float64Array(n);
  for (let j = 0; j < n; j += 1) {
    const vj = v[j] as number; // rows are columns; most features of a strategy are zero
    if (vj !== 0) for (let i = 0; i < n; i += 1) product[i] = (product[i] as number) + vj * (m[j * n + i] as number);
  }
  return product;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Inverse of a positive definite matrix by Cholesky factors. @throws RangeError when it is not positive definite. */
export function invert(m: SymmetricMatrix, n: number): SymmetricMatrix {
  const inverseFactor = invertLower(cholesky(m, n), n);
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = i; j < n; j += 1) {
      let sum = 0;
      for (let k = j; k < n; k += 1) sum += (inverseFactor[k * n + i] as number) * (inverseFactor[k * n + j] as number);
      inverse[i * n + j] = sum;
      inverse[j * n + i] = sum;
    }
  }
  return inverse;
}

function cholesky(m: SymmetricMatrix, n: number): Float64Array {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = m[i * n + j] as number;
      for (let k = 0; k < j; k += 1) sum -= (lower[i * n + k] as number) * (lower[j * n + k] as number);
      if (i !== j) lower[i * n + j] = sum / (lower[j * n + j] as number);
      else if (sum > 0) lower[i * n + i] = Math.sqrt(sum);
      else throw new RangeError(`The matrix is not positive definite at row ${i}.`);
    }
  }
  return lower;
}

function invertLower(lower: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j += 1) {
    inverse[j * n + j] = 1 / (lower[j * n + j] as number);
    for (let i = j + 1; i < n; i += 1) {
      let sum = 0;
      for (let k = j; k < i; k += 1) sum -= (lower[i * n + k] as number) * (inverse[k * n + j] as number);
      inverse[i * n + j] = sum / (lower[i * n + i] as number);
    }
  }
  return inverse;
}

/** What one answer taught: its quality P and its penalised time T, each 0..1. */
export interface StrategyOutcome {
  quality: number;
  cost: number;
}

type Target = keyof StrategyOutcome;

/** What a ridge model is made of; enough to make it again. */
export interface RidgeParts {
  /** A = I + Σ w x xᵀ, full. */
  covariance: SymmetricMatrix;
  /** b = Σ w r x per target. */
  moments: Record<Target, Float64Array>;
}

/**
 * Residual of A·A⁻¹x − x, relative to the largest of x or 1, above which the running inverse is due to be made anew,
 * and above which no estimate should rest on it.
 */
const DRIFT = 1e-7;
const LOST = 1e-4;

/**
 * The linear model of LinUCB (Li et al. 2010, Algorithm 1): A = I + Σxxᵀ, b = Σrx. Quality and cost are learnt apart,
 * over one A: the reward βP − (1−β)T is linear in them, so that one model serves every β and equals LinUCB on that
 * reward.
 *
 * The inverse follows by Sherman and Morrison (1950); A itself is kept exactly. A product of the two is checked with
 * each update: when it is no longer the identity, the inverse is due to be made anew from A, which takes as long as
 * some hundred updates and is left to {@link refresh}; only an inverse that is of no use any more is made anew at once.
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
    this.#moments = {
      quality: Float64Array.from(parts?.moments.quality ?? new Float64Array(dimensions)),
      cost: Float64Array.from(parts?.moments.cost ?? new Float64Array(dimensions)),
    };
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
    return {
      covariance: Float64Array.from(this.#covariance),
      moments: { quality: Float64Array.from(this.#moments.quality), cost: Float64Array.from(this.#moments.cost) },
    };
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
