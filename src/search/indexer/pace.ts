import { unlessAborted } from '#base';

/** Waits until the machine has time, or `unless` says that the work is wanted at once. Rejects on abort. */
type UntilQuiet = (unless: () => boolean, signal?: AbortSignal) => Promise<void>;

/** All work waits here while indexing is paused; work that no person waits for also waits while the machine is busy. */
export class PauseGate {
  readonly #untilQuiet: UntilQuiet | undefined;
  #opened: Promise<void> | undefined;
  #open: (() => void) | undefined;

  /** @param untilQuiet Undefined: the machine always has time. */
  constructor(untilQuiet?: UntilQuiet) {
    this.#untilQuiet = untilQuiet;
  }

  get paused(): boolean {
    return this.#opened !== undefined;
  }

  pause(): void {
    this.#opened ??= new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  resume(): void {
    this.#open?.();
    this.#opened = undefined;
    this.#open = undefined;
  }

  /** Resolves when work may go on; rejects on abort. */
  async pass(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    while (this.#opened) await (signal ? unlessAborted(this.#opened, signal) : this.#opened);
  }

  /** As `pass`, for work that can wait until the machine has time, unless it is wanted at once. */
  async passWhenQuiet(unless: () => boolean, signal?: AbortSignal): Promise<void> {
    await this.pass(signal);
    if (!this.#untilQuiet) return;
    await this.#untilQuiet(() => this.paused || unless(), signal);
    await this.pass(signal);
  }
}

/** A commit of vectors is worth its while with so many rows, or after so many milliseconds. */
const ROWS = 500;
const EVERY_MS = 5_000;
/** What a kill may cost at most: so many milliseconds of embedding, or so many vectors. */
const LONGEST_MS = 30_000;
const MOST_ROWS = 4_000;
/** Of the time, writing takes at most so much, as long as the bounds above allow. */
const WRITING_SHARE = 0.1;

/**
 * Says when vectors are to be written. What a commit costs grows with the table, whatever is in it: so commits come as
 * much less often as the last one took longer, and hold more rows.
 */
export class CommitPace {
  readonly #now: () => number;
  #began: number;
  #lastMs = 0;

  /** @param now Milliseconds, monotonic */
  constructor(now: () => number) {
    this.#now = now;
    this.#began = now();
  }

  /** Whether so many rows, made since the last commit began, are to be written now. */
  isDue(rows: number): boolean {
    const since = this.#now() - this.#began;
    if (rows >= MOST_ROWS || since >= LONGEST_MS) return true;
    return (rows >= ROWS || since > EVERY_MS) && since * WRITING_SHARE >= this.#lastMs;
  }

  /** A commit takes over the rows made until now. */
  begins(): void {
    this.#began = this.#now();
  }

  /** Does the write and notes how long it took; rejects as it does. */
  async measured<T>(write: () => Promise<T>): Promise<T> {
    const began = this.#now();
    try {
      return await write();
    } finally {
      this.#lastMs = this.#now() - began;
    }
  }
}
