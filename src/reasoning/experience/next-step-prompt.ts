import type { ChatMessage } from '../../llm/language-model.ts';
import { knownBlock } from '../prompts/known-block.ts';
import { nextSubQuestionPrompt } from '../prompts/next-sub-question.ts';

/**
 * What D_d trains (RISE): from a question and what is known to the next sub-question, '' to stop. After a rejection it is the prompt
 * with which runs step back.
 */
export function nextStepPrompt(question: string, history: readonly { question: string; answer: string }[], rejected: readonly { question: string; reason: string }[]): ChatMessage[] {
  const known = history.map((exchange) => ({ ...exchange, numbers: [] }));
  if (rejected.length > 0) return nextSubQuestionPrompt(question, known, rejected);
  return [
    { role: 'system', content: 'You help to answer a question by looking things up. Write the one simple question to look up next, given what was found so far. Do not answer it. Reply with JSON: {"question": "..."}; leave it empty when nothing is left to look up.' },
    { role: 'user', content: [`Question: ${question}`, knownBlock(known)].filter(Boolean).join('\n\n') },
  ];
}
