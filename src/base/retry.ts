import { throwIfAborted, type Clock } from './waiting.ts';

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

export interface RetryContext {
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
