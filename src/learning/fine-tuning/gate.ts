import { addTo, hashShare, HoptrailError, mean } from '#base';

/** There is nothing to compare an old and a new model on. */
export class NothingToCompareError extends HoptrailError {
  readonly code = 'learning-nothing-to-compare';
}

/** One held-out example, scored with the old and with the new model (both 0..1, more is better). */
export interface ScoredPair {
  /** The question it belongs to: pairs of one question are one observation, counted by their means. */
  id: string;
  before: number;
  after: number;
}

interface GateVerdict {
  /** Distinct questions. */
  questions: number;
  /** Means over questions. */
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
 * Whether the new model wins: its mean over questions is higher, and by more than chance would give in a paired
 * sign-flip test (Fisher's randomisation test). No difference is no win. The level holds for one comparison; it is not
 * corrected for earlier ones on the same questions.
 * @param random From 0 inclusive to 1 exclusive; seed it for repeatable verdicts. @throws NothingToCompareError
 */
export function decideGate(pairs: readonly ScoredPair[], random: () => number): GateVerdict {
  if (pairs.length === 0)
    throw new NothingToCompareError('No question was held out to compare old and new on.', {
      advice: 'Learn again when more runs have been kept.',
    });
  const byQuestion = new Map<string, ScoredPair[]>();
  for (const pair of pairs) addTo(byQuestion, pair.id, pair);
  const questions = [...byQuestion.values()].map((own) => ({
    before: mean(own.map((pair) => pair.before)),
    after: mean(own.map((pair) => pair.after)),
  }));
  const differences = questions.map(({ before, after }) => after - before);
  const difference = mean(differences);
  const resampled = Array.from({ length: ROUNDS }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((a, b) => a - b);
  const flipped = Array.from({ length: ROUNDS }, () =>
    mean(differences.map((value) => (random() < 0.5 ? value : -value))),
  );
  const p = (flipped.filter((one) => one >= difference - 1e-12).length + 1) / (ROUNDS + 1);
  return {
    questions: questions.length,
    before: mean(questions.map((one) => one.before)),
    after: mean(questions.map((one) => one.after)),
    difference,
    ci95: [resampled[Math.floor(0.025 * ROUNDS)] ?? 0, resampled[Math.ceil(0.975 * ROUNDS) - 1] ?? 0],
    p,
    wins: difference > 0 && p <= LEVEL,
  };
}

/** Whether a question is kept for comparing: all records of one question fall on the same side for one seed. */
export const isQuestionHeldOut = (question: string, { seed, share }: { seed: number; share: number }): boolean =>
  hashShare(`${seed} question ${keyOf(question)}`) < share;

/** A question as it is told from others: case and spaces at the ends do not count. */
export const keyOf = (question: string): string => question.trim().toLowerCase();
