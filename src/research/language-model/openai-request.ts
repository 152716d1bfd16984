import type OpenAI from 'openai';
import type { ChatMessage, CompletionOptions, ReplySchema } from './language-model.ts';
import { withSchemaInPrompt } from './structured-reply.ts';
import type { RoomyOptions } from './thoughts.ts';

export type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParams;

/** How a schema reaches the server, from the strictest on. */
type SchemaMode = 'json_schema' | 'json_object' | 'prompt';

/**
 * What a request may have that some servers refuse, with the words by which they do, and whether a request has it. The
 * first whose words fit is left out: the narrower ones come first.
 */
const FEATURES = {
  tool_choice: {
    refusal: /tool_choice/i,
    isIn: (request: ChatRequest) => request.tool_choice !== undefined,
  },
  tools: {
    refusal: /\btools?\b|tool use|function[ _-]call/i,
    isIn: (request: ChatRequest) => request.tools !== undefined,
  },
  /** System messages; left out, their text begins the first message of the user. */
  system: {
    refusal:
      /system (?:role|message|prompt|instruction)|developer instruction|(["'`])system\1|roles? must alternate|only user/i,
    isIn: ({ messages }: ChatRequest) => messages.some(({ role }) => role === 'system'),
  },
  /** Texts as strings; left out, they are lists of one part. */
  strings: {
    refusal: /content.{0,80}\b(?:valid list|array|list of|parts?)\b|\b(?:valid list|array|list)\b.{0,80}content/is,
    isIn: ({ messages }: ChatRequest) => messages.some(({ content }) => typeof content === 'string'),
  },
  temperature: { refusal: /temperature/i, isIn: (request: ChatRequest) => 'temperature' in request },
  stream_options: {
    refusal: /stream_options|include_usage/i,
    isIn: (request: ChatRequest) => 'stream_options' in request,
  },
  stop: { refusal: /['"`]stop['"`]|stop sequence/i, isIn: (request: ChatRequest) => 'stop' in request },
  // Ollama says “think value "low" is not supported”.
  reasoning_effort: { refusal: /reasoning|\bthink/i, isIn: (request: ChatRequest) => 'reasoning_effort' in request },
  /** Left out, the other name of the limit is used. */
  max_tokens: {
    refusal: /max_tokens.{0,80}(?:support|unknown|unrecogni[sz]ed|instead|unexpected|extra)|extra.{0,40}max_tokens/is,
    isIn: (request: ChatRequest) => 'max_tokens' in request,
  },
  stream: { refusal: /\bstream(?:ing)?\b/i, isIn: (request: ChatRequest) => request.stream === true },
} as const;
type Feature = keyof typeof FEATURES;
const ALL = Object.keys(FEATURES) as Feature[];

/** What says that a word of {@link FEATURES} is meant as a refusal, also under a status that blames the server. */
const UNSUPPORTED =
  /support|unknown|unrecogni[sz]ed|not (?:allowed|enabled|permitted|implemented)|requires?|must|only|disabled|invalid|input should|instead/i;

/**
 * What "OpenAI-compatible" means for one endpoint and model: found out by its rejections, remembered for the next call.
 */
export class OpenAiDialect {
  readonly #refused = new Set<Feature>();
  /** By schema name: a server may take one schema and fail on another. */
  readonly #schemaModes = new Map<string, SchemaMode>();
  #toolsTaken = false;

  constructor(host: string) {
    // OpenAI's newer models reject `max_tokens`; most local servers know nothing else.
    if (host === 'api.openai.com') this.#refused.add('max_tokens');
  }

  /** Whether tools are taken; undefined: no request with tools has been answered yet. */
  get tools(): boolean | undefined {
    return this.#refused.has('tools') ? false : this.#toolsTaken || undefined;
  }

  request(
    model: string,
    messages: readonly ChatMessage[],
    options: RoomyOptions<CompletionOptions> & { schema?: ReplySchema },
  ): ChatRequest {
    const { schema, maxTokens, temperature = 0, stop, effort, tools = [] } = options;
    const mode = schema ? this.#schemaMode(schema) : undefined;
    const sent = schema && mode !== 'json_schema' ? withSchemaInPrompt(messages, schema) : messages;
    const streams = this.#takes('stream');
    return {
      model,
      messages: this.#messages(sent),
      stream: streams,
      ...(streams && this.#takes('stream_options') && { stream_options: { include_usage: true } }),
      ...(this.#takes('temperature') && { temperature }),
      ...(stop && stop.length > 0 && this.#takes('stop') && { stop: [...stop] }),
      ...(effort && this.#takes('reasoning_effort') && { reasoning_effort: effort }),
      ...(maxTokens !== undefined && {
        [this.#takes('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: maxTokens,
      }),
      ...(tools.length > 0 &&
        this.#takes('tools') && {
          tools: tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
          ...(options.toolChoice && this.#takes('tool_choice') && { tool_choice: options.toolChoice }),
        }),
      ...(schema &&
        mode === 'json_schema' && {
          response_format: {
            type: 'json_schema',
            json_schema: { name: safeName(schema.name), schema: schema.schema, strict: isStrict(schema.schema) },
          },
        }),
      ...(mode === 'json_object' && { response_format: { type: 'json_object' } }),
    };
  }

  /** A request was answered: what it had is taken. */
  confirm(sent: ChatRequest): void {
    if (sent.tools !== undefined) this.#toolsTaken = true;
  }

  /**
   * Learns from the rejection of a request's form; true when what it asked is worth sending again in another form. A
   * request that was sent before something was learnt teaches nothing: what is known by now may be what it wants. Where
   * a server rejects what the messages say and not their form, nothing is learnt.
   */
  learn(status: number, message: string, sent: ChatRequest, schema: ReplySchema | undefined): boolean {
    const schemaAtFault = /response_format|json_schema|json_object|schema|grammar|structured|json mode/i.test(message);
    const isOfForm = status === 400 || status === 422 || status === 501;
    // Chat templates fail inside (500); routers find no server that could (404).
    if (!isOfForm && !(status === 404 || status >= 500)) return false;
    if (!isOfForm && !schemaAtFault && !UNSUPPORTED.test(message)) return false;
    if (this.#hasChangedSince(sent, schema)) return true;
    const blamesSchema = schema !== undefined && schemaAtFault;
    if (!blamesSchema && this.#learnFeature(message, sent)) return true;
    if (!isOfForm && !schemaAtFault) return false;
    // What names nothing that can be left out, as a bare "bad request", is blamed on what is rarely supported.
    if (sent.tools !== undefined && !this.#toolsTaken && isOfForm) return this.#refuse('tools');
    if (!schema) return false;
    const mode = this.#schemaMode(schema);
    if (mode === 'prompt') return false;
    this.#schemaModes.set(schema.name, mode === 'json_schema' ? 'json_object' : 'prompt');
    return true;
  }

  /** Whether a request would have another form if it were made now: calls that run at once learn from each other. */
  #hasChangedSince(sent: ChatRequest, schema: ReplySchema | undefined): boolean {
    return (
      ALL.some((feature) => !this.#takes(feature) && FEATURES[feature].isIn(sent)) ||
      (schema !== undefined && modeOf(sent) !== this.#schemaMode(schema))
    );
  }

  #learnFeature(message: string, sent: ChatRequest): boolean {
    const refused = ALL.find((feature) => FEATURES[feature].isIn(sent) && FEATURES[feature].refusal.test(message));
    return refused !== undefined && this.#refuse(refused);
  }

  #refuse(feature: Feature): true {
    this.#refused.add(feature);
    return true;
  }

  #messages(messages: readonly ChatMessage[]): ChatRequest['messages'] {
    const sent = this.#takes('system') ? messages : withoutSystem(messages);
    const content = (text: string): string | { type: 'text'; text: string }[] =>
      this.#takes('strings') ? text : [{ type: 'text', text }];
    return sent.map((message) => {
      switch (message.role) {
        case 'tool':
          return { role: 'tool', tool_call_id: message.toolCallId ?? '', content: content(message.content) };
        case 'assistant': {
          const calls = message.toolCalls ?? [];
          if (calls.length === 0) return { role: 'assistant', content: content(message.content) };
          return {
            role: 'assistant',
            content: message.content === '' ? null : content(message.content),
            tool_calls: calls.map(({ id, name, arguments: values }) => ({
              id,
              type: 'function',
              function: { name, arguments: values },
            })),
          };
        }
        default:
          return { role: message.role, content: content(message.content) };
      }
    });
  }

  #schemaMode(schema: ReplySchema): SchemaMode {
    return this.#schemaModes.get(schema.name) ?? 'json_schema';
  }

  #takes(feature: Feature): boolean {
    return !this.#refused.has(feature);
  }
}

/** System messages become the beginning of what the user says next; of one role, neighbours become one message. */
export function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const said: ChatMessage = message.role === 'system' ? { role: 'user', content: message.content } : message;
    const before = merged.at(-1);
    const isPlain = said.role !== 'tool' && !said.toolCalls && !before?.toolCalls;
    if (before?.role === said.role && isPlain)
      merged[merged.length - 1] = { ...before, content: `${before.content}\n\n${said.content}` };
    else merged.push(said);
  }
  return merged;
}

/** How a request tells the server the schema of its reply. */
function modeOf({ response_format: format }: ChatRequest): SchemaMode {
  return format === undefined || format.type === 'text' ? 'prompt' : format.type;
}

const safeName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64);

/**
 * OpenAI's strict mode wants every property required and no others allowed, all the way down; other schemas go without
 * it.
 */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (type === 'object') {
    const names = Object.keys((properties ?? {}) as object);
    if (additionalProperties !== false || !names.every((name) => Array.isArray(required) && required.includes(name)))
      return false;
  }
  return Object.values(schema).every(isStrict);
}
