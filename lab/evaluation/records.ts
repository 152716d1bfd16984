import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { DatasetError } from './dataset.ts';

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

export function readRecords(file: string): EvaluationRecord[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i, lines) => {
      if (line.trim() === '') return [];
      try {
        return [recordShape.parse(JSON.parse(line))];
      } catch (cause) {
        if (i === lines.length - 1) return []; // cut off while it was written: that question is asked again
        throw new DatasetError(`Line ${i + 1} of ${file} is no evaluation record.`, {
          cause,
          advice: 'Name a file written by `hoptrail eval … --out`, or a new one.',
        });
      }
    });
}

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
    if (file && existsSync(file) && !readFileSync(file, 'utf8').endsWith('\n') && old.length > 0)
      appendFileSync(file, '\n');
  }

  get(id: string): EvaluationRecord | undefined {
    return this.#known.get(id);
  }

  add(record: EvaluationRecord): void {
    this.#known.set(record.id, record);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(record)}\n`);
  }
}
