import { createHash } from 'node:crypto';

export interface Split {
  seed: number;
  /** Share of questions held out, 0..1. */
  share: number;
}

/** A number from 0 inclusive to 1 exclusive that depends on the text alone. */
export const hashShare = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;

/** Whether a question is kept for comparing: all records of one question fall on the same side, in every round with the same seed. */
export const isQuestionHeldOut = (question: string, { seed, share }: Split): boolean => hashShare(`${seed} question ${keyOf(question)}`) < share;

/** Something asked, and the question that it was asked for; its own where that is not named. */
interface Asked {
  question: string;
  runQuestion?: string;
}

/** The question under which a part is split and judged: parts of one question are one observation. */
export const wholeOf = ({ question, runQuestion = question }: Asked): string => keyOf(runQuestion);

/** Both sides of a split by whole questions. What is asked on the held-out side is not trained on either where another question led to it too. */
export function splitByQuestion<T extends Asked>(asked: readonly T[], split: Split): { training: T[]; heldOut: T[] } {
  const isHeldOut = (one: T): boolean => isQuestionHeldOut(wholeOf(one), split);
  const heldOut = asked.filter(isHeldOut);
  const known = new Set(heldOut.map(({ question }) => keyOf(question)));
  return { heldOut, training: asked.filter((one) => !isHeldOut(one) && !known.has(keyOf(one.question))) };
}

const keyOf = (question: string): string => question.trim().toLowerCase();
