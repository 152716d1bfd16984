import { HoptrailError } from '#base';
import type { EvaluationRecord, RecordLog } from './records.ts';

/** Nothing to evaluate. */
export class EmptyEvaluationError extends HoptrailError {
  readonly code = 'evaluation-empty';
}

export interface Outcome {
  metrics: Record<string, number>;
  tokens?: number;
  detail?: unknown;
}

export interface RunOptions {
  log: RecordLog;
  fingerprint: string;
  now(): number;
  signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** Asks the questions one after the other; what the log holds already is not asked again. */
export async function runQuestions<Q extends { id: string }>(
  questions: readonly Q[],
  ask: (question: Q) => Promise<Outcome>,
  options: RunOptions,
): Promise<EvaluationRecord[]> {
  if (questions.length === 0)
    throw new EmptyEvaluationError('No question of this data file can be used for this task.', {
      advice: 'Check --data, and that its questions have what the task needs (lab/EXPERIMENTS.md).',
    });
  const records: EvaluationRecord[] = [];
  for (const question of questions) {
    options.signal.throwIfAborted();
    let record = options.log.get(question.id);
    if (!record) {
      const started = options.now();
      const { metrics, tokens = 0, detail = null } = await ask(question);
      record = {
        id: question.id,
        fingerprint: options.fingerprint,
        metrics,
        ms: options.now() - started,
        tokens,
        detail,
      };
      options.log.add(record);
    }
    records.push(record);
    options.progress(records.length, questions.length);
  }
  return records;
}
