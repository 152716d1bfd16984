import type { LanguageModel } from '#research';
import type { QuestionClassification, QuestionType } from '#search';

/** Version of {@link questionFeatures}: outcomes of another one are not read. */
export const QUESTION_FEATURES_VERSION = 3;

const TYPES = ['inference', 'comparison', 'temporal', 'lookup', 'overview'] as const satisfies readonly QuestionType[];

/** Names of the features in their order. Each lies in 0..1. */
export const QUESTION_FEATURES = ['constant', ...TYPES, 'length', 'follow-up'] as const;

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });
/** Words of a question of length ½. */
const HALF_LENGTH = 15;

/**
 * A question as the bandit sees it (AQA's context vector: the complexity that a classifier tells): probabilities of its
 * types, its length, and whether it follows up on others. Arithmetic only: nothing is searched, no model is asked.
 */
export function questionFeatures({
  question,
  historyLength,
  classification: { type, probabilities },
}: {
  question: string;
  /** Earlier exchanges of the thread. */
  historyLength: number;
  classification: QuestionClassification;
}): number[] {
  const words = [...WORDS.segment(question)].filter(({ isWordLike }) => isWordLike).length;
  return [
    1,
    ...TYPES.map((name) => probabilities[name] ?? (type === name ? 1 : 0)),
    words / (words + HALF_LENGTH),
    historyLength > 0 ? 1 : 0,
  ];
}

/** The likeliest type by these features; `null` where no type has a probability. */
export function likeliestType(features: readonly number[]): QuestionType {
  const chance = (type: (typeof TYPES)[number]): number => features[1 + TYPES.indexOf(type)] ?? 0;
  const likeliest = TYPES.reduce((best, type) => (chance(type) > chance(best) ? type : best));
  return chance(likeliest) > 0 ? likeliest : 'null';
}

export const MODEL_CLASSES = ['small', 'middle', 'large'] as const;
export type ModelClass = (typeof MODEL_CLASSES)[number];

/**
 * The class of a model by its window, in tokens: under 8,192 small, under 65,536 middle, else large. Outcomes of one
 * class say nothing about another.
 */
export const modelClass = ({ contextTokens }: Pick<LanguageModel, 'contextTokens'>): ModelClass =>
  contextTokens < 8192 ? 'small' : contextTokens < 65_536 ? 'middle' : 'large';
