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

/**
 * Collects a streamed reply; tokens are estimated, and marked so, when the stream brought no usage. A reply that is
 * longer than the tokens that were asked for can be, with those that the model thinks, is cut there, counts as
 * truncated, and its stream is closed. Keys in it are taken out.
 */
export async function complete(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  options: CompletionOptions & { schema?: ReplySchema; onText?: (text: string) => void } = {},
): Promise<Completion> {
  const { onText, ...request } = options;
  // A model may be found to think, and get its room, while it replies.
  const mostCharacters = (): number =>
    replyLimits(options.maxTokens === undefined ? undefined : options.maxTokens + (model.thoughtTokens ?? 0))
      .characters;
  let text = '';
  let usage: TokenUsage | undefined;
  let truncated = false;
  const toolCalls: ToolCall[] = [];
  reading: for await (const part of model.stream(messages, request)) {
    switch (part.type) {
      case 'text': {
        const piece = part.text.slice(0, mostCharacters() - text.length);
        text += piece;
        if (piece !== '') onText?.(piece);
        if (piece.length < part.text.length) {
          truncated = true;
          break reading; // ends the call
        }
        break;
      }
      case 'thought':
        break;
      case 'tool-call':
        toolCalls.push({ ...part.call, arguments: withoutSecrets(part.call.arguments) });
        break;
      case 'usage':
        usage = part.usage;
        truncated = part.truncated ?? false;
        break;
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

/** How much of one reply is read. Servers may ignore the tokens that were asked for, and some never end. */
interface ReplyLimits {
  /** Characters of text; what is beyond is left out, as if the model had stopped at its token limit. */
  characters: number;
  /** Bytes on the wire, after unpacking; a longer reply is an error. */
  bytes: number;
}

/** No reply of ours is longer, whatever was asked for: a megabyte of text is a book. */
const MOST_CHARACTERS = 1_000_000;
/** Thinking that a server does not count, and forms that models put around what was asked for. */
const FREE_CHARACTERS = 16_000;
/** Longest that a token is, generously: most are four characters, but runs of spaces or dashes may be one token. */
const CHARACTERS_PER_TOKEN = 32;
/** An event of a stream wraps each token in JSON with ids, times and fingerprints: some hundred bytes. */
const BYTES_PER_TOKEN = 2048;
const FREE_BYTES = 1024 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** Tokens of a reply for which no limit was asked. */
const ASSUMED_TOKENS = 8192;

/** Limits of the reply to a request for so many tokens. */
export function replyLimits(maxTokens: number | undefined): ReplyLimits {
  return {
    characters:
      maxTokens === undefined
        ? MOST_CHARACTERS
        : Math.min(MOST_CHARACTERS, FREE_CHARACTERS + maxTokens * CHARACTERS_PER_TOKEN),
    bytes: Math.min(MOST_BYTES, FREE_BYTES + (maxTokens ?? ASSUMED_TOKENS) * BYTES_PER_TOKEN),
  };
}

/** Most bytes of a reply that is one JSON value: it is parsed at once, which holds the program meanwhile. */
export const WHOLE_REPLY_BYTES = 4 * 1024 * 1024;
/** Most bytes of what a fine-tuning service says; its lists hold a hundred entries of a few kilobytes at most. */
export const SERVICE_REPLY_BYTES = 1024 * 1024;

/** Seconds without a word after which a person is told: most models have begun by then. */
export const SILENT_AFTER = 8;

/** The same model, whose calls go another way. */
export function withStream(model: LanguageModel, stream: LanguageModel['stream']): LanguageModel {
  return {
    id: model.id,
    name: model.name,
    ...(model.endpoint !== undefined && { endpoint: model.endpoint }),
    get contextTokens() {
      return model.contextTokens;
    },
    get windowNote() {
      return model.windowNote;
    },
    get tools() {
      return model.tools;
    },
    get thoughtTokens() {
      return model.thoughtTokens;
    },
    learnWindow: async () => model.learnWindow?.(),
    countTokens: (text) => model.countTokens(text),
    stream,
  };
}

/**
 * The same model; calls `silent` when a call of it has said nothing for {@link SILENT_AFTER} seconds from its start:
 * `thinking` when thoughts have come meanwhile. The call goes on: a large prompt takes a small machine minutes.
 */
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
