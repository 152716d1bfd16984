import { abortError, type Clock, type TimerClock } from '../../src/base/waiting.ts';

/**
 * A clock that a test moves. Sleeps up to `instant` milliseconds end at once and are recorded, moving the clock; longer
 * ones (deadlines) end when the test advances past them.
 */
export class ManualClock implements Clock {
  readonly slept: number[] = [];
  #now: number;
  readonly #instant: number;
  #pending: { at: number; wake: () => void }[] = [];

  constructor(now = 0, instant = 60_000 - 1) {
    this.#now = now;
    this.#instant = instant;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(abortError());
    if (milliseconds <= this.#instant) {
      this.slept.push(milliseconds);
      this.#now += milliseconds;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + milliseconds, wake: resolve };
      this.#pending.push(sleeper);
      signal?.addEventListener(
        'abort',
        () => {
          this.#pending = this.#pending.filter((one) => one !== sleeper);
          reject(abortError());
        },
        { once: true },
      );
    });
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#pending.filter((one) => one.at <= this.#now);
    this.#pending = this.#pending.filter((one) => one.at > this.#now);
    for (const { wake } of due) wake();
  }

  /** Deadlines still running. */
  get pending(): number {
    return this.#pending.length;
  }
}

/** Timers that run out when a test says so; what the time is, is told by the machine. */
export class ManualTimers implements TimerClock {
  #running: { after: number; callback: () => void }[] = [];

  now(): number {
    return performance.now();
  }

  later(after: number, callback: () => void): () => void {
    const timer = { after, callback };
    this.#running.push(timer);
    return () => {
      this.#running = this.#running.filter((other) => other !== timer);
    };
  }

  /** How many of so many milliseconds run. */
  running(after: number): number {
    return this.#running.filter((timer) => timer.after === after).length;
  }

  /** Those of so many milliseconds run out. */
  runOut(after: number): void {
    const due = this.#running.filter((timer) => timer.after === after);
    this.#running = this.#running.filter((timer) => timer.after !== after);
    for (const { callback } of due) callback();
  }
}
