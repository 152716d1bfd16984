import { sum } from '#base';
import type { SoftmaxWeights } from '#research/lab';

export interface SoftmaxRow {
  features: readonly number[];
  /** Index of the class. */
  label: number;
  weight: number;
}

interface SoftmaxOptions {
  /** L2 penalty on the weights, per unit of row weight. */
  lambda: number;
  iterations: number;
}

/**
 * Multinomial logistic regression by accelerated gradient descent (Nesterov 1983) on the whole batch: convex,
 * deterministic, the same rows give the same weights.
 */
export function trainSoftmax(
  rows: readonly SoftmaxRow[],
  classes: number,
  { lambda, iterations }: SoftmaxOptions,
): SoftmaxWeights {
  const width = rows[0]?.features.length ?? 0;
  const dense = rows.map((row) => ({ ...row, features: Float64Array.from(row.features) }));
  const stride = width + 1; // the bias is the last weight of a class
  const totalWeight = sum(rows.map(({ weight }) => weight));
  const step = 1 / (0.5 * meanSquareNorm(rows, totalWeight) + lambda);
  let weights = new Float64Array(classes * stride);
  let ahead = Float64Array.from(weights);
  const gradient = new Float64Array(classes * stride);
  for (let t = 1; t <= iterations; t += 1) {
    gradientAt(ahead, dense, classes, stride, gradient);
    const next = new Float64Array(weights.length);
    for (let i = 0; i < next.length; i += 1) {
      const penalty = i % stride === width ? 0 : lambda * (ahead[i] ?? 0);
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
