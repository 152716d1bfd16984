import type { RunRecord } from '#research';
import { deriveRecords, type RunSigns } from './derive-records.ts';
import type { ExperienceRecord, Provenance } from './experience-record.ts';
import type { ExperienceStore } from './experience-store.ts';

/** Most ended runs that are kept in memory, so that a later thumb or rejected passage can change what they teach. */
const REMEMBERED = 50;

interface CollectedRun {
  records: RunRecord[];
  signs: RunSigns;
  provenance: Provenance;
  /** Whether the store may hold lessons of it. */
  hasTaught?: boolean;
}

/** Gathers the records of runs as they come, and stores those of runs that ended well. */
export class RunCollector {
  readonly #store: ExperienceStore;
  readonly #onProblem: (error: unknown) => void;
  readonly #runs = new Map<string, CollectedRun>();
  #working: Promise<unknown> = Promise.resolve();

  /** `onProblem` is told when the store cannot be written. */
  constructor(store: ExperienceStore, ports: { onProblem(error: unknown): void }) {
    this.#store = store;
    this.#onProblem = (error) => ports.onProblem(error);
  }

  /** To be passed to the researcher as `onNode`. `provenance` are the models that read the texts of the run. */
  onNode(record: RunRecord, provenance: Provenance = {}): void {
    const run = this.#runs.get(record.runId) ?? { records: [], signs: {}, provenance };
    run.records.push(record);
    this.#runs.set(record.runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > REMEMBERED && oldest !== undefined) this.#runs.delete(oldest);
    if (record.kind === 'answer') this.#teach(record.runId);
  }

  /**
   * A word about a run that has ended: it may begin or cease to teach. A thumb down takes back what it taught, a
   * rejected passage what rests on it, however long ago. Returns how many lessons it gives now, of those that are
   * remembered.
   */
  feedback(runId: string, signs: RunSigns): number {
    const run = this.#runs.get(runId);
    if (run) run.signs = { ...run.signs, ...signs };
    if (run?.records.some((record) => record.kind === 'answer')) return this.#teach(runId);
    if (signs.thumb === 'down') this.#queue(() => this.#store.delete({ runId }));
    else if (signs.rejectedPassageIds) this.#queue(() => this.#forgetReadingsOf(runId, signs.rejectedPassageIds ?? []));
    return 0;
  }

  /** Knows of no run that came before: no later word about one brings back what was forgotten. */
  forget(): void {
    this.#runs.clear();
  }

  /** Resolves when everything given so far is stored. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async #forgetReadingsOf(runId: string, passageIds: readonly string[]): Promise<void> {
    const readings = await this.#store.list({ runId, kind: 'reading' });
    const ids = readings
      .filter((record) => record.kind === 'reading' && record.passageIds.some((id) => passageIds.includes(id)))
      .map((record) => record.id);
    if (ids.length > 0) await this.#store.delete({ ids });
  }

  #teach(runId: string): number {
    const run = this.#runs.get(runId);
    if (!run) return 0;
    const records = withProvenance(deriveRecords(run.records, run.signs).records, run);
    // Most runs teach nothing: the store, which is written as a whole, has nothing to do for them.
    if (records.length > 0 || run.hasTaught) this.#queue(() => this.#store.replaceRun(runId, records));
    run.hasTaught = records.length > 0;
    return records.length;
  }

  #queue(work: () => Promise<unknown>): void {
    this.#working = this.#working.then(work).catch((error: unknown) => this.#onProblem(error));
  }
}

/**
 * Notes who has read each record: the model only what it was asked about. Where the reply is empty, no model was asked,
 * or none answered.
 */
function withProvenance(
  records: readonly ExperienceRecord[],
  { records: run, provenance: { model, embedder } }: CollectedRun,
): ExperienceRecord[] {
  const asked = new Set<string | null>(
    run.flatMap((record) => (record.kind === 'node' && record.reply !== '' ? [record.stepId] : [])),
  );
  const judged = run.some((record) => record.kind === 'answer' && record.sent !== undefined);
  if (asked.size > 0 || judged) asked.add(null); // the end of the run
  return records.map((record): ExperienceRecord => {
    const read = model !== undefined && record.source.model === model.id && asked.has(record.source.stepId);
    return {
      ...record,
      source: {
        ...record.source,
        ...(read && { endpoint: model.endpoint }),
        ...(embedder !== undefined && { embedder }),
      },
    };
  });
}
