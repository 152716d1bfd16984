import {
  type ExperienceKind,
  type ExperienceRecord,
  experienceShape,
  showsQuestion,
  wordsOf,
} from './experience-record.ts';
import { poisonOfRecord } from './find-poison.ts';
import { jsonLines, type LineFile, readJsonLines } from '#base';

interface ExperienceLimits {
  records: number;
  bytes: number;
}

const DEFAULT_EXPERIENCE_LIMITS: ExperienceLimits = { records: 5000, bytes: 20_000_000 };

interface ExperienceFilter {
  kind?: ExperienceKind;
  runId?: string;
  ids?: readonly string[];
  /** Only what may leave the machine. */
  consent?: ExperienceRecord['consent'];
}

/** Lines of a kind that are read at most where only the newest are wanted: each takes some 0.2 ms. */
const NEWEST = 600;

export interface ExperienceSummary {
  records: Record<ExperienceKind, number>;
  runs: number;
  /** Records that a person allowed to leave the machine. */
  consented: number;
  bytes: number;
  /** Lines that could not be read; they go with the next change. */
  damaged: number;
}

/**
 * What runs have taught, one JSON line each. Newest wins among records that ask the same; when a limit is reached, the
 * oldest go. Every method works on the file as it is now, and changes it while no other window does. Nothing here sends
 * anything anywhere.
 */
export class ExperienceStore {
  readonly #file: LineFile;
  readonly #limits: ExperienceLimits;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: LineFile, limits: ExperienceLimits = DEFAULT_EXPERIENCE_LIMITS) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Adds records; returns how many were new or replaced an older one. */
  add(records: readonly ExperienceRecord[]): Promise<number> {
    return this.#change((old) => [...old, ...records], keptOf(records));
  }

  /** Puts what a run teaches now in the place of all that it taught before; nothing: it does not teach any more. */
  replaceRun(runId: string, records: readonly ExperienceRecord[]): Promise<number> {
    return this.#change((old) => [...old.filter((record) => !fits(record, { runId })), ...records], keptOf(records));
  }

  /**
   * The records as they lie in the file, newest first, for people to look at. Those that may teach: {@link lessons}.
   */
  async list(filter: ExperienceFilter = {}): Promise<ExperienceRecord[]> {
    await this.#queue;
    const { values } = readJsonLines(await this.#file.read(), experienceShape);
    return values.filter((record) => fits(record, filter)).reverse();
  }

  /**
   * The newest records of a kind that may teach, newest first. Each is checked (find-poison.ts): the file may have been
   * edited or imported. Quick, also where the file is large.
   */
  async lessons(kind: ExperienceKind): Promise<ExperienceRecord[]> {
    await this.#queue;
    const lines = (await this.#file.read()).split('\n').filter((line) => line.includes(`"kind":"${kind}"`));
    const { values } = readJsonLines(lines.slice(-NEWEST).join('\n'), experienceShape);
    return values.filter((record) => record.kind === kind && poisonOfRecord(record) === undefined).reverse();
  }

  async summary(): Promise<ExperienceSummary> {
    await this.#queue;
    const text = await this.#file.read();
    const { values: records, damaged } = readJsonLines(text, experienceShape);
    const counts: ExperienceSummary['records'] = { decomposition: 0, reading: 0, critique: 0 };
    for (const record of records) counts[record.kind] += 1;
    return {
      records: counts,
      runs: new Set(records.map((record) => record.source.runId)).size,
      consented: records.filter((record) => record.consent === 'upload').length,
      bytes: Buffer.byteLength(text),
      damaged: damaged.length,
    };
  }

  /**
   * Deletes what fits the filter; returns how many. An empty filter deletes everything. A split that is deleted goes
   * from the calls of other runs as well, in which it was shown as an example.
   */
  delete(filter: ExperienceFilter): Promise<number> {
    return this.#change(
      (old) => {
        const splits = old.filter((record) => record.kind === 'decomposition' && fits(record, filter));
        const gone = new Set(splits.map(({ runQuestion }) => wordsOf(runQuestion)));
        return old.filter((record) => !fits(record, filter)).map((record) => withoutCallShowing(record, gone));
      },
      (old) => old.filter((record) => fits(record, filter)).length,
    );
  }

  /** Notes what a person agreed to. */
  setConsent(ids: readonly string[], consent: ExperienceRecord['consent']): Promise<number> {
    const chosen = new Set(ids);
    return this.#change(
      (old) => old.map((record) => (chosen.has(record.id) ? { ...record, consent } : record)),
      (old) => old.filter((record) => chosen.has(record.id)).length,
    );
  }

