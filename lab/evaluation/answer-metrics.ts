import { normaliseAnswer } from '#learning/lab';

/** 1 when the normalised strings are equal, else 0. */
export const exactMatch = (prediction: string, gold: readonly string[]): number =>
  Number(gold.some((answer) => normaliseAnswer(answer) === normaliseAnswer(prediction)));

/** F1 of a predicted set against a gold set. */
export function setF1(prediction: ReadonlySet<string>, gold: ReadonlySet<string>): number {
  const common = [...prediction].filter((item) => gold.has(item)).length;
  return common === 0 ? 0 : (2 * common) / (prediction.size + gold.size);
}
