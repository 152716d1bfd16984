import type { QuestionClassifier } from '#research/lab';
import type { DatasetQuestion } from '../dataset.ts';
import type { EvaluationRecord } from '../records.ts';
import type { Outcome } from '../run-questions.ts';

/** Accuracy over the answerable types: `null` is a verdict after looking, never a class. */
export async function askClassify(
  question: DatasetQuestion,
  classifier: QuestionClassifier,
  signal: AbortSignal,
): Promise<Outcome> {
  const { type, probabilities } = await classifier.classify(question.question, signal);
  return {
    metrics: { accuracy: type === question.type ? 1 : 0 },
    detail: { question: question.question, gold: question.type, predicted: type, probabilities },
  };
}

export function confusionOf(records: readonly EvaluationRecord[]): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {};
  for (const { detail } of records) {
    const { gold, predicted } = detail as { gold: string; predicted: string };
    const row = (table[gold] ??= {});
    row[predicted] = (row[predicted] ?? 0) + 1;
  }
  return table;
}
