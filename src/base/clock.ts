import { abortError } from './abort.ts';

/** The clock of everything that waits for a server. It is passed in, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with AbortError on abort. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay that `setTimeout` takes, in milliseconds (24 days). With a longer one it would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError());
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(abortError());
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(milliseconds, LONGEST_TIMER),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** The clock of what goes on in this process: it measures how long things take, and does things later. */
export interface TimerClock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Calls back after so many milliseconds, unless what it returns is called before. */
  later(milliseconds: number, callback: () => void): () => void;
}

export const timerClock: TimerClock = {
  now: () => performance.now(),
  later: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The signal of one call. The caller or the deadline aborts it; `passed` tells whether it was the deadline. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  passed(): boolean;
  /** Stops the timer and no longer listens to the caller's signal. */
  end(): void;
}

export function startDeadline(clock: Clock, seconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const timer = new AbortController();
  const ends = clock.now() + seconds * 1000;
  let passed = false;
  const onAbort = (): void => controller.abort();
  if (caller?.aborted) controller.abort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  clock.sleep(seconds * 1000, timer.signal).then(
    () => {
      passed = true;
      controller.abort();
    },
    () => undefined, // ended before its time
  );
  return {
    signal: controller.signal,
    left: () => ends - clock.now(),
    passed: () => passed,
    end() {
      timer.abort();
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
