import { cutTo, throwIfCancelled } from '#base';
import { z } from 'zod';
import type { PastTurn } from '#search';
import { type AskingContext, askStructured, promptOf } from '../context/ask-model.ts';
import { escapeForPrompt } from '../evidence/fence.ts';

const REWRITE_TOKENS = 250;
/** Turns that a follow-up can refer to, and characters of each answer. */
const TURNS = 3;
const ANSWER_LENGTH = 600;
/** A reply that is longer than this many times the question is no rewriting of it. */
const MOST_TIMES = 4;

const rewritten = z.object({ question: z.string() });

const SYSTEM =
  'You rewrite the last question of a conversation so that it can be understood alone: names in the place of what ' +
  'refers to earlier turns. Keep its language, and change nothing else. If it stands alone already, repeat it. Do ' +
  'not answer it. Reply with JSON: {"question": "..."}';

const turnText = ({ question, answer }: PastTurn): string =>
  `Question: ${escapeForPrompt(question)}\nAnswer: ${cutTo(escapeForPrompt(answer), ANSWER_LENGTH)}`;

/** The question as it stands alone: rewritten where there were earlier turns and that succeeds. @throws AbortError */
export async function standAlone(
  context: AskingContext,
  question: string,
  history: readonly PastTurn[],
): Promise<{ question: string; failure?: unknown }> {
  if (history.length === 0 || !context.model) return { question };
  try {
    const { value } = await askStructured(context, {
      messages: promptOf(SYSTEM, [...history.slice(-TURNS).map(turnText), `Last question: ${question}`]),
      name: 'standalone_question',
      schema: rewritten,
      maxTokens: REWRITE_TOKENS,
    });
    const alone = value.question.trim();
    return alone === '' || alone.length > Math.max(300, question.length * MOST_TIMES)
      ? { question }
      : { question: alone };
  } catch (error) {
    throwIfCancelled(error, context.signal);
    return { question, failure: error };
  }
}
