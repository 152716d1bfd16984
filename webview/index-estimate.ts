import type { IndexState } from '#protocol';

/** How fast the index grows and how long it still takes, as it is shown: smooth, and never longer than it was. */
export interface IndexEstimate {
  /** Files are counted while they are read, passages while they are embedded. */
  phase: 'reading' | 'embedding';
  /** Files or passages per second, smoothed; 0 until it is known. */
  perSecond: number;
  /** What is shown of the time left; undefined until it is known. */
  secondsLeft?: number;
  /** Files to read or passages to embed, when it was made: more of them are new work. */
  work: number;
  /** How many of them were done. */
  done: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Seconds after which an older rate counts for a third. */
const SMOOTHING = 8;
/** Seconds that the time left falls per second: slowly where the work takes longer than it seemed, at most fast. */
const SLOWEST = 0.1;
const FASTEST = 3;

/** Seconds over which read files are counted: the index is told of more often, and files are not alike. */
const COUNTED = 1;

/**
 * The estimate after the next state of the index; undefined while nothing is read or embedded, or the rate of embedding
 * is not known. The time left only falls, at a pace between the slowest and the fastest that leads to what is measured;
 * new work begins a new estimate.
 */
export function nextEstimate(
  before: IndexEstimate | undefined,
  state: IndexState,
  now: number,
): IndexEstimate | undefined {
  const { phase } = state;
  if (phase !== 'reading' && phase !== 'embedding') return undefined;
  const isReading = phase === 'reading';
  const work = isReading ? state.filesTotal : state.passagesToEmbed;
  const done = isReading ? state.filesDone : state.passagesEmbedded;
  const known = before?.phase === phase ? before : undefined;
  const seconds = known ? Math.max(0, now - known.at) / 1000 : 0;
  if (isReading && !known) return { phase, perSecond: 0, work, done, at: now };
  if (isReading && known && seconds < COUNTED) return known;
  const measured = isReading ? Math.max(0, done - (known?.done ?? 0)) / seconds : state.passagesPerSecond;
  const perSecond = smoothed(known?.perSecond, measured, seconds);
  if (perSecond <= 0) return isReading ? known : undefined;
  const needed = Math.max(0, work - done) / perSecond;
  const shown = known && work <= known.work ? known.secondsLeft : undefined;
  const pace = Math.min(FASTEST, Math.max(SLOWEST, (shown ?? 0) / Math.max(needed, 0.1)));
  const secondsLeft = shown === undefined ? needed : Math.max(0, shown - seconds * pace);
  return { phase, perSecond, secondsLeft, work, done, at: now };
}

function smoothed(before: number | undefined, measured: number, seconds: number): number {
  if (before === undefined || before === 0) return measured;
  if (measured <= 0) return before;
  return before + (measured - before) * (1 - Math.exp(-seconds / SMOOTHING));
}
