import { z } from 'zod';
import type { ChatMessage } from '../../language-model/language-model.ts';
import { knownBlock, type KnownAnswer } from './blocks.ts';
import type { RejectedSubQuestion } from './next-sub-question.ts';

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
  const tried = rejected.map((one) => `- ${one.question} (${one.reason})`).join('\n');
  return [
    {
      role: 'system',
      content:
        'You answer a question step by step by looking things up. Decide whether what was found is enough to answer the question. If it is not, write the one simple question that must be looked up next: it asks for one fact, and names what was found instead of pointing at it. Do not answer it. Reply with JSON: {"enough": true or false, "question": "..."}; leave the question empty when it is enough.',
    },
    {
      role: 'user',
      content: [
        `Question: ${question}`,
        knownBlock(known),
        tried === '' ? '' : `These led nowhere; ask for something else:\n${tried}`,
      ]
        .filter(Boolean)
        .join('\n\n'),
    },
  ];
}
