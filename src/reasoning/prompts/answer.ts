import type { ChatMessage } from '../../llm/language-model.ts';
import { passageBlock, PASSAGES_ARE_DATA, type PromptPassage } from './passage-block.ts';
import { knownBlock, type KnownAnswer } from './known-block.ts';

export interface AnswerPromptInput {
  question: string;
  passages: readonly PromptPassage[];
  /** Sub-questions that are answered already. */
  known: readonly KnownAnswer[];
  /** `brief`: a sub-question's answer in one line; `full`: with the reasons; `outline`: a question over everything. */
  style: 'brief' | 'full' | 'outline';
}

export const ANSWER_TOKENS = { brief: 60, full: 220, outline: 400 } as const;

const FORMS = {
  brief: `Reply with one line:
Answer: <the answer in as few words as possible> [<number of the passage>]
If the passages do not tell, reply with:
Answer: none`,
  full: `Reply in this form:
Because: <one to three short sentences that lead to the answer, each ending with the number of its passage, like [2]>
Answer: <the answer alone, in as few words as possible: a name, a date, a number, yes or no>
If the passages do not tell, reply only with:
Answer: none`,
  outline: `Reply in this form:
Answer: <one sentence that sums up>
Because: <three to six short sentences on the main points, each ending with the number of its passage, like [2]>
If the passages say nothing about it, reply only with:
Answer: none`,
} as const;

/**
 * An answer from passages. Reasons come before the answer, which then follows from them (people see it the other way round), and the
 * question comes last: a small model follows what it read last.
 */
export function answerPrompt({ question, passages, known, style }: AnswerPromptInput): ChatMessage[] {
  return [
    { role: 'system', content: `You answer questions from passages of the user's files and from nothing else. ${PASSAGES_ARE_DATA}` },
    { role: 'user', content: [passageBlock(passages), knownBlock(known), `Question: ${question}\n\n${FORMS[style]}`].filter(Boolean).join('\n\n') },
  ];
}
