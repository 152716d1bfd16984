import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { QuestionClassification, QuestionType } from '#search';
import { HoptrailError, sum } from '#base';
import type { TokenUsage } from '../language-model/language-model.ts';

export function softmaxProbabilities({ weights, bias }: SoftmaxWeights, features: readonly number[]): number[] {
  const scoreOf = (row: number[], k: number): number =>
    row.reduce((score, weight, i) => score + weight * (features[i] ?? 0), bias[k] ?? 0);
  const scores = weights.map(scoreOf);
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

/** Port: the type of a question, told from its text alone. Rejects with AbortError on abort; never predicts `null`. */
export interface QuestionClassifier {
  /** @param onUsage Told what a language model took for it, so that the run's budget can count it. */
  classify(
    text: string,
    signal?: AbortSignal,
    onUsage?: (usage: TokenUsage, calls: number) => void,
  ): Promise<QuestionClassification>;
}

export interface LabelledQuestion {
  question: string;
  type: PredictedType;
}

/** The trained classifier's file is missing or damaged, or belongs to another version. */
export class ClassifierModelError extends HoptrailError {
  readonly code = 'classifier-model';

  constructor(file: string, problem: string, options?: ErrorOptions) {
    const advice = { advice: 'Install Hoptrail again.', action: 'show-log' } as const;
    super(`The question classifier ${file} cannot be used: ${problem}`, { ...options, ...advice });
  }
}

const modelSchema = z.object({
  version: z.literal(2),
  classes: z.array(z.enum(PREDICTED_TYPES)).min(2),
  /** One row of weights per class, in the order of `classes`; features in order. */
  weights: z.array(z.array(z.number())),
  bias: z.array(z.number()),
  /** Length of the encoder's vectors, and the factor that they are multiplied by before the weights. */
  dimensions: z.number().int().positive(),
  vectorScale: z.number().positive(),
});

/** Multinomial logistic regression over a question's forms and the bundled encoder's vector of it. */
export type ClassifierModel = z.infer<typeof modelSchema>;
export type SoftmaxWeights = Pick<ClassifierModel, 'weights' | 'bias'>;

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
  const { classes, weights, bias, dimensions } = model;
  const features = formFeatures('').length + dimensions;
  const fits = [bias, weights].every(({ length }) => length === classes.length);
  if (!fits || weights.some((row) => row.length !== features))
    throw new ClassifierModelError(file, 'its weights do not fit its features.');
  return model;
}

const NAMES = /(?<=[^.?!]\s)\p{Lu}[\p{L}\p{N}]{1,40}(?:\s\p{Lu}[\p{L}\p{N}]{1,40}){0,5}/gu;

/** Forms of a question that hold in any language, from 0 to 1: its length, names, quotations, numbers and signs. */
function formFeatures(text: string): number[] {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const upTo = (most: number, number: number): number => Math.max(0, Math.min(most, number)) / most;
  const words = count(/\S+/gu);
  const names = count(NAMES);
  const questions = count(/[?？]/gu);
  return [
    upTo(10, words),
    upTo(20, words - 10),
    upTo(1, names),
    upTo(3, names - 1),
    upTo(2, count(/["“«„‘`]/gu)),
    upTo(3, count(/\p{N}+/gu)),
    upTo(1, questions),
    upTo(1, questions - 1),
    upTo(3, count(/[,，、;:]/gu)),
  ];
}

export const questionFeatures = (text: string, vector: Float32Array, scale: number): number[] => [
  ...formFeatures(text),
  ...Array.from(vector, (value) => value * scale),
];

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
