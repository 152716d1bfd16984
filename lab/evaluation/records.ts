import { appendFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { jsonLines } from '#base';
import { DatasetError, mendLog, readLog } from './dataset.ts';

const recordShape = z.object({
  /** Question id, with a suffix where one question is asked twice. */
  id: z.string(),
  /** What the run was made with; records of another configuration are not mixed in. */
  fingerprint: z.string(),
  metrics: z.record(z.string(), z.number()),
  ms: z.number(),
  tokens: z.number(),
  detail: z.unknown(),
});

/** Outcome of one question. `detail` is what a person wants to see when two runs differ. */
export type EvaluationRecord = z.infer<typeof recordShape>;

/** Records of a file that must be there and hold some, for those that compare. @throws DatasetError */
export function requireRecords(file: string): EvaluationRecord[] {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new DatasetError(`There is no file ${file}.`, { advice: 'Name a file written by `hoptrail eval … --out`.' });
  const records = readRecords(file);
  if (records.length === 0)
    throw new DatasetError(`${file} holds no evaluation record.`, {
      advice: 'Name a file written by `hoptrail eval … --out`.',
    });
  return records;
}

export const readRecords = (file: string): EvaluationRecord[] =>
  readLog(file, recordShape, { is: 'evaluation record', from: 'hoptrail eval … --out' });

/** Appends records to a file as they come, and knows the ones that are there already. */
export class RecordLog {
  readonly #file: string | undefined;
  readonly #known: Map<string, EvaluationRecord>;

  constructor(file: string | undefined, fingerprint: string) {
    this.#file = file;
    const old = file ? readRecords(file) : [];
    const foreign = old.find((record) => record.fingerprint !== fingerprint);
    if (file && foreign)
      throw new DatasetError(`${file} holds records of another configuration.`, {
        advice: 'Give each configuration its own --out file.',
      });
    this.#known = new Map(old.map((record) => [record.id, record]));
    if (file) mendLog(file, old);
  }

  get(id: string): EvaluationRecord | undefined {
    return this.#known.get(id);
  }

  add(record: EvaluationRecord): void {
    this.#known.set(record.id, record);
    if (this.#file) appendFileSync(this.#file, jsonLines([record]));
  }
}
