import { z } from 'zod';
import type { ChatMessage } from '../../language-model/language-model.ts';
import { knownBlock, type KnownAnswer } from './blocks.ts';

export const NEXT_SUB_QUESTION_TOKENS = 80;
export const nextSubQuestionSchema = z.object({ question: z.string() });

export interface RejectedSubQuestion {
  question: string;
  reason: string;
}

/**
 * RISE's step back (He et al. 2025): another sub-question in the place of a rejected one; '' when there is none worth
 * asking.
 */
export function nextSubQuestionPrompt(
  question: string,
  known: readonly KnownAnswer[],
  rejected: readonly RejectedSubQuestion[],
): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'You help to answer a question by looking things up. Write one other simple question to look up next, in other words or about another thing than those that led nowhere. Do not answer it. Reply with JSON: {"question": "..."}; leave it empty when nothing is left to look up.',
    },
    asked(question, known, `These led nowhere:\n${tried(rejected)}`),
  ];
}

export const NEXT_STEP_TOKENS = 80;
/** `enough` comes first: whether to ask on is decided before a question is thought up. */
export const nextStepSchema = z.object({ enough: z.boolean(), question: z.string() });

/**
 * RISE's decomposition given the history (He et al. 2025, Algorithm 1): the next sub-question after those that are
 * answered, or that they are enough. `rejected` were asked at this point and led nowhere.
 */
export function nextStepPrompt(
  question: string,
  known: readonly KnownAnswer[],
  rejected: readonly RejectedSubQuestion[],
): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'You answer a question step by step by looking things up. Decide whether what was found is enough to answer the question. If it is not, write the one simple question that must be looked up next: it asks for one fact, and names what was found instead of pointing at it. Do not answer it. Reply with JSON: {"enough": true or false, "question": "..."}; leave the question empty when it is enough.',
    },
    asked(question, known, rejected.length > 0 && `These led nowhere; ask for something else:\n${tried(rejected)}`),
  ];
}

const tried = (rejected: readonly RejectedSubQuestion[]): string =>
  rejected.map((one) => `- ${one.question} (${one.reason})`).join('\n');

const asked = (question: string, known: readonly KnownAnswer[], ledNowhere: string | false): ChatMessage => ({
  role: 'user',
  content: [`Question: ${question}`, knownBlock(known), ledNowhere].filter(Boolean).join('\n\n'),
});
