import { setTimeout as sleep } from 'node:timers/promises';

/** Waiting: signals that cancel it, clocks that time it, and queues that do one task after another. */

/** The error with which every cancelled call rejects, whatever the reason of its signal says. */
export function abortError(): DOMException {
  return new DOMException('The call was cancelled.', 'AbortError');
}

/** @throws AbortError when the signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError();
}

/** True for a cancellation, as fetch, Node and this project raise it. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** @throws what was caught, where it is a cancellation, or came with one; returns where something else may be tried. */
export function throwIfCancelled(error: unknown, signal: AbortSignal | undefined): void {
  if (isAbortError(error) || signal?.aborted) throw error;
}

/**
 * Rejects with AbortError when the signal is aborted, even where what it waits for (other people's code, an index that
 * opens) does not listen.
 */
export async function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortError());
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

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
    sleep(Math.min(milliseconds, LONGEST_TIMER), undefined, { signal }).catch(() => {
      throw abortError(); // nothing else ends it early
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

/** Runs tasks one after another, in the order in which they were given. A task that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#last.then(task);
    const ended = (): void => void (this.#waiting -= 1);
    this.#last = result.then(ended, ended);
    return result;
  }

  /** True when nothing runs or waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when everything given so far has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}

/** Runs one piece of work at a time. A second one is refused instead of queued, because the first may take minutes. */
export class OneAtATime {
  readonly #refusal: () => Error;
  #busy = false;

  /** @param refusal Makes the error with which a second piece of work is refused. */
  constructor(refusal: () => Error) {
    this.#refusal = refusal;
  }

  get busy(): boolean {
    return this.#busy;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy) throw this.#refusal();
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
    }
  }
}

/** What a failed attempt means. */
export interface Failure {
  /** Typed error to raise when it is not tried again. */
  error: unknown;
  retry: boolean;
  /** Milliseconds that the server asked to wait. */
  afterMilliseconds?: number;
}

export interface RetryPolicy {
  /** Attempts in all. */
  attempts: number;
  /** First back-off in milliseconds, doubled with each attempt. */
  base: number;
  /** Longest back-off of our own. */
  cap: number;
  /** If a server asks for a longer wait than this, the call fails at once instead, so that the person is told. */
  longestRetryAfter: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 4, base: 500, cap: 8000, longestRetryAfter: 30_000 };

interface RetryContext {
  policy: RetryPolicy;
  clock: Clock;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
  signal: AbortSignal;
  /** Milliseconds left; no wait goes beyond. */
  left(): number;
  judge(error: unknown): Failure;
}

/**
 * Runs an operation until it succeeds, must not be tried again, or the attempts or the time are used up. Waits what the
 * server asked for, else exponentially with full jitter.
 */
export async function withRetry<T>(operation: () => Promise<T>, context: RetryContext): Promise<T> {
  const { policy, clock } = context;
  for (let attempt = 1; ; attempt += 1) {
    throwIfAborted(context.signal);
    try {
      return await operation();
    } catch (error) {
      const failure = context.judge(error);
      if (!failure.retry || attempt >= policy.attempts) throw failure.error;
      const asked = failure.afterMilliseconds;
      if (asked !== undefined && asked > policy.longestRetryAfter) throw failure.error;
      const wait = asked ?? context.random() * Math.min(policy.cap, policy.base * 2 ** (attempt - 1));
      if (wait >= context.left()) throw failure.error;
      await clock.sleep(wait, context.signal);
    }
  }
}

/**
 * Milliseconds of `retry-after-ms` or `Retry-After` (RFC 9110, §10.2.3: seconds or a date); undefined without a
 * readable one.
 */
export function retryAfter(headers: Pick<Headers, 'get'> | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * What is made when it is first asked for, and kept. A promise that fails is not kept: who asks next has it made again.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (made) return made.value;
    made = { value: make() };
    const { value } = made;
    if (value instanceof Promise) value.catch(() => (made = undefined));
    return value;
  };
}

/** Lets timers, messages and I/O run before going on; rejects with AbortError when aborted meanwhile. */
export async function yieldToOthers(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  signal?.throwIfAborted();
}
