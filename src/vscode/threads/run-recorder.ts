import type { ResearchEvent } from '#research';
import { compactEvents, type ThreadRecord } from './thread-log.ts';

/** Milliseconds between two writes while a run goes on. A crash loses the events since the last write. */
const INTERVAL_MS = 500;

/** Writes a run's events in small batches, so that streaming does not touch the disk for every token. */
export class RunRecorder {
  readonly #runId: string;
  readonly #write: (record: ThreadRecord) => Promise<void>;
  #waiting: ResearchEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(runId: string, write: (record: ThreadRecord) => Promise<void>) {
    this.#runId = runId;
    this.#write = write;
  }

  add(event: ResearchEvent): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    this.#flush();
    await this.#last;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const events = compactEvents(this.#waiting);
    this.#waiting = [];
    this.#last = this.#last.then(() => this.#write({ type: 'events', runId: this.#runId, events }));
  }
}
