import { unlessAborted } from '#base';
import type { IndexState } from '../domain/index-state.ts';
import type { IndexService } from '../indexer/index-service.ts';

/** Milliseconds that a question waits at most until its workspace was read for the first time. */
const LONGEST_WAIT = 15_000;

/**
 * Waits while a workspace is read for the first time, where that ends soon: who opens a folder and asks at once would
 * be told that nothing is there. Most of an index that can be searched is enough, as is one that nobody makes now.
 * @param waits Told once, where it has to be waited.
 */
export async function firstReading(
  { index, onState }: { index: Pick<IndexService, 'state'>; onState(listener: StateListener): () => void },
  signal: AbortSignal,
  waits: () => void,
): Promise<void> {
  const until = performance.now() + LONGEST_WAIT;
  const isWorthIt = (state: IndexState): boolean => endsSoon(state, until - performance.now());
  const now = await index.state(signal);
  if (!hasHardlyBegun(now) || !isWorthIt(now)) return;
  waits();
  let goOn = (): void => {};
  const over = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const look: StateListener = (state) => {
    if (!isWorthIt(state)) goOn();
  };
  const stop = onState(look);
  const alarm = setTimeout(goOn, LONGEST_WAIT);
  try {
    look(await index.state(signal)); // it may have ended before anybody listened
    await unlessAborted(over, signal);
  } finally {
    clearTimeout(alarm);
    stop();
  }
}

type StateListener = (state: IndexState) => void;

/** Less than half of what is there can be found by its meaning. */
const hasHardlyBegun = ({ coverage }: IndexState): boolean =>
  coverage.passages === 0 || coverage.embedded * 2 < coverage.passages;

/** Whether the index is being made and, as far as can be told, done in so many milliseconds. */
function endsSoon({ phase, missing, secondsLeft = 0, notices }: IndexState, milliseconds: number): boolean {
  if (missing) return false;
  if (phase === 'starting' || phase === 'reading') return true;
  // Whoever embeds while the computer is idle may do so tomorrow.
  return phase === 'embedding' && secondsLeft * 1000 <= milliseconds && !notices.some(({ code }) => code === 'waits');
}
