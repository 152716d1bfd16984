import { BadReplyError, type QuestionClassifier } from '#research/lab';
import type { DatasetQuestion } from '../dataset.ts';
import type { EvaluationRecord } from '../records.ts';
import type { Outcome } from '../run-questions.ts';

/** What a run takes a question for that nobody could classify. */
const COMMONEST = 'inference';

/**
 * Accuracy over the answerable types (`null` is a verdict after looking, never a class), and what it cost. A reply that
 * cannot be read leaves a run with the commonest type, and so it counts here.
 */
export async function askClassify(
  question: DatasetQuestion,
  classifier: QuestionClassifier,
  signal: AbortSignal,
): Promise<Outcome> {
  const cost = { calls: 0, tokens: 0 };
  const charge = (
    { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
    calls: number,
  ): void => {
    cost.calls += calls;
    cost.tokens += inputTokens + outputTokens;
  };
  const { type, probabilities } = await classifier
    .classify(question.question, signal, charge)
    .catch((error: unknown) => {
      if (!(error instanceof BadReplyError)) throw error;
      charge(error.usage, error.calls);
      return { type: COMMONEST, probabilities: {} };
    });
  return {
    metrics: { accuracy: type === question.type ? 1 : 0, ...cost },
    tokens: cost.tokens,
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
