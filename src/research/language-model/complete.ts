import { withoutSecrets, type TimerClock } from '#base';
import { estimatePromptTokens, estimateTokens } from './context-window.ts';
import { hasSpoken } from './thoughts.ts';
import type {
  ChatMessage,
  Completion,
  CompletionOptions,
  LanguageModel,
  ReplySchema,
  TokenUsage,
  ToolCall,
} from './language-model.ts';

/** Collects a streamed reply, without keys. One that is longer than its limit allows is cut, and its stream closed. */
export async function complete(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  options: CompletionOptions & { schema?: ReplySchema; onText?: (text: string) => void } = {},
): Promise<Completion> {
  const { onText, ...request } = options;
  // A model may be found to think, and get its room, while it replies.
  const room = (): number =>
    replyLimits(options.maxTokens && options.maxTokens + (model.thoughtTokens ?? 0)).characters - text.length;
  let text = '';
  let usage: TokenUsage | undefined;
  let truncated = false;
  const toolCalls: ToolCall[] = [];
  for await (const part of model.stream(messages, request)) {
    if (part.type === 'tool-call') toolCalls.push({ ...part.call, arguments: withoutSecrets(part.call.arguments) });
    else if (part.type === 'usage') {
      usage = part.usage;
      truncated = part.truncated ?? false;
    } else if (part.type === 'text') {
      const piece = part.text.slice(0, room());
      text += piece;
      if (piece !== '') onText?.(piece);
      truncated = piece.length < part.text.length;
      if (truncated) break; // ends the call
    }
  }
  text = withoutSecrets(text);
  usage ??= { inputTokens: estimatePromptTokens(messages), outputTokens: estimateTokens(text), estimated: true };
  return { text, usage, ...(toolCalls.length > 0 && { toolCalls }), ...(truncated && { truncated }) };
}

/** Sum of two calls; estimated as soon as one of them is. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  const cached = a.cachedTokens ?? b.cachedTokens;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cached !== undefined && { cachedTokens: (a.cachedTokens ?? 0) + (b.cachedTokens ?? 0) }),
    estimated: a.estimated || b.estimated,
  };
}

/** No reply of ours is longer, whatever was asked for: a megabyte of text is a book. */
const MOST_CHARACTERS = 1_000_000;
/** Thoughts that a server does not count, and forms that models put around a reply. */
const FREE_CHARACTERS = 16_000;
/** Generous: most tokens have four characters, but runs of spaces or dashes may be one token. */
const CHARACTERS_PER_TOKEN = 32;
/** An event of a stream wraps each token in JSON with ids, times and fingerprints. */
const BYTES_PER_TOKEN = 2048;
const FREE_BYTES = 1024 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
const ASSUMED_TOKENS = 8192;

/** How much is read of a reply: servers may ignore the limit. More `characters` are cut, more `bytes` an error. */
export const replyLimits = (maxTokens: number | undefined): { characters: number; bytes: number } => ({
  characters: Math.min(MOST_CHARACTERS, FREE_CHARACTERS + (maxTokens ?? MOST_CHARACTERS) * CHARACTERS_PER_TOKEN),
  bytes: Math.min(MOST_BYTES, FREE_BYTES + (maxTokens ?? ASSUMED_TOKENS) * BYTES_PER_TOKEN),
});

/** Most bytes of a reply that is one JSON value: it is parsed at once. */
export const WHOLE_REPLY_BYTES = 4 * 1024 * 1024;
export const SERVICE_REPLY_BYTES = 1024 * 1024;

/** Seconds without a word after which a person is told: most models have begun by then. */
export const SILENT_AFTER = 8;

export const withStream = (model: LanguageModel, stream: LanguageModel['stream']): LanguageModel =>
  new Proxy(model, {
    get(target, key) {
      const value: unknown = key === 'stream' ? stream : Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

/** The same model; calls `silent` once a call has said nothing for {@link SILENT_AFTER} seconds, and goes on. */
export function tellSilence(
  model: LanguageModel,
  silent: (thinking: boolean) => void,
  later: TimerClock['later'],
): LanguageModel {
  return withStream(model, async function* (messages, options) {
    let said = '';
    let thinking = false;
    let over = false;
    const stop = later(SILENT_AFTER * 1000, () => {
      over = true;
      silent(thinking);
    });
    try {
      for await (const part of model.stream(messages, options)) {
        if (!over) {
          if (part.type === 'text') said += part.text;
          over = part.type === 'usage' || part.type === 'tool-call' || hasSpoken(said);
          if (over) stop();
          thinking ||= part.type === 'thought' || said !== '';
        }
        yield part;
      }
    } finally {
      stop();
    }
  });
}
