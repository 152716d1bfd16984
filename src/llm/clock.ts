import { abortError } from './abort.ts';

/** Time as the providers see it: injected, so that no test waits. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with AbortError on abort. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What timers can count to, in milliseconds; a longer one would fire at once. It is 24 days, longer than anything here runs. */
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
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, Math.min(milliseconds, LONGEST_TIMER));
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};
