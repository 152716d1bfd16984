import { addTo, hashShare, HoptrailError, mean } from '#base';

/** There is nothing to compare an old and a new model on. */
export class NothingToCompareError extends HoptrailError {
  readonly code = 'learning-nothing-to-compare';
}

/** One held-out example, scored with the old and with the new (both 0..1, more is better). */
export interface ScoredPair {
  /** The question it belongs to: pairs of one question are one observation, counted by their means. */
  id: string;
  before: number;
  after: number;
}

export interface GateVerdict {
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
 * Whether the new one wins: better on the mean, and by more than chance would give by a paired sign-flip test (Fisher's
 * randomisation test) over questions: what was scored on one question hangs together, and is averaged first. No
 * difference is no win: the old one stays.
 *
 * The level holds for one round. Every round is tested on the same held-out questions, and the level is not corrected
 * for the rounds before: of twenty rounds whose new models are no better, about one wins by chance.
 *
 * `random` gives numbers from 0 inclusive to 1 exclusive; seed it for repeatable verdicts. @throws
 * NothingToCompareError without pairs.
 */
export function decideGate(pairs: readonly ScoredPair[], random: () => number): GateVerdict {
  if (pairs.length === 0)
    throw new NothingToCompareError('No question was held out to compare old and new on.', {
      advice: 'Learn again when more runs have been kept.',
    });
  const questions = byQuestion(pairs);
  const differences = questions.map(({ before, after }) => after - before);
  const difference = mean(differences);
  const resampled = Array.from({ length: ROUNDS }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] as number)),
  ).sort((a, b) => a - b);
  let asLarge = 0;
  for (let i = 0; i < ROUNDS; i += 1)
    if (mean(differences.map((value) => (random() < 0.5 ? value : -value))) >= difference - 1e-12) asLarge += 1;
  const p = (asLarge + 1) / (ROUNDS + 1);
  return {
    questions: questions.length,
    before: mean(questions.map((one) => one.before)),
    after: mean(questions.map((one) => one.after)),
    difference,
    ci95: [resampled[Math.floor(0.025 * ROUNDS)] as number, resampled[Math.ceil(0.975 * ROUNDS) - 1] as number],
    p,
    wins: difference > 0 && p <= LEVEL,
  };
}

/** One pair per question, in the order in which questions first come. */
function byQuestion(pairs: readonly ScoredPair[]): { before: number; after: number }[] {
  const questions = new Map<string, ScoredPair[]>();
  for (const pair of pairs) addTo(questions, pair.id, pair);
  return [...questions.values()].map((own) => ({
    before: mean(own.map((pair) => pair.before)),
    after: mean(own.map((pair) => pair.after)),
  }));
}

export interface Split {
  seed: number;
  /** Share of questions held out, 0..1. */
  share: number;
}

/**
 * Whether a question is kept for comparing: all records of one question fall on the same side, in every round with the
 * same seed.
 */
export const isQuestionHeldOut = (question: string, { seed, share }: Split): boolean =>
  hashShare(`${seed} question ${keyOf(question)}`) < share;

/** Something asked, and the question that it was asked for; its own where that is not named. */
interface Asked {
  question: string;
  runQuestion?: string;
}

/**
 * The whole question that a part belongs to. All parts of a question stay on one side of the split, and count as one
 * observation.
 */
export const wholeOf = ({ question, runQuestion = question }: Asked): string => keyOf(runQuestion);

/**
 * Both sides of a split by whole questions. What is asked on the held-out side is not trained on either where another
 * question led to it too.
 */
export function splitByQuestion<T extends Asked>(asked: readonly T[], split: Split): { training: T[]; heldOut: T[] } {
  const isHeldOut = (one: T): boolean => isQuestionHeldOut(wholeOf(one), split);
  const heldOut = asked.filter(isHeldOut);
  const known = new Set(heldOut.map(({ question }) => keyOf(question)));
  return { heldOut, training: asked.filter((one) => !isHeldOut(one) && !known.has(keyOf(one.question))) };
}

const keyOf = (question: string): string => question.trim().toLowerCase();
