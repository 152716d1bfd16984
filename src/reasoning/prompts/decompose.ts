import { z } from 'zod';
import type { ChatMessage } from '../../llm/language-model.ts';

/** More sub-questions than this cost more than they find. */
export const MOST_SUB_QUESTIONS = 4;
export const DECOMPOSE_TOKENS = 160;

export const decompositionSchema = z.object({ questions: z.array(z.string()).min(1).max(MOST_SUB_QUESTIONS) });

const EXAMPLES: [string, string[]][] = [
  ['In which town does the keeper of the North Pier lighthouse live?', ['Who is the keeper of the North Pier lighthouse?', 'In which town does #1 live?']],
  ['Was the Harrow bridge opened before the Alder tunnel?', ['When was the Harrow bridge opened?', 'When was the Alder tunnel opened?']],
  ['Which function writes the log?', ['Which function writes the log?']],
];

/** Sub-questions, each answerable by one look-up; `#1` stands for the answer to the first. */
export function decomposePrompt(question: string): ChatMessage[] {
  return [
    {
      role: 'system',
      content: `You split a question into the simple questions that must be looked up to answer it, at most ${MOST_SUB_QUESTIONS}, in order. Write #1 where the answer to question 1 is needed. Keep names as they are. Do not answer. A simple question stays as it is. Reply with JSON: {"questions": [...]}`,
    },
    ...EXAMPLES.flatMap(([asked, questions]): ChatMessage[] => [
      { role: 'user', content: asked },
      { role: 'assistant', content: JSON.stringify({ questions }) },
    ]),
    { role: 'user', content: question },
  ];
}
