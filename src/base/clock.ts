import { abortError } from './abort.ts';

/** Time as the providers see it: injected, so that no test waits. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with AbortError on abort. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * What timers can count to, in milliseconds; a longer one would fire at once. It is 24 days, longer than anything here
 * runs.
 */
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

/** A call's own signal: aborted by the caller or by its deadline, and it can be told which. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  passed(): boolean;
  /** Stops the timer and listens no more. */
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
