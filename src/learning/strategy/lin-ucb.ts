/** What one answer taught: its quality P and its penalised time T, each 0..1. */
export interface StrategyOutcome {
  quality: number;
  cost: number;
}

/** β: how much an answer's quality weighs against its cost. AQA's is 0.5. */
export const BETA = 0.5;
/** The α of the paper, for rewards of unit scale. */
const PAPER_ALPHA = 2;

/** AQA's reward: βP − (1−β)T. */
export const rewardOf = ({ quality, cost }: StrategyOutcome, beta = BETA): number => beta * quality - (1 - beta) * cost;

/** What is thought of one action. */
export interface ActionEstimate {
  /** θᵀx for quality and for cost; a linear model may leave 0..1. */
  expected: StrategyOutcome;
  /** √(xᵀA⁻¹x): how little is known. */
  width: number;
}

/** Chooses an action by its index for a question's features, and learns from what came of it. */
export interface Policy {
  readonly name: string;
  choose(features: readonly number[], beta: number): number;
  /** What it holds to be best, without trying anything out. */
  best(features: readonly number[], beta: number): number;
  learn(features: readonly number[], action: number, outcome: StrategyOutcome): void;
}

interface Arm {
  /** A = I + Σxxᵀ by rows. */
  covariance: number[][];
  /** b = Σrx, of quality and of cost. */
  quality: number[];
  cost: number[];
}

/**
 * LinUCB with disjoint linear models (Li et al. 2010, Algorithm 1; AQA's learner): A = I + Σxxᵀ and b = Σrx per action,
 * the largest θᵀx + α√(xᵀA⁻¹x) is chosen. Quality and cost are learnt apart over one A: the reward is linear in them,
 * so that one model serves every β.
 */
export class LinUcb implements Policy {
  readonly name: string = 'lin-ucb';
  readonly #arms: readonly Arm[];
  readonly #alpha: number;

  /** @param dimensions Length of x. */
  constructor(actions: number, dimensions: number, alpha: number = PAPER_ALPHA) {
    this.#alpha = alpha;
    const zeros = (): number[] => Array.from({ length: dimensions }, () => 0);
    this.#arms = Array.from({ length: actions }, () => ({
      covariance: zeros().map((_, i) => zeros().map((__, j) => (i === j ? 1 : 0))),
      quality: zeros(),
      cost: zeros(),
    }));
  }

  learn(features: readonly number[], action: number, { quality, cost }: StrategyOutcome): void {
    const arm = this.#arms[action];
    if (!arm) throw new RangeError(`There is no action ${action}.`);
    arm.covariance = arm.covariance.map((row, i) => row.map((value, j) => value + at(features, i) * at(features, j)));
    arm.quality = arm.quality.map((value, i) => value + quality * at(features, i));
    arm.cost = arm.cost.map((value, i) => value + cost * at(features, i));
  }

  estimate(features: readonly number[]): ActionEstimate[] {
    return this.#arms.map(({ covariance, quality, cost }) => {
      const along = solve(covariance, features); // A⁻¹x: A is symmetric, so that θᵀx = bᵀA⁻¹x
      return {
        expected: { quality: dot(quality, along), cost: dot(cost, along) },
        width: Math.sqrt(Math.max(0, dot(features, along))),
      };
    });
  }

  choose(features: readonly number[], beta: number = BETA): number {
    return highest(this.estimate(features), beta, this.#alpha);
  }

  best(features: readonly number[], beta: number = BETA): number {
    return highest(this.estimate(features), beta, 0);
  }
}

/** Index of the largest upper confidence bound of the reward, the first of equals; −1 for none. */
export const highest = (estimates: readonly ActionEstimate[], beta: number, alpha: number): number =>
  argMax(estimates.map(({ expected, width }) => rewardOf(expected, beta) + alpha * width));

/** Index of the largest value, the first of equals; −1 for none. */
export const argMax = (values: readonly number[]): number =>
  values.reduce((best, value, i) => (best < 0 || value > at(values, best) ? i : best), -1);

const at = (values: readonly number[], i: number): number => values[i] ?? 0;
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * at(b, i), 0);

/** A⁻¹x of a positive definite A, by Cholesky's factors. @throws RangeError where it is not positive definite */
export function solve(matrix: readonly (readonly number[])[], x: readonly number[]): number[] {
  const lower: number[][] = [];
  for (const [i, row] of matrix.entries()) {
    const own: number[] = [];
    lower.push(own);
    for (let j = 0; j <= i; j += 1) {
      const left = at(row, j) - dot(own.slice(0, j), lower[j] ?? []);
      if (i === j && !(left > 0)) throw new RangeError(`The matrix is not positive definite at row ${i}.`);
      own.push(i === j ? Math.sqrt(left) : left / at(lower[j] ?? [], j));
    }
  }
  const middle: number[] = [];
  for (const [i, row] of lower.entries()) middle.push((at(x, i) - dot(row.slice(0, i), middle)) / at(row, i));
  const result = middle.map(() => 0);
  for (let i = middle.length - 1; i >= 0; i -= 1) {
    const below = lower.slice(i + 1).reduce((sum, row, k) => sum + at(row, i) * at(result, i + 1 + k), 0);
    result[i] = (at(middle, i) - below) / at(lower[i] ?? [], i);
  }
  return result;
}
