import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { QuestionClassification, QuestionType } from '#search';
import { HoptrailError, sum } from '#base';
import type { TokenUsage } from '../language-model/language-model.ts';
import { CUE_NAMES } from './question-cues.ts';

const weightsSchema = z.object({
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
  let ahead = weights.slice();
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

/** Softmax of the classes' scores; sums to 1. */
export function softmaxProbabilities({ weights, bias }: SoftmaxWeights, features: readonly number[]): number[] {
  const scores = weights.map((row, k) =>
    row.reduce((sum, weight, i) => sum + weight * (features[i] ?? 0), bias[k] ?? 0),
  );
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

/** Types that a question can be told from its words. `null` is not among them: it is a verdict after looking. */
export const PREDICTED_TYPES = [
  'inference',
  'comparison',
  'temporal',
  'lookup',
  'overview',
] as const satisfies readonly QuestionType[];

export type PredictedType = (typeof PREDICTED_TYPES)[number];

/** Told what a classification by a language model cost, so that the run's budget can count it. */
export type OnUsage = (usage: TokenUsage, calls: number) => void;

/** Port: the type of a question, told from its text alone. Rejects with AbortError on abort; never predicts `null`. */
export interface QuestionClassifier {
  classify(text: string, signal?: AbortSignal, onUsage?: OnUsage): Promise<QuestionClassification>;
}

/** A question whose type is known. */
export interface LabelledQuestion {
  question: string;
  type: PredictedType;
}

/** The trained classifier's file is missing or damaged, or belongs to another version. */
export class ClassifierModelError extends HoptrailError {
  readonly code = 'classifier-model';

  constructor(file: string, problem: string, options: { cause?: unknown } = {}) {
    super(`The question classifier ${file} cannot be used: ${problem}`, {
      ...options,
      advice: 'Install Hoptrail again.',
      action: 'show-log',
    });
  }
}

const modelSchema = z.object({
  version: z.literal(1),
  classes: z.array(z.enum(PREDICTED_TYPES)).min(2),
  cues: z.array(z.string()),
  /** Length of the encoder's vectors, and the factor that they are multiplied by before the weights. */
  dimensions: z.number().int().positive(),
  vectorScale: z.number().positive(),
  /** Features: the cues, then the scaled vector. */
  full: weightsSchema,
  /** Features: the cues alone, for when there is no vector of the right kind. */
  cuesOnly: weightsSchema,
});

/** Multinomial logistic regression over cue words and the bundled encoder's vectors. */
export type ClassifierModel = z.infer<typeof modelSchema>;

/** @throws ClassifierModelError */
export async function readClassifierModel(file: string): Promise<ClassifierModel> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new ClassifierModelError(file, 'it cannot be read.', { cause });
  }
  return parseClassifierModel(parsed, file);
}

/** A model that was read from `file`, checked against what this version computes. @throws ClassifierModelError */
export function parseClassifierModel(parsed: unknown, file: string): ClassifierModel {
  const checked = modelSchema.safeParse(parsed);
  if (!checked.success)
    throw new ClassifierModelError(file, 'it does not have the expected form.', { cause: checked.error });
  const model = checked.data;
  if (model.cues.length !== CUE_NAMES.length || model.cues.some((cue, i) => cue !== CUE_NAMES[i]))
    throw new ClassifierModelError(file, 'it was trained on other cues.');
  const fits = (weights: SoftmaxWeights, features: number): boolean =>
    weights.bias.length === model.classes.length &&
    weights.weights.length === model.classes.length &&
    weights.weights.every((row) => row.length === features);
  if (!fits(model.full, model.cues.length + model.dimensions) || !fits(model.cuesOnly, model.cues.length))
    throw new ClassifierModelError(file, 'its weights do not fit its features.');
  return model;
}

/** The features of `full`: cues, then the vector. */
export function fullFeatures(cues: readonly number[], vector: Float32Array, scale: number): number[] {
  return [...cues, ...Array.from(vector, (value) => value * scale)];
}

/** Likeliest class with all probabilities. */
export function toClassification(
  classes: readonly PredictedType[],
  probabilities: readonly number[],
): { type: PredictedType; probabilities: Partial<Record<PredictedType, number>> } {
  let best = 0;
  probabilities.forEach((probability, k) => {
    if (probability > (probabilities[best] ?? 0)) best = k;
  });
  return {
    type: classes[best] ?? 'inference',
    probabilities: Object.fromEntries(classes.map((name, k) => [name, probabilities[k] ?? 0])),
  };
}

const examplesSchema = z.record(z.enum(PREDICTED_TYPES), z.array(z.string().min(1)).min(1));

/** The labelled examples that ship with Hoptrail. @throws ClassifierModelError */
export async function readQuestionExamples(file: string): Promise<LabelledQuestion[]> {
  try {
    const byType = examplesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return PREDICTED_TYPES.flatMap((type) => byType[type].map((question) => ({ question, type })));
  } catch (cause) {
    throw new ClassifierModelError(file, 'its examples cannot be read.', { cause });
  }
}
