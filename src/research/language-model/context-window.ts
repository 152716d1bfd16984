import { expression } from '#base';
import type { ChatMessage, LanguageModel } from './language-model.ts';

/** Runs that tokenizers treat alike: dense scripts, words, other letters, digits, line breaks, spaces (free), signs. */
const RUN = expression('gu')`
  ([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}
    \p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]+)|
  ([A-Za-z]+)|([\p{L}\p{M}]+)|(\d+)|(\s*\n\s*)|([^\S\n]+)|([^\s\p{L}\p{M}\d]+)
`;

const PER_MESSAGE = 4;

/** Tokens of a text, estimated a little high. Calibrated against the tokenizers of Qwen 2.5 and GPT-4o. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run, dense, ascii, letters, digits, breaks, , signs] of text.matchAll(RUN)) {
    if (dense) tokens += run.length;
    else if (ascii) tokens += wordTokens(run);
    else if (letters) tokens += run.length / 2;
    else if (digits)
      tokens += run.length * 0.75; // one each for some, one in three for others
    else if (breaks) tokens += 1;
    else if (signs) tokens += run.length / 1.4;
  }
  return Math.ceil(tokens);
}

/** Common words are one token; names (told by their capital) and long words more. */
function wordTokens(word: string): number {
  const name = /^[A-Z]/.test(word) ? 0.3 : 0;
  return word.length <= 7 ? 1 + name : Math.ceil(word.length / 5) * 0.9 + name;
}

export function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content, toolCalls = [] }) => {
    const called = toolCalls.map((call) => `${call.name} ${call.arguments}`).join('\n');
    return sum + estimateTokens(content) + (called === '' ? 0 : estimateTokens(called)) + PER_MESSAGE;
  }, 0);
}

/** Estimates err: this share of a window stays free. */
const RESERVE = 0.05;

/** Tokens left for passages beside these messages and a reply of `replyTokens`; 0 when there are none. */
export function contextRoom(
  model: Pick<LanguageModel, 'contextTokens' | 'thoughtTokens'>,
  messages: readonly ChatMessage[],
  replyTokens: number,
): number {
  const reply = replyTokens + (model.thoughtTokens ?? 0);
  return Math.max(0, Math.floor(model.contextTokens * (1 - RESERVE)) - estimatePromptTokens(messages) - reply);
}
