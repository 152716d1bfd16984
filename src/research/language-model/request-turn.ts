import { addUsage, complete } from './complete.ts';
import { EmptyReplyError, ToolsRefusedError } from './errors.ts';
import type {
  ChatMessage,
  CompletionOptions,
  LanguageModel,
  TokenUsage,
  ToolCall,
  ToolSchema,
} from './language-model.ts';
import { jsonObject } from './lenient-json.ts';
import { withoutThoughts } from './thoughts.ts';
import { asText, looksIn, SpokenText } from './tools-in-text.ts';

export interface TurnRequest {
  /** The conversation so far. It grows by appending, so that prompt caches serve its beginning. */
  messages: readonly ChatMessage[];
  /** The same in every turn of a conversation. */
  tools: readonly ToolSchema[];
  /** Default true; false: the model is to reply now, and calls are dropped. */
  mayLook?: boolean;
  options?: Omit<CompletionOptions, 'tools' | 'toolChoice'>;
  /** The reply's prose as it comes, without thoughts, and nothing of a look. */
  onText?: (text: string) => void;
}

/** A look or a reply. */
export interface Turn {
  /** For the conversation; one `tool` message for each call follows it. */
  message: ChatMessage;
  /** Empty: this is the reply. */
  calls: readonly ToolCall[];
  /** Without thoughts. */
  text: string;
  /** Of all requests. */
  usage: TokenUsage;
  requests: number;
  truncated?: boolean;
}

/**
 * Asks for one turn of a conversation with tools. A model without native tool calls, or whose calls come out empty, is
 * told of the tools in words and calls them by a JSON reply.
 * @param call Makes each request, for callers that count them.
 * @throws EmptyReplyError, the model's other errors, AbortError
 */
export async function requestTurn(
  model: LanguageModel,
  { messages, tools, mayLook = true, options, onText }: TurnRequest,
  call: typeof complete = complete,
): Promise<Turn> {
  let usage: TokenUsage | undefined;
  let isNative = tools.length > 0 && model.tools !== false;
  for (let requests = 1; ;) {
    const spoken = onText && new SpokenText(onText);
    try {
      const reply = await call(model, isNative ? messages : asText(messages, tools, mayLook), {
        ...options,
        ...(isNative && { tools, ...(!mayLook && { toolChoice: 'none' as const }) }),
        ...(spoken && { onText: (text: string) => spoken.write(text) }),
      });
      const text = withoutThoughts(reply.text, 'removed').trim();
      const calls = mayLook ? (reply.toolCalls ?? looksIn(text, tools, messages.length)) : [];
      if (calls.length === 0 && text === '') {
        const why = reply.text.trim() === '' ? (reply.toolCalls ? 'tool' : 'silent') : 'thoughts';
        throw new EmptyReplyError(model.name, why, reply.usage);
      }
      if (calls.length === 0) spoken?.end();
      const content = calls.length > 0 && text.startsWith('{') ? '' : text;
      return {
        message: { role: 'assistant', content, ...(calls.length > 0 && { toolCalls: calls }) },
        calls,
        text,
        usage: usage ? addUsage(usage, reply.usage) : reply.usage,
        requests,
        ...(reply.truncated && { truncated: true }),
      };
    } catch (error) {
      if (error instanceof EmptyReplyError) {
        usage = usage ? addUsage(usage, error.usage) : error.usage;
        if (!isNative || error.why === 'thoughts' || spoken?.hasSpoken)
          throw new EmptyReplyError(model.name, error.why, usage);
        requests += 1; // some templates lose what tools found: it is told in words
      } else if (!isNative || !(error instanceof ToolsRefusedError)) throw error;
      isNative = false;
    }
  }
}

/** The arguments of a call, read leniently; `{}` where they are no object. The tool's own type validates them. */
export const argumentsOf = ({ arguments: values }: ToolCall): Record<string, unknown> => jsonObject(values);
