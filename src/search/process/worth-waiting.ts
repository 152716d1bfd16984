import type { IndexState } from '../domain/index-state.ts';

/** Passages without a vector for which a question waits: some ten seconds on a slow machine. */
const MOST_AWAITED = 512;

/**
 * Whether a question should wait for the index: while files are read, and for the last vectors. Where more are missing
 * it is answered by words, and by the vectors that there are. The limit counts work, so that a busy machine gives the
 * same answer.
 */
export function isWorthWaitingFor({ phase, missing, coverage, notices }: IndexState): boolean {
  if (missing) return false;
  if (phase === 'starting' || phase === 'reading') return true;
  // Whoever embeds while the computer is idle may do so tomorrow.
  const waits = notices.some(({ code }) => code === 'waits');
  return phase === 'embedding' && !waits && coverage.passages - coverage.embedded <= MOST_AWAITED;
}
