/**
 * Answer metrics as the multi-hop data sets define them (SQuAD's normalisation, Rajpurkar et al. 2016; taken over by
 * HotpotQA, MuSiQue and 2WikiMultihopQA).
 */

/** Lower case, no punctuation, no English articles, single spaces. */
export function normaliseAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** 1 when the normalised strings are equal, else 0. */
export function exactMatch(prediction: string, gold: readonly string[]): number {
  return gold.some((answer) => normaliseAnswer(answer) === normaliseAnswer(prediction)) ? 1 : 0;
}

const CLOSED = new Set(['yes', 'no', 'noanswer']);

/** Best token F1 over the gold answers, 0..1. A yes or no must match as a whole. */
export function answerF1(prediction: string, gold: readonly string[]): number {
  return Math.max(0, ...gold.map((answer) => pairF1(normaliseAnswer(prediction), normaliseAnswer(answer))));
}

function pairF1(prediction: string, gold: string): number {
  if ((CLOSED.has(prediction) || CLOSED.has(gold)) && prediction !== gold) return 0;
  return tokenF1(prediction.split(' ').filter(Boolean), gold.split(' ').filter(Boolean));
}

function tokenF1(prediction: readonly string[], gold: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of gold) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of prediction) {
    const count = left.get(token) ?? 0;
    if (count > 0) {
      common += 1;
      left.set(token, count - 1);
    }
  }
  return harmonic(common, prediction.length, gold.length);
}

/** F1 of a predicted set against a gold set. */
export function setF1(prediction: ReadonlySet<string>, gold: ReadonlySet<string>): number {
  const common = [...prediction].filter((item) => gold.has(item)).length;
  return harmonic(common, prediction.size, gold.size);
}

function harmonic(common: number, predicted: number, gold: number): number {
  if (common === 0) return 0;
  const precision = common / predicted;
  const recall = common / gold;
  return (2 * precision * recall) / (precision + recall);
}
