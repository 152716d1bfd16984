import { HoptrailError } from '../../model/error-report.ts';

/** There is nothing to compare an old and a new model on. */
export class NothingToCompareError extends HoptrailError {
  readonly code = 'learning-nothing-to-compare';
}

/** One held-out question, scored with the old and with the new (both 0..1, more is better). */
export interface ScoredPair {
  id: string;
  before: number;
  after: number;
}

export interface GateVerdict {
  questions: number;
  before: number;
  after: number;
  /** after − before, with its 95 % interval. */
  difference: number;
  ci95: [number, number];
  /** One-sided: how likely a difference as large would be if old and new were equal. */
  p: number;
  wins: boolean;
}

/** Chance of taking a new model that is no better. */
const LEVEL = 0.05;
const ROUNDS = 4000;

/**
 * Whether the new one wins: better on the mean, and by more than chance would give by a paired sign-flip test (Fisher's randomisation
 * test). No difference is no win: the old one stays. `random` gives numbers from 0 inclusive to 1 exclusive; seed it for repeatable
 * verdicts. @throws NothingToCompareError without pairs.
 */
export function decideGate(pairs: readonly ScoredPair[], random: () => number): GateVerdict {
  if (pairs.length === 0) throw new NothingToCompareError('No question was held out to compare old and new on.', { advice: 'Learn again when more runs have been kept.' });
  const differences = pairs.map(({ before, after }) => after - before);
  const difference = mean(differences);
  const resampled = Array.from({ length: ROUNDS }, () => mean(differences.map(() => differences[Math.floor(random() * differences.length)] as number))).sort((a, b) => a - b);
  let asLarge = 0;
  for (let i = 0; i < ROUNDS; i += 1) if (mean(differences.map((value) => (random() < 0.5 ? value : -value))) >= difference - 1e-12) asLarge += 1;
  const p = (asLarge + 1) / (ROUNDS + 1);
  return {
    questions: pairs.length, before: mean(pairs.map((pair) => pair.before)), after: mean(pairs.map((pair) => pair.after)), difference,
    ci95: [resampled[Math.floor(0.025 * ROUNDS)] as number, resampled[Math.ceil(0.975 * ROUNDS) - 1] as number], p, wins: difference > 0 && p <= LEVEL,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
