import type { ChatMessage } from '../../llm/language-model.ts';
import { escapeForPrompt } from './passage-block.ts';

/** The last critique of the whole; same reply as critique-node.ts. */
export function critiqueAnswerPrompt(question: string, short: string, statements: readonly string[]): ChatMessage[] {
  return [
    {
      role: 'system',
      content: 'You check an answer. Verdicts:\nkeep: it answers what was asked, and the reasons lead to it\nirrelevant: it answers something else\nunsupported: the reasons do not lead to it\nReply with JSON: {"reason": "<at most 15 words>", "verdict": "..."}',
    },
    { role: 'user', content: `Question: ${question}\nAnswer: ${escapeForPrompt(short)}\nReasons:\n${statements.map((statement) => `- ${escapeForPrompt(statement)}`).join('\n')}` },
  ];
}
