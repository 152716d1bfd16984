import type { TokenUsage } from '../language-model/language-model.ts';
import type { QuestionClassification, QuestionType } from '#search';

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
