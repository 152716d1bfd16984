import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { jsonLines } from '#base';
import { QUESTION_FEATURES, QUESTION_FEATURES_VERSION } from '#learning/lab';
import { DatasetError, mendLog, readLog } from '../evaluation/dataset.ts';

const outcomeShape = z.object({
  /** Token F1 of the answer against gold, 0..1. */
  f1: z.number(),
  /** Language-model calls. */
  calls: z.number(),
  tokens: z.number(),
  /** Along the longest path of the graph. */
  seconds: z.number(),
  /** The short answer; '' when nothing was found. */
  answer: z.string(),
  /** Set when the strategy failed: the answer is '' then. */
  problem: z.string().optional(),
});

const recordShape = z.object({
  version: z.literal(1),
  id: z.string(),
  dataset: z.string(),
  question: z.string(),
  featuresVersion: z.number().int(),
  features: z.array(z.number()),
  model: z.string(),
  /** Every strategy's outcome on this question, by the strategy's name. */
  strategies: z.record(z.string(), outcomeShape),
});

export type LoggedOutcome = z.infer<typeof outcomeShape>;
export type OutcomeRecord = z.infer<typeof recordShape>;

/** Outcomes of a log, one per question. @throws DatasetError */
export function readOutcomes(file: string): OutcomeRecord[] {
  const records = readLog(file, recordShape, { is: 'record of outcomes', from: 'hoptrail eval bandit' });
  for (const { id, features, featuresVersion } of records)
    if (featuresVersion !== QUESTION_FEATURES_VERSION || features.length !== QUESTION_FEATURES.length)
      throw new DatasetError(`The outcomes of ${id} in ${file} were gathered with other question features.`, {
        advice: 'Gather the outcomes again.',
      });
  return records;
}

/** Appends outcomes as they come; a line that was cut off before is taken out first. */
export class OutcomeLog {
  readonly #file: string;
  readonly #known: Map<string, OutcomeRecord>;

  constructor(file: string) {
    this.#file = file;
    const records = readOutcomes(file);
    this.#known = new Map(records.map((record) => [record.id, record]));
    mendLog(file, records);
  }

  /** Whether a question's outcomes with a model are there. @throws DatasetError where its id has those of others */
  has({ id, question }: Pick<OutcomeRecord, 'id' | 'question'>, model: string): boolean {
    const known = this.#known.get(id);
    if (known && (known.question !== question || known.model !== model))
      throw new DatasetError(
        `${this.#file} holds outcomes of ${known.question === question ? `${known.model}, not of ${model}` : `another question ${id}`}.`,
        { advice: 'Give each model and each set of questions its own file.' },
      );
    return known !== undefined;
  }

  add(record: OutcomeRecord): void {
    this.#known.set(record.id, record);
    appendFileSync(this.#file, jsonLines([record]));
  }
}