  /** Everything as JSON lines, oldest first: what {@link import} takes back. */
  async export(): Promise<string> {
    return jsonLines((await this.list()).reverse());
  }

  /**
   * Adds the records of an export; lines that are no records, and records that must not teach, are counted and left
   * out.
   */
  async import(text: string): Promise<{ added: number; damaged: number; refused: number }> {
    const { values: records, damaged } = readJsonLines(text, experienceShape);
    const sound = records.filter((record) => poisonOfRecord(record) === undefined);
    return { added: await this.add(sound), damaged: damaged.length, refused: records.length - sound.length };
  }

  /** One change after the other: the file is read, changed and replaced as a whole. */
  #change(
    change: (old: readonly ExperienceRecord[]) => ExperienceRecord[],
    count: (old: readonly ExperienceRecord[], kept: readonly ExperienceRecord[]) => number,
  ): Promise<number> {
    const work = this.#queue.then(() =>
      this.#file.change((text) => {
        const old = readJsonLines(text, experienceShape).values;
        const { kept, text: changed } = this.#bounded(withoutOlder(change(old)));
        return { text: changed, result: count(old, kept) };
      }),
    );
    this.#queue = work.catch(() => undefined); // the caller gets the error; the next change starts afresh
    return work;
  }

  /**
   * The newest, and their lines. One that is larger than all may be together is left out, and costs the others nothing.
   */
  #bounded(records: readonly ExperienceRecord[]): { kept: ExperienceRecord[]; text: string } {
    const kept: ExperienceRecord[] = [];
    const lines: string[] = [];
    let bytes = 0;
    for (const record of [...records].reverse()) {
      const line = jsonLines([record]);
      const size = Buffer.byteLength(line);
      if (size > this.#limits.bytes) continue;
      bytes += size;
      if (kept.length >= this.#limits.records || bytes > this.#limits.bytes) break;
      kept.push(record);
      lines.push(line);
    }
    return { kept: kept.reverse(), text: lines.reverse().join('') };
  }
}

/** How many of these are among what a change has kept. */
function keptOf(given: readonly ExperienceRecord[]) {
  return (_: unknown, kept: readonly ExperienceRecord[]): number => {
    const all = new Set(kept);
    return given.filter((record) => all.has(record)).length;
  };
}

/** A record without its call, where that shows one of these questions as an example. */
function withoutCallShowing(record: ExperienceRecord, questions: ReadonlySet<string>): ExperienceRecord {
  if (!showsQuestion(record, questions)) return record;
  const { sent: _, ...rest } = record;
  return rest;
}

/** Each id once, at the place of its newest record. */
function withoutOlder(records: readonly ExperienceRecord[]): ExperienceRecord[] {
  const byId = new Map<string, ExperienceRecord>();
  for (const record of [...records].sort((a, b) => a.source.time - b.source.time)) {
    byId.delete(record.id);
    byId.set(record.id, record);
  }
  return [...byId.values()];
}

function fits(record: ExperienceRecord, { kind, runId, ids, consent }: ExperienceFilter): boolean {
  return (
    (kind === undefined || record.kind === kind) &&
    (runId === undefined || record.source.runId === runId) &&
    (ids === undefined || ids.includes(record.id)) &&
    (consent === undefined || record.consent === consent)
  );
}
