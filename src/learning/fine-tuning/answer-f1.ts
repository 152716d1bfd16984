/** Lower case, no punctuation, no English articles, single spaces (SQuAD, Rajpurkar et al. 2016). */
export const normaliseAnswer = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const CLOSED = new Set(['yes', 'no', 'noanswer']);

/**
 * Best token F1 over the gold answers, 0..1, as HotpotQA, MuSiQue and 2WikiMultihopQA define it: a yes or no must match
 * as a whole.
 */
export function answerF1(prediction: string, gold: readonly string[]): number {
  return Math.max(0, ...gold.map((answer) => pairF1(normaliseAnswer(prediction), normaliseAnswer(answer))));
}

function pairF1(prediction: string, gold: string): number {
  if ((CLOSED.has(prediction) || CLOSED.has(gold)) && prediction !== gold) return 0;
  const said = prediction.split(' ').filter(Boolean);
  const left = gold.split(' ').filter(Boolean);
  const total = said.length + left.length;
  let common = 0;
  for (const token of said) {
    const at = left.indexOf(token);
    if (at < 0) continue;
    left.splice(at, 1); // a repeated token counts once
    common += 1;
  }
  return common === 0 ? 0 : (2 * common) / total;
}
