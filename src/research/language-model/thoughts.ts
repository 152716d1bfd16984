import { expression } from '#base';
import type { CompletionOptions, CompletionPart } from './language-model.ts';

/** What begins and ends a thought, by the names and in the signs that models give it; gpt-oss thinks in channels. */
const THOUGHT = expression('gi')`
  (?<ends><\/(?:think|thinking|thought|reasoning)\s?>|\[\/THINK\]|◁\/think▷|<\|channel\|>final[^<]{0,80}<\|message\|>)|
  <(?:think|thinking|thought|reasoning)(?:\s[^<>]{0,40})?>|\[THINK\]|◁think▷|
  <\|channel\|>(?:analysis|commentary)[^<]{0,80}<\|message\|>
`;
/** Ends a thought that was broken off, so that what the model says when it is asked again is none. */
const THOUGHT_ENDS = '</think>\n';
/** Signs between which such a tag is only spoken of. */
const QUOTES = '`"\'';

/**
 * A reply without the thoughts that some models write down. Chat templates may open the thought in the prompt: text
 * before an end without a beginning is a thought, too. `open`: what becomes of a thought that never ends.
 */
export function withoutThoughts(reply: string, open: 'kept' | 'removed'): string {
  let spoken = '';
  let from = 0;
  let thought: number | undefined; // where it begins
  for (const { 0: tag, index, groups } of reply.matchAll(THOUGHT)) {
    if (isQuoted(reply, index, tag.length) || (tag.startsWith('[') && tag !== tag.toUpperCase())) continue;
    if (groups?.['ends'] === undefined) {
      thought ??= index;
    } else {
      spoken = thought === undefined ? '' : spoken + reply.slice(from, thought);
      from = index + tag.length;
      thought = undefined;
    }
  }
  return spoken + reply.slice(from, open === 'kept' ? undefined : thought);
}

function isQuoted(text: string, at: number, length: number): boolean {
  const before = text[at - 1];
  return before !== undefined && QUOTES.includes(before) && text[at + length] === before;
}

/** Whether a reply, as far as it has come, says anything beside its thoughts; the beginning of a tag is no word yet. */
export const hasSpoken = (reply: string): boolean =>
  !/^\s*(?:<[^\s>]{0,12}|\[(?:T[HINK]{0,4})?|◁\w{0,5}|<\|channel\|[^<]{0,80}(?:<[^>]{0,9})?)?$/.test(
    withoutThoughts(reply, 'removed'),
  );

/** What some models think before a word of theirs: gpt-5 takes some 1,400 tokens for an easy question. */
const THOUGHT_TOKENS = 4096;
/** The part of a window that may go into it: the passages need the rest. */
const SHARE_OF_WINDOW = 4;

export type RoomyOptions<T extends CompletionOptions> = T & { effort?: 'low' };

interface EndedReply {
  text: string;
  /** Thoughts came beside its text. */
  thought: boolean;
  /** undefined: not known. */
  truncated: boolean | undefined;
  calls: readonly unknown[];
}

/**
 * Learns by its replies whether a model thinks before it speaks, and gives its calls room then: services count thoughts
 * among the tokens of a reply, so that within the limit of a short answer it never comes to speak.
 */
export class ThinkingRoom {
  #thinks = false;
  readonly #contextTokens: () => number;

  constructor(contextTokens: () => number) {
    this.#contextTokens = contextTokens;
  }

  /** Tokens of thought that a reply of this model may hold; 0 as long as it is not known to think. */
  get tokens(): number {
    return this.#thinks ? Math.min(THOUGHT_TOKENS, Math.floor(this.#contextTokens() / SHARE_OF_WINDOW)) : 0;
  }

  /**
   * Asks, and once more with room where only thoughts came, as far as the prompt has `left` some of the window:
   * services reject a call that could go beyond it. The result is all replies, the one that counts last.
   */
  async *ask<T extends CompletionOptions, R extends EndedReply>(
    options: T,
    left: number,
    once: (options: RoomyOptions<T>) => AsyncGenerator<CompletionPart, R>,
  ): AsyncGenerator<CompletionPart, [R, ...R[]]> {
    const asked = this.#roomFor(options, left);
    const first = yield* once(asked);
    if (!this.#learn(first, asked)) return [first];
    if (first.text !== '') yield { type: 'text', text: THOUGHT_ENDS };
    return [first, yield* once(this.#roomFor(options, left))];
  }

  /** The same call with room to think, little of it asked for, and without stop sequences: they would end a thought. */
  #roomFor<T extends CompletionOptions>(options: T, left: number): RoomyOptions<T> {
    if (!this.#thinks) return options;
    const { maxTokens } = options;
    const roomy = maxTokens && Math.max(maxTokens, Math.min(maxTokens + this.tokens, left));
    return { ...options, maxTokens: roomy, stop: undefined, effort: 'low' };
  }

  /** True if only thoughts came of a call that had no room for them: made again, it will say more. */
  #learn(reply: EndedReply, asked: RoomyOptions<CompletionOptions>): boolean {
    const spoken = hasSpoken(reply.text) || reply.calls.length > 0;
    const thinks = reply.thought || (!spoken && (reply.truncated !== false || reply.text.trim() !== ''));
    if (thinks || withoutThoughts(reply.text, 'removed') !== reply.text) this.#thinks = true;
    return (
      thinks && !spoken && asked.effort === undefined && (asked.maxTokens !== undefined || asked.stop !== undefined)
    );
  }
}
