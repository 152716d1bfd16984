import { createHash } from 'node:crypto';

export interface Split {
  seed: number;
  /** Share of questions held out, 0..1. */
  share: number;
}

/** A number from 0 inclusive to 1 exclusive that depends on the text alone. */
export const hashShare = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;

/** Whether a question is kept for comparing: all records of one question fall on the same side, in every round with the same seed. */
export const isQuestionHeldOut = (question: string, { seed, share }: Split): boolean => hashShare(`${seed} question ${question.trim().toLowerCase()}`) < share;
