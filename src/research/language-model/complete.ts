import { withoutSecrets } from '#base';
import { estimatePromptTokens, estimateTokens } from './context-window.ts';
import type {
  ChatMessage,
  Completion,
  CompletionOptions,
  LanguageModel,
  ReplySchema,
  TokenUsage,
} from './language-model.ts';
import { replyLimits } from './reply-limits.ts';

/**
 * Collects a streamed reply; tokens are estimated, and marked so, when the stream brought no usage. A reply that goes
 * on beyond what the tokens that were asked for can be (reply-limits.ts) is cut there and counts as truncated: whoever
 * sends it is told to stop. Keys in it are taken out.
 */
export async function complete(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  options: CompletionOptions & { schema?: ReplySchema; onText?: (text: string) => void } = {},
): Promise<Completion> {
  const { onText, ...request } = options;
  const most = replyLimits(options.maxTokens).characters;
  let text = '';
  let usage: TokenUsage | undefined;
  let truncated = false;
  reading: for await (const part of model.stream(messages, request)) {
    switch (part.type) {
      case 'text': {
        const piece = part.text.slice(0, most - text.length);
        text += piece;
        if (piece !== '') onText?.(piece);
        if (piece.length < part.text.length) {
          truncated = true;
          break reading; // ends the call
        }
        break;
      }
      case 'usage':
        usage = part.usage;
        truncated = part.truncated ?? false;
        break;
    }
  }
  text = withoutSecrets(text);
  usage ??= { inputTokens: estimatePromptTokens(messages), outputTokens: estimateTokens(text), estimated: true };
  return truncated ? { text, usage, truncated } : { text, usage };
}

/** Sum of two calls; estimated as soon as one of them is. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    estimated: a.estimated || b.estimated,
  };
}
