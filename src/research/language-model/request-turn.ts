import type { z } from 'zod';
import { addUsage, complete } from './complete.ts';
import { BadReplyError, EmptyReplyError, ToolsRefusedError } from './errors.ts';
import type {
  ChatMessage,
  Completion,
  CompletionOptions,
  LanguageModel,
  TokenUsage,
  ToolCall,
  ToolSchema,
} from './language-model.ts';
import { jsonObject } from './lenient-json.ts';
import { jsonSchemaOf, readStructured, repairMessages } from './structured-reply.ts';
import { withoutThoughts } from './thoughts.ts';
import { asText, looksIn, SpokenText } from './tools-in-text.ts';

export interface TurnRequest<T = never> {
  /** The conversation so far. It grows by appending, so that prompt caches serve its beginning. */
  messages: readonly ChatMessage[];
  /** The same in every turn of a conversation. */
  tools: readonly ToolSchema[];
  /** Default true; false: the model is to reply now, and calls are dropped. */
  mayLook?: boolean;
  /** Form of the reply; undefined: prose. */
  schema?: { name: string; type: z.ZodType<T> };
  options?: Omit<CompletionOptions, 'tools' | 'toolChoice'>;
  /** The reply's prose as it comes, without thoughts; nothing of a look, and nothing of a reply of a given form. */
  onText?: (text: string) => void;
}

/** A look or a reply. */
export interface Turn<T = never> {
  /** For the conversation; one `tool` message for each call follows it. */
  message: ChatMessage;
  /** Empty: this is the reply. */
  calls: readonly ToolCall[];
  /** Without thoughts. */
  text: string;
  /** The reply in the form that was asked for. */
  value?: T;
  /** Of all requests. */
  usage: TokenUsage;
  requests: number;
  truncated?: boolean;
}

/**
 * Asks for one turn of a conversation with tools. A model without native tool calls, or whose calls come out empty, is
 * told of the tools in words and calls them by a JSON reply.
 * @param call Makes each request, for callers that count them.
 * @throws BadReplyError where the reply's form is wrong twice, EmptyReplyError, the model's other errors, AbortError
 */
export async function requestTurn<T = never>(
  model: LanguageModel,
  request: TurnRequest<T>,
  call: typeof complete = complete,
): Promise<Turn<T>> {
  const { tools, mayLook = true, schema, onText } = request;
  const asked = { usage: undefined as TokenUsage | undefined, requests: 0 };
  let form: 'native' | 'text' = tools.length === 0 || model.tools === false ? 'text' : 'native';

  const send = async (messages: readonly ChatMessage[]): Promise<Completion> => {
    const spoken = schema || !onText ? undefined : new SpokenText(onText);
    const note = {
      tools: form === 'text' && mayLook ? tools : [],
      mayLook,
      schema: schema && jsonSchemaOf(schema.type),
    };
    const options = {
      ...request.options,
      ...(form === 'native' && { tools, ...(!mayLook && { toolChoice: 'none' as const }) }),
      ...(spoken && { onText: (text: string) => spoken.write(text) }),
    };
    const before = asked.requests;
    try {
      const reply = await call(model, asText(messages, form, note), options);
      count(reply.usage);
      const text = withoutThoughts(reply.text, 'removed').trim();
      const toolCalls = mayLook ? (reply.toolCalls ?? looksIn(text, tools, messages.length)) : [];
      if (toolCalls.length === 0 && text === '') {
        const isAll = reply.text.trim() === '';
        throw new EmptyReplyError(model.name, isAll ? (reply.toolCalls ? 'tool' : 'silent') : 'thoughts', reply.usage);
      }
      if (toolCalls.length === 0) spoken?.end();
      return { ...reply, text, toolCalls };
    } catch (error) {
      if (form === 'native' && error instanceof ToolsRefusedError) {
        form = 'text';
        return send(messages);
      }
      if (!(error instanceof EmptyReplyError)) throw error;
      if (asked.requests === before) count(error.usage);
      if (form === 'text' || error.why === 'thoughts' || spoken?.hasSpoken)
        throw new EmptyReplyError(model.name, error.why, asked.usage ?? error.usage);
      form = 'text'; // some templates lose what tools found: it is told in words
      return send(messages);
    }
  };
  const count = (usage: TokenUsage): void => {
    asked.usage = asked.usage ? addUsage(asked.usage, usage) : usage;
    asked.requests += 1;
  };
  const turn = (reply: Completion, value?: { value: T }): Turn<T> => {
    const calls = reply.toolCalls ?? [];
    const message: ChatMessage = {
      role: 'assistant',
      content: calls.length > 0 && reply.text.startsWith('{') ? '' : reply.text,
      ...(calls.length > 0 && { toolCalls: calls }),
    };
    return {
      message,
      calls,
      text: reply.text,
      ...value,
      usage: asked.usage ?? reply.usage,
      requests: asked.requests,
      ...(reply.truncated && { truncated: true }),
    };
  };

  const first = await send(request.messages);
  if (!schema || (first.toolCalls ?? []).length > 0) return turn(first);
  const reading = readStructured(first, schema.type);
  if (reading.ok) return turn(first, { value: reading.value });
  const second = await send(repairMessages(request.messages, first, reading.problem));
  if ((second.toolCalls ?? []).length > 0) return turn(second);
  const again = readStructured(second, schema.type);
  if (again.ok) return turn(second, { value: again.value });
  throw new BadReplyError(model.name, schema.name, {
    reply: second.text,
    problem: again.problem,
    usage: asked.usage ?? second.usage,
    calls: asked.requests,
  });
}

/** The arguments of a call, read leniently; `{}` where they are no object. The tool's own type validates them. */
export const argumentsOf = ({ arguments: values }: ToolCall): Record<string, unknown> => jsonObject(values);
