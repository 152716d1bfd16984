import type { ChatMessage } from '../../llm/language-model.ts';
import { knownBlock, type KnownAnswer } from './known-block.ts';

export const CLOSED_BOOK_TOKENS = 200;

/** Chain of thought with no retrieval of its own (BELLE, arXiv 2505.11811, §3.2): over what is known so far, or from memory. */
export function closedBookPrompt(question: string, known: readonly KnownAnswer[]): ChatMessage[] {
  const rests = known.length > 0;
  return [
    { role: 'system', content: rests ? 'You answer a question by thinking about what was found.' : 'You answer a question from what you know.' },
    {
      role: 'user',
      content: [
        knownBlock(known),
        `Question: ${question}\n\nReply in this form:\nBecause: <one to three short sentences of reasoning${rests ? ', each ending with the number in brackets of what it rests on, like [2]' : ''}>\nAnswer: <the answer alone, in as few words as possible: a name, a date, a number, yes or no>\nIf you cannot tell, reply only with:\nAnswer: none`,
      ].filter(Boolean).join('\n\n'),
    },
  ];
}
