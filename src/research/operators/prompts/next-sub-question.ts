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
  const tried = rejected.map((one) => `- ${one.question} (${one.reason})`).join('\n');
  return [
    {
      role: 'system',
      content:
        'You help to answer a question by looking things up. Write one other simple question to look up next, in other words or about another thing than those that led nowhere. Do not answer it. Reply with JSON: {"question": "..."}; leave it empty when nothing is left to look up.',
    },
    {
      role: 'user',
      content: [`Question: ${question}`, knownBlock(known), `These led nowhere:\n${tried}`]
        .filter(Boolean)
        .join('\n\n'),
    },
  ];
}
