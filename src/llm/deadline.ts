import type { Clock } from './clock.ts';

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
