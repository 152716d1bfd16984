import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { QUESTION_FEATURES, QUESTION_FEATURES_VERSION } from '#learning/lab';
import { DatasetError } from '../evaluation/dataset.ts';

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

/** Outcomes of a JSON-lines file, one per question. A last line that was cut off is left out. @throws DatasetError */
export function readOutcomes(file: string): OutcomeRecord[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      const record = recordShape.parse(JSON.parse(line));
      if (record.featuresVersion !== QUESTION_FEATURES_VERSION || record.features.length !== QUESTION_FEATURES.length)
        throw new DatasetError(`Line ${i + 1} of ${file} was gathered with other question features.`, {
          advice: 'Gather the outcomes again.',
        });
      return [record];
    } catch (cause) {
      if (i === lines.length - 1) return []; // cut off while it was written: that question is asked again
      if (cause instanceof DatasetError) throw cause;
      throw new DatasetError(`Line ${i + 1} of ${file} holds no outcomes of strategies.`, {
        cause,
        advice: 'Name a file written by `hoptrail eval bandit`, or a new one.',
      });
    }
  });
}

/** Appends outcomes as they come; a line that was cut off before is taken out first. */
export class OutcomeLog {
  readonly #file: string;
  readonly #known: Map<string, OutcomeRecord>;

  constructor(file: string) {
    this.#file = file;
    const records = readOutcomes(file);
    this.#known = new Map(records.map((record) => [record.id, record]));
    if (existsSync(file) && !/(?:^|\n)$/u.test(readFileSync(file, 'utf8')))
      writeFileSync(file, records.map(lineOf).join(''));
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
    appendFileSync(this.#file, lineOf(record));
  }
}

const lineOf = (record: OutcomeRecord): string => `${JSON.stringify(record)}\n`;
