import { shortened } from '#base/text';
import type { Passage } from '#search';
import type { Answer, SubAnswer } from '../domain/answer.ts';

/** A longer one is cut: the passage behind it has the rest. */
const MOST_CHARACTERS = 160;

/** What was found on the way to an answer: one sub-question, its answer in one line. */
interface ShownSubAnswer extends Pick<SubAnswer, 'question' | 'passageIds'> {
  answer: string;
}

/**
 * The sub-answers that stand under an answer, each question once, in the order in which they were found. What a
 * critique rejected is left out, and so are the whole question and what the answer itself repeats word by word. None
 * for quotes, which are shown themselves.
 */
export function shownSubAnswers(question: string, answer: Answer): ShownSubAnswer[] {
  if (answer.by !== 'model') return [];
  const found = new Map<string, ShownSubAnswer>();
  for (const { question: asked, answer: text, found: isFound, passageIds, critique } of answer.subAnswers) {
    const line = text.split('\n', 1)[0]?.trim() ?? '';
    if (
      !isFound ||
      line === '' ||
      asked === question ||
      isRepeated(asked, answer.text) ||
      (critique && critique.verdict !== 'keep')
    )
      continue;
    found.set(asked, {
      question: asked,
      answer: shortened(line, MOST_CHARACTERS),
      passageIds,
    });
  }
  return [...found.values()];
}

/** Answers that were put together from the steps say their questions again. */
const isRepeated = (question: string, text: string): boolean => text.includes(question.replace(/\?$/, ''));

/** The place of a sub-answer's first passage: the line that is cited of it, else its beginning. */
export function placeOfSubAnswer(
  { passageIds }: Pick<ShownSubAnswer, 'passageIds'>,
  answer: Answer,
): { passage: Passage; line: number; citation: number | undefined } | undefined {
  const [id] = passageIds;
  const passage = [...answer.passages, ...answer.chain.hops.map((hop) => hop.passage)].find((one) => one.id === id);
  if (!passage) return undefined;
  const cited = answer.citations.find(({ passageId }) => passageId === id);
  return { passage, line: cited?.startLine ?? passage.startLine, citation: cited?.number };
}
