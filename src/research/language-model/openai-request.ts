import type OpenAI from 'openai';
import type { ModelRequest } from './called-model.ts';
import type { ChatMessage, ReplySchema } from './language-model.ts';
import { withSchemaInPrompt } from './structured-reply.ts';

type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParams;

/** How a schema reaches the server, from the strictest on. */
type SchemaMode = 'json_schema' | 'json_object' | 'prompt';

/** What some servers refuse, by the words of the refusal. The first that fits is left out: narrower ones come first. */
const REFUSALS = {
  tool_choice: /tool_choice/i,
  tools: /\btools?\b|tool use|function[ _-]call/i,
  /** System messages; left out, their text begins the user's first message. */
  system:
    /system (?:role|message|prompt|instruction)|developer instruction|(["'`])system\1|roles? must alternate|only user/i,
  /** Texts as strings; left out, they are lists of one part. */
  strings: /content.{0,80}\b(?:valid list|array|list of|parts?)\b|\b(?:valid list|array|list)\b.{0,80}content/is,
  temperature: /temperature/i,
  stream_options: /stream_options|include_usage/i,
  stop: /['"`]stop['"`]|stop sequence/i,
  reasoning_effort: /reasoning|\bthink/i, // Ollama says “think value "low" is not supported”.
  /** Left out, the other name of the limit is used. */
  max_tokens: /max_tokens.{0,80}(?:support|unknown|unrecogni[sz]ed|instead|unexpected|extra)|extra.{0,40}max_tokens/is,
  stream: /\bstream(?:ing)?\b/i,
} as const;
type Feature = keyof typeof REFUSALS;
const ALL = Object.keys(REFUSALS) as Feature[];

function has(request: ChatRequest, feature: Feature): boolean {
  if (feature === 'system') return request.messages.some(({ role }) => role === 'system');
  if (feature === 'strings') return request.messages.some(({ content }) => typeof content === 'string');
  return request[feature] !== undefined && request[feature] !== false;
}

/** Tells a refusal under a status that blames the server. */
const UNSUPPORTED =
  /support|unknown|unrecogni[sz]ed|not (?:allowed|enabled|permitted|implemented)|requires?|must|only|disabled|invalid|input should|instead/i;

/** What "OpenAI-compatible" means for one endpoint and model: learnt from its rejections, kept for the next call. */
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

  request(model: string, messages: readonly ChatMessage[], options: ModelRequest): ChatRequest {
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

  confirm(sent: ChatRequest): void {
    if (sent.tools !== undefined) this.#toolsTaken = true;
  }

  /** Learns from the rejection of a request's form; true where it has another form now, and is worth sending again. */
  learn(status: number, message: string, sent: ChatRequest, schema: ReplySchema | undefined): boolean {
    const schemaAtFault = /response_format|json_schema|json_object|schema|grammar|structured|json mode/i.test(message);
    const isOfForm = status === 400 || status === 422 || status === 501;
    // Chat templates fail inside (500); routers find no server that could (404).
    if (!isOfForm && !(status === 404 || status >= 500)) return false;
    if (!isOfForm && !schemaAtFault && !UNSUPPORTED.test(message)) return false;
    if (this.#hasChangedSince(sent, schema)) return true;
    const blamesSchema = schema !== undefined && schemaAtFault;
    const named = ALL.find((feature) => has(sent, feature) && REFUSALS[feature].test(message));
    // What names nothing that can be left out, as a bare "bad request", is blamed on what is rarely supported.
    const isUsual = sent.tools === undefined || this.#toolsTaken || !isOfForm;
    const refused = (blamesSchema ? undefined : named) ?? (isUsual ? undefined : 'tools');
    if (refused) this.#refused.add(refused);
    if (refused) return true;
    if (!schema || (!isOfForm && !schemaAtFault)) return false;
    const mode = this.#schemaMode(schema);
    if (mode === 'prompt') return false;
    this.#schemaModes.set(schema.name, mode === 'json_schema' ? 'json_object' : 'prompt');
    return true;
  }

  /** Whether a request would have another form if it were made now: calls that run at once learn from each other. */
  #hasChangedSince(sent: ChatRequest, schema: ReplySchema | undefined): boolean {
    return (
      ALL.some((feature) => !this.#takes(feature) && has(sent, feature)) ||
      (schema !== undefined && modeOf(sent) !== this.#schemaMode(schema))
    );
  }

  #messages(messages: readonly ChatMessage[]): ChatRequest['messages'] {
    const sent = this.#takes('system') ? messages : withoutSystem(messages);
    const content = (text: string): string | { type: 'text'; text: string }[] =>
      this.#takes('strings') ? text : [{ type: 'text', text }];
    return sent.map(({ role, content: text, toolCalls = [], toolCallId = '' }) => {
      if (role === 'tool') return { role, tool_call_id: toolCallId, content: content(text) };
      if (role !== 'assistant' || toolCalls.length === 0) return { role, content: content(text) };
      const calls = toolCalls.map(({ id, ...called }) => ({ id, type: 'function' as const, function: called }));
      return { role, content: text === '' ? null : content(text), tool_calls: calls };
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
function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
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

const modeOf = ({ response_format: format }: ChatRequest): SchemaMode =>
  format === undefined || format.type === 'text' ? 'prompt' : format.type;

const safeName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64);

/** OpenAI's strict mode wants every property required and no others allowed, all the way down. */
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
