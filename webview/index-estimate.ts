import type { IndexState } from '#protocol';

/** How fast vectors are made and how long it still takes, as it is shown: smooth, and never longer than it was. */
export interface IndexEstimate {
  /** Passages per second, smoothed. */
  perSecond: number;
  /** What is shown of the time left. */
  secondsLeft: number;
  /** Passages that there were to embed when it was made: more of them are new work. */
  work: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Seconds after which an older rate counts for a third. */
const SMOOTHING = 8;
/** Seconds that the time left falls per second: slowly where the work takes longer than it seemed, at most fast. */
const SLOWEST = 0.1;
const FASTEST = 3;

/**
 * The estimate after the next state of the index; undefined while nothing is embedded or its rate is not known. The
 * time left only falls, at a pace between the slowest and the fastest that leads to what is measured; new work begins a
 * new estimate.
 */
export function nextEstimate(
  before: IndexEstimate | undefined,
  state: IndexState,
  now: number,
): IndexEstimate | undefined {
  const { phase, passagesToEmbed, passagesEmbedded, passagesPerSecond } = state;
  if (phase !== 'embedding') return undefined;
  const isNewWork = before !== undefined && passagesToEmbed > before.work;
  const seconds = before ? Math.max(0, now - before.at) / 1000 : 0;
  const perSecond = smoothed(before?.perSecond, passagesPerSecond, seconds);
  if (perSecond <= 0) return undefined;
  const measured = Math.max(0, passagesToEmbed - passagesEmbedded) / perSecond;
  if (!before || isNewWork) return { perSecond, secondsLeft: measured, work: passagesToEmbed, at: now };
  const pace = Math.min(FASTEST, Math.max(SLOWEST, before.secondsLeft / Math.max(measured, 0.1)));
  return {
    perSecond,
    secondsLeft: Math.max(0, before.secondsLeft - seconds * pace),
    work: passagesToEmbed,
    at: now,
  };
}

function smoothed(before: number | undefined, measured: number, seconds: number): number {
  if (before === undefined) return measured;
  if (measured <= 0) return before;
  return before + (measured - before) * (1 - Math.exp(-seconds / SMOOTHING));
}
