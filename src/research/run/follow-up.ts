import type { ChatMessage } from '../language-model/language-model.ts';
import { type PastTurn, readNames } from '#search';
import { escapeForPrompt } from '../operators/prompts/blocks.ts';
import { isAbortError } from '#base';
import { type AskingContext, askText } from './ask-model.ts';
import { leansOnHistory } from './leans-on-history.ts';

const REWRITE_TOKENS = 80;
/** Turns that a follow-up can refer to. */
const TURNS = 3;
const ANSWER_LENGTH = 300;

/** A follow-up as a question that stands alone. */
export function rewriteFollowUpPrompt(question: string, history: readonly PastTurn[]): ChatMessage[] {
  const turns = history
    .slice(-TURNS)
    .map(
      (turn) =>
        `Question: ${escapeForPrompt(turn.question)}\nAnswer: ${escapeForPrompt(turn.answer).slice(0, ANSWER_LENGTH)}`,
    );
  return [
    {
      role: 'system',
      content:
        'You rewrite the last question of a conversation so that it can be understood alone: names in the place of "it", "they", "there", "that one". Change nothing else. If it stands alone already, repeat it. Do not answer it. Reply with the question only.',
    },
    { role: 'user', content: `${turns.join('\n\n')}\n\nLast question: ${question}` },
  ];
}

/** The rewritten question; undefined when the reply is none. */
export function readRewritten(reply: string, asked: string): string | undefined {
  const line = reply
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/gu, '')
    .split('\n')
    .map((part) =>
      part
        .replace(/^(?:(?:rewritten|last|standalone) )?question:\s*/iu, '')
        .replace(/^["“]|["”]$/gu, '')
        .trim(),
    )
    .find(Boolean);
  if (line === undefined || line.length > Math.max(300, asked.length * 4)) return undefined;
  return line.endsWith('?') || !asked.trim().endsWith('?') ? line : undefined;
}

/**
 * A question that stands alone. With a model it is rewritten; without one, or when that fails, the names of the
 * question before are put behind it, so that the search knows what "it" is. `failure` is the model's error, for a
 * notice.
 */
export async function standAlone(
  context: AskingContext,
  question: string,
  history: readonly PastTurn[],
): Promise<{ question: string; failure?: unknown }> {
  if (!leansOnHistory(question, history)) return { question };
  const last = history.at(-1);
  const fallback = last ? withNamesOf(question, last) : question;
  if (!context.model) return { question: fallback };
  try {
    const { text } = await askText(context, rewriteFollowUpPrompt(question, history), { maxTokens: REWRITE_TOKENS });
    return { question: readRewritten(text, question) ?? fallback };
  } catch (failure) {
    if (isAbortError(failure) || context.signal.aborted) throw failure;
    return { question: fallback, failure };
  }
}

function withNamesOf(question: string, last: PastTurn): string {
  const said = question.toLowerCase();
  const names = [
    ...new Set(
      [...readNames(last.question), ...readNames(last.answer.slice(0, 200))]
        .filter((name) => name.kind !== 'number')
        .map((name) => name.text),
    ),
  ];
  const missing = names.filter((name) => !said.includes(name.toLowerCase())).slice(0, 4);
  const subject = missing.length > 0 ? missing.join(', ') : last.question.trim();
  return `${question.trim()} (about: ${subject})`;
}
