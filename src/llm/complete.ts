import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts';
import type { ChatMessage, Completion, CompletionOptions, LanguageModel, ReplySchema, TokenUsage } from './language-model.ts';

/** Collects a streamed reply; tokens are estimated, and marked so, when the stream brought no usage. */
export async function complete(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  options: CompletionOptions & { schema?: ReplySchema; onText?: (text: string) => void } = {},
): Promise<Completion> {
  const { onText, ...request } = options;
  let text = '';
  let usage: TokenUsage | undefined;
  let truncated = false;
  for await (const part of model.stream(messages, request)) {
    switch (part.type) {
      case 'text':
        text += part.text;
        onText?.(part.text);
        break;
      case 'usage':
        usage = part.usage;
        truncated = part.truncated ?? false;
        break;
    }
  }
  usage ??= { inputTokens: estimatePromptTokens(messages), outputTokens: estimateTokens(text), estimated: true };
  return truncated ? { text, usage, truncated } : { text, usage };
}

/** Sum of two calls; estimated as soon as one of them is. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens, estimated: a.estimated || b.estimated };
}
