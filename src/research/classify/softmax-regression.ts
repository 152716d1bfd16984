import { z } from 'zod';

export const weightsSchema = z.object({
  /** One row of weights per class, in the order of `classes`; features in order. */
  weights: z.array(z.array(z.number())),
  bias: z.array(z.number()),
});
export type SoftmaxWeights = z.infer<typeof weightsSchema>;

export interface SoftmaxRow {
  features: readonly number[];
  /** Index of the class. */
  label: number;
  weight: number;
}

export interface SoftmaxOptions {
  /** L2 penalty on the weights (on the bias only with `around`), per unit of row weight. */
  lambda: number;
  iterations: number;
  /**
   * Where the weights start, and what the penalty pulls them back to: what was learnt before is left only as far as the
   * rows demand. Zeros when undefined.
   */
  around?: SoftmaxWeights;
}

/**
 * Multinomial logistic regression by accelerated gradient descent (Nesterov 1983) on the whole batch: convex,
 * deterministic, the same rows give the same weights.
 */
export function trainSoftmax(
  rows: readonly SoftmaxRow[],
  classes: number,
  { lambda, iterations, around }: SoftmaxOptions,
): SoftmaxWeights {
  const width = rows[0]?.features.length ?? 0;
  const dense = rows.map((row) => ({ ...row, features: Float64Array.from(row.features) }));
  const stride = width + 1; // the bias is the last weight of a class
  const totalWeight = rows.reduce((sum, row) => sum + row.weight, 0);
  const step = 1 / (0.5 * meanSquareNorm(rows, totalWeight) + lambda);
  const centre = around ? flattened(around, stride) : new Float64Array(classes * stride);
  let weights = Float64Array.from(centre);
  let ahead = Float64Array.from(weights);
  const gradient = new Float64Array(classes * stride);
  for (let t = 1; t <= iterations; t += 1) {
    gradientAt(ahead, dense, classes, stride, gradient);
    const next = new Float64Array(weights.length);
    for (let i = 0; i < next.length; i += 1) {
      const penalty = i % stride === width && !around ? 0 : lambda * ((ahead[i] ?? 0) - (centre[i] ?? 0));
      next[i] = (ahead[i] ?? 0) - step * ((gradient[i] ?? 0) / totalWeight + penalty);
    }
    const momentum = (t - 1) / (t + 2);
    ahead = next.map((value, i) => value + momentum * (value - (weights[i] ?? 0)));
    weights = next;
  }
  return {
    weights: Array.from({ length: classes }, (_, k) => Array.from(weights.subarray(k * stride, k * stride + width))),
    bias: Array.from({ length: classes }, (_, k) => weights[k * stride + width] ?? 0),
  };
}

/** Each class's weights and then its bias. */
function flattened({ weights, bias }: SoftmaxWeights, stride: number): Float64Array {
  const flat = new Float64Array(bias.length * stride);
  weights.forEach((row, k) => {
    flat.set(row, k * stride);
    flat[k * stride + stride - 1] = bias[k] ?? 0;
  });
  return flat;
}

interface DenseRow {
  features: Float64Array;
  label: number;
  weight: number;
}

/** Gradient of the weighted log-loss, summed over the rows, written into `gradient`. */
function gradientAt(
  weights: Float64Array,
  rows: readonly DenseRow[],
  classes: number,
  stride: number,
  gradient: Float64Array,
): void {
  gradient.fill(0);
  const scores = new Float64Array(classes);
  for (const { features, label, weight } of rows) {
    let highest = -Infinity;
    for (let k = 0; k < classes; k += 1) {
      let score = weights[k * stride + stride - 1] ?? 0;
      for (let i = 0; i < stride - 1; i += 1) score += (weights[k * stride + i] ?? 0) * (features[i] ?? 0);
      scores[k] = score;
      highest = Math.max(highest, score);
    }
    let total = 0;
    for (let k = 0; k < classes; k += 1) total += scores[k] = Math.exp((scores[k] ?? 0) - highest);
    for (let k = 0; k < classes; k += 1) {
      const error = weight * ((scores[k] ?? 0) / total - (k === label ? 1 : 0));
      for (let i = 0; i < stride - 1; i += 1)
        gradient[k * stride + i] = (gradient[k * stride + i] ?? 0) + error * (features[i] ?? 0);
      gradient[k * stride + stride - 1] = (gradient[k * stride + stride - 1] ?? 0) + error;
    }
  }
}

/**
 * Bounds the curvature: the loss's second derivative is at most half the largest eigenvalue of the rows' second
 * moments, itself under their trace.
 */
function meanSquareNorm(rows: readonly SoftmaxRow[], totalWeight: number): number {
  return (
    rows.reduce(
      (sum, { features, weight }) => sum + weight * features.reduce((norm, value) => norm + value * value, 1),
      0,
    ) / totalWeight
  );
}

/** Softmax of the classes' scores; sums to 1. */
export function softmaxProbabilities({ weights, bias }: SoftmaxWeights, features: readonly number[]): number[] {
  const scores = weights.map((row, k) =>
    row.reduce((sum, weight, i) => sum + weight * (features[i] ?? 0), bias[k] ?? 0),
  );
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
