import type { ChatMessage } from '../../llm/language-model.ts';
import type { PastTurn } from '../../model/question.ts';
import { escapeForPrompt } from './passage-block.ts';

export const REWRITE_TOKENS = 80;
/** Turns that a follow-up can refer to. */
const TURNS = 3;
const ANSWER_LENGTH = 300;

/** A follow-up as a question that stands alone. */
export function rewriteFollowUpPrompt(question: string, history: readonly PastTurn[]): ChatMessage[] {
  const turns = history.slice(-TURNS).map((turn) => `Question: ${escapeForPrompt(turn.question)}\nAnswer: ${escapeForPrompt(turn.answer).slice(0, ANSWER_LENGTH)}`);
  return [
    { role: 'system', content: 'You rewrite the last question of a conversation so that it can be understood alone: names in the place of "it", "they", "there", "that one". Change nothing else. If it stands alone already, repeat it. Do not answer it. Reply with the question only.' },
    { role: 'user', content: `${turns.join('\n\n')}\n\nLast question: ${question}` },
  ];
}

/** The rewritten question; undefined when the reply is none. */
export function readRewritten(reply: string, asked: string): string | undefined {
  const line = reply.replace(/<think>[\s\S]*?(?:<\/think>|$)/gu, '').split('\n').map((part) => part.replace(/^(?:(?:rewritten|last|standalone) )?question:\s*/iu, '').replace(/^["“]|["”]$/gu, '').trim()).find(Boolean);
  if (line === undefined || line.length > Math.max(300, asked.length * 4)) return undefined;
  return line.endsWith('?') || !asked.trim().endsWith('?') ? line : undefined;
}
