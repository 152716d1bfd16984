import type { RunRecord } from '../node-record.ts';
import { deriveRecords, type Derived } from './derive-records.ts';
import type { ExperienceStore } from './experience-store.ts';
import type { RunSigns } from './run-ending.ts';

/** Runs remembered for a word that comes after their end. */
const REMEMBERED = 50;

/** Gathers the records of runs as they come, and lets those that end well teach. */
export class RunCollector {
  readonly #store: ExperienceStore;
  readonly #onProblem: (error: unknown) => void;
  readonly #onRefused: (runId: string, refused: Derived['refused']) => void;
  readonly #runs = new Map<string, { records: RunRecord[]; signs: RunSigns }>();
  #working: Promise<void> = Promise.resolve();

  /** `onProblem` is told when the store cannot be written; `onRefused` what does not teach, and why. */
  constructor(store: ExperienceStore, ports: { onProblem(error: unknown): void; onRefused?(runId: string, refused: Derived['refused']): void }) {
    this.#store = store;
    this.#onProblem = (error) => ports.onProblem(error);
    this.#onRefused = (runId, refused) => ports.onRefused?.(runId, refused);
  }

  /** To be given to the researcher as `onNode`. */
  onNode(record: RunRecord): void {
    const run = this.#runs.get(record.runId) ?? { records: [], signs: {} };
    run.records.push(record);
    this.#runs.set(record.runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > REMEMBERED && oldest !== undefined) this.#runs.delete(oldest);
    if (record.kind === 'answer') this.#teach(record.runId);
  }

  /** A word about a run that has ended: it may begin or cease to teach. A thumb down takes back what it taught, a rejected passage what rests on it, however long ago. */
  feedback(runId: string, signs: RunSigns): void {
    const run = this.#runs.get(runId);
    if (run) run.signs = { ...run.signs, ...signs };
    if (run?.records.some((record) => record.kind === 'answer')) this.#teach(runId);
    else if (signs.thumb === 'down') this.#queue(async () => { await this.#store.delete({ runId }); });
    else if (signs.rejectedPassageIds) this.#queue(() => this.#forgetReadingsOf(runId, signs.rejectedPassageIds ?? []));
  }

  /** Resolves when everything given so far is stored. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async #forgetReadingsOf(runId: string, passageIds: readonly string[]): Promise<void> {
    const readings = await this.#store.list({ runId, kind: 'reading' });
    const ids = readings.filter((record) => record.kind === 'reading' && record.passageIds.some((id) => passageIds.includes(id))).map((record) => record.id);
    if (ids.length > 0) await this.#store.delete({ ids });
  }

  #teach(runId: string): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    const { records, refused } = deriveRecords(run.records, run.signs);
    if (refused.length > 0) this.#onRefused(runId, refused);
    this.#queue(async () => {
      await this.#store.delete({ runId });
      if (records.length > 0) await this.#store.add(records);
    });
  }

  #queue(work: () => Promise<void>): void {
    this.#working = this.#working.then(work).catch((error: unknown) => this.#onProblem(error));
  }
}
