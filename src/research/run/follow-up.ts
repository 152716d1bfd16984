import type { ChatMessage } from '../language-model/language-model.ts';
import { withoutThoughts } from '../language-model/thoughts.ts';
import { type PastTurn, readNames } from '#search';
import { escapeForPrompt } from '../operators/prompts/blocks.ts';
import { cutTo, throwIfCancelled, expression } from '#base';
import { type AskingContext, askText } from '../context/ask-model.ts';
import { leansOnHistory } from './leans-on-history.ts';

const REWRITE_TOKENS = 80;
/** Characters of a question in one line that is rewritten: a longer one would be cut, or told in fewer words. */
const LONGEST_REWRITTEN = 200;
/** Turns that a follow-up can refer to. */
const TURNS = 3;
const ANSWER_LENGTH = 300;

/** A follow-up as a question that stands alone. */
export function rewriteFollowUpPrompt(question: string, history: readonly PastTurn[]): ChatMessage[] {
  const turns = history
    .slice(-TURNS)
    .map(
      (turn) =>
        `Question: ${escapeForPrompt(turn.question)}\nAnswer: ${cutTo(escapeForPrompt(turn.answer), ANSWER_LENGTH)}`,
    );
  return [
    {
      role: 'system',
      content:
        'You rewrite the last question of a conversation so that it can be understood alone: names in the ' +
        'place of "it", "they", "there", "that one". Change nothing else. If it stands alone already, repeat ' +
        'it. Do not answer it. Reply with the question only.',
    },
    { role: 'user', content: `${turns.join('\n\n')}\n\nLast question: ${question}` },
  ];
}

/** What stands before the question in its line: `Here is the rewritten question:`. */
const LABEL = expression('iu')`
  ^(?:(?:sure|certainly|okay|ok|here|here['’]s|is|the|your|my|last|new|final|full|rewritten|stand-?alone)
    [\s,!.]{1,3}){0,8}(?:question|rewritten|rewrite)(?:\sis)?\s?(?:\*{1,2}|_{1,2})?:\s*(?:\*{1,2}(?=\s))?\s*
`;
/** Emphasis and quotation marks around a whole line. */
const AROUND: readonly (readonly [string, string])[] = [
  ['**', '**'],
  ['__', '__'],
  ['*', '*'],
  ['_', '_'],
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['«', '»'],
];
const ASKS = /[?？؟]$/u;

/** The rewritten question; undefined when the reply is none. */
export function readRewritten(reply: string, asked: string): string | undefined {
  const lines = withoutThoughts(reply, 'removed').split('\n').map(bareLine).filter(Boolean);
  const line = lines.find((one) => ASKS.test(one)) ?? lines.find((one) => !/[:：]$/u.test(one));
  if (line === undefined || line.length > Math.max(300, asked.length * 4)) return undefined;
  return ASKS.test(line) || !ASKS.test(asked.trim()) ? line : undefined;
}

/** A line without its label, and without the marks around it. */
function bareLine(line: string): string {
  let bare = unwrapped(line.replace(/^[\s>#]{1,12}/u, ''));
  const label = LABEL.exec(bare.replace(/^[*_]{1,2}/u, ''))?.[0];
  if (label !== undefined) bare = unwrapped(bare.replace(/^[*_]{1,2}/u, '').slice(label.length));
  const marks = bare.match(/["“”]/gu)?.length ?? 0;
  const isQuoted = marks % 2 === 1 || /^["“].*["”]$/u.test(bare);
  return isQuoted ? bare.replace(/^["“]|["”]$/gu, '').trim() : bare;
}

/** A text without the emphasis and the quotation marks around all of it. */
function unwrapped(text: string): string {
  let bare = text.trim();
  for (let i = 0; i < 3; i++) {
    const within = AROUND.map(([opens, closes]) => between(bare, opens, closes)).find((inside) => inside !== '');
    if (within === undefined) break;
    bare = within.trim();
  }
  return bare;
}

/** What two marks enclose; empty where they do not enclose the whole text, as in `"Kestrel" or "Heron"`. */
function between(text: string, opens: string, closes: string): string {
  if (!text.startsWith(opens) || !text.endsWith(closes)) return '';
  const inside = text.slice(opens.length, -closes.length);
  return inside.includes(opens) ? '' : inside;
}

/**
 * A question that stands alone. With a model it is rewritten; without one, or when that fails, the names of the
 * question before are put behind it, so that the search knows what "it" is. So they are behind several lines: what was
 * pasted below a question, an error or a piece of a log, is asked about as it is. `failure` is the model's error, for a
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
  const asked = question.trim();
  if (!context.model || asked.includes('\n') || asked.length > LONGEST_REWRITTEN) return { question: fallback };
  try {
    const reply = await askText(context, rewriteFollowUpPrompt(question, history), { maxTokens: REWRITE_TOKENS });
    return { question: (reply.truncated ? undefined : readRewritten(reply.text, question)) ?? fallback };
  } catch (failure) {
    throwIfCancelled(failure, context.signal);
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
