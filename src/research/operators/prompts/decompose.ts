import { z } from 'zod';
import type { ChatMessage } from '../../language-model/language-model.ts';

/** More sub-questions than this cost more than they find. */
export const MOST_SUB_QUESTIONS = 4;
export const DECOMPOSE_TOKENS = 160;

export const decompositionSchema = z.object({ questions: z.array(z.string()).min(1).max(MOST_SUB_QUESTIONS) });

/** A question with the sub-questions that answered it. */
export interface DecompositionExample {
  question: string;
  /** In order; at least one. */
  steps: readonly string[];
}

/**
 * The nested one comes last, where a small model looks: otherwise it learns from the simple one that nothing need be
 * split.
 */
const EXAMPLES: readonly DecompositionExample[] = [
  { question: 'Which function writes the log?', steps: ['Which function writes the log?'] },
  {
    question: 'Was the Harrow bridge opened before the Alder tunnel?',
    steps: ['When was the Harrow bridge opened?', 'When was the Alder tunnel opened?'],
  },
  {
    question: 'In which country was the founder of the company that built the Alder tunnel born?',
    steps: ['Which company built the Alder tunnel?', 'Who founded #1?', 'In which country was #2 born?'],
  },
  {
    question: 'Who is the mother of the keeper of the North Pier lighthouse?',
    steps: ['Who is the keeper of the North Pier lighthouse?', 'Who is the mother of #1?'],
  },
];

/**
 * Sub-questions, each answerable by one look-up; `#1` stands for the answer to the first. `learnt` are examples from
 * good runs, the most alike last.
 */
export function decomposePrompt(question: string, learnt: readonly DecompositionExample[] = []): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'Split the question into the simple questions that must be looked up one after the other to answer it. Each asks for one fact. Write #1 for the answer to question 1, #2 for the answer to question 2. Reply with JSON: {"questions": [...]}',
    },
    ...[...EXAMPLES, ...learnt].flatMap((example): ChatMessage[] => [
      { role: 'user', content: example.question },
      { role: 'assistant', content: JSON.stringify({ questions: example.steps }) },
    ]),
    { role: 'user', content: question },
  ];
}
