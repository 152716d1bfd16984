import type { Answer, SubAnswer } from '#research';

/** A longer one is cut: the passage behind it has the rest. */
const MOST_CHARACTERS = 160;

/** What was found on the way to an answer: one sub-question, its answer in one line. */
export interface ShownSubAnswer extends Pick<SubAnswer, 'question' | 'passageIds'> {
  answer: string;
}

/**
 * The sub-answers that stand under an answer, each question once, in the order in which they were found. What a critique
 * rejected is left out, and so is a step that asked the whole question: its answer is the answer. None where a single
 * step led there, nor for quotes, which are shown themselves.
 */
export function shownSubAnswers(question: string, answer: Answer): ShownSubAnswer[] {
  if (answer.by !== 'model') return [];
  const found = new Map<string, ShownSubAnswer>();
  for (const { question: asked, answer: text, found: isFound, passageIds, critique } of answer.subAnswers) {
    const line = text.split('\n', 1)[0]?.trim() ?? '';
    if (!isFound || line === '' || asked === question || (critique && critique.verdict !== 'keep')) continue;
    found.set(asked, {
      question: asked,
      answer: line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1).trimEnd()}…` : line,
      passageIds,
    });
  }
  return [...found.values()];
}
