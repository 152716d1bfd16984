import type OpenAI from 'openai';
import type { ChatMessage, CompletionOptions, ReplySchema } from './language-model.ts';
import { withSchemaInPrompt } from './structured-reply.ts';
import type { RoomyOptions } from './thoughts.ts';

export type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** How a schema reaches the server, from the strictest on. */
type SchemaMode = 'json_schema' | 'json_object' | 'prompt';

/** Parameters that some servers or models reject. */
type OptionalParameter = 'temperature' | 'stop' | 'stream_options' | 'reasoning_effort';

const NAMED: readonly [OptionalParameter, RegExp][] = [
  ['temperature', /temperature/i],
  ['stream_options', /stream_options|include_usage/i],
  ['stop', /['"`]stop['"`]|stop sequence/i],
  // Ollama says “think value "low" is not supported”.
  ['reasoning_effort', /reasoning|\bthink/i],
];

const LIMIT_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/**
 * What "OpenAI-compatible" means for one endpoint and model: found out by its rejections, remembered for the next call.
 */
export class OpenAiDialect {
  readonly #rejected = new Set<OptionalParameter>();
  /** By schema name: a server may take one schema and fail on another. */
  readonly #schemaModes = new Map<string, SchemaMode>();
  #limitField: (typeof LIMIT_FIELDS)[number];
  #limitSwapped = false;

  constructor(host: string) {
    // OpenAI's newer models reject `max_tokens`; most local servers know nothing else.
    this.#limitField = host === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
  }

  request(
    model: string,
    messages: readonly ChatMessage[],
    options: RoomyOptions<CompletionOptions> & { schema?: ReplySchema },
  ): ChatRequest {
    const { schema, maxTokens, temperature = 0, stop, effort } = options;
    const mode = schema ? this.#schemaMode(schema) : undefined;
    const sent = schema && mode !== 'json_schema' ? withSchemaInPrompt(messages, schema) : messages;
    return {
      model,
      messages: sent.map(({ role, content }) => ({ role, content })),
      stream: true,
      ...(this.#takes('stream_options') && { stream_options: { include_usage: true } }),
      ...(this.#takes('temperature') && { temperature }),
      ...(stop && stop.length > 0 && this.#takes('stop') && { stop: [...stop] }),
      ...(effort && this.#takes('reasoning_effort') && { reasoning_effort: effort }),
      ...(maxTokens !== undefined && { [this.#limitField]: maxTokens }),
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

  /**
   * Learns from the rejection of a request's form; true when what it asked is worth sending again in another form. A
   * request that was sent before something was learnt teaches nothing: what is known by now may be what it wants. Where
   * a server rejects what the messages say and not their form, nothing is learnt.
   */
  learn(status: number, message: string, sent: ChatRequest, schema: ReplySchema | undefined): boolean {
    const schemaAtFault = /response_format|json_schema|json_object|schema|grammar|structured|json mode/i.test(message);
    if (status !== 400 && status !== 422 && status !== 501 && !(status >= 500 && schemaAtFault)) return false;
    if (this.#hasChangedSince(sent, schema)) return true;
    if (!schemaAtFault && this.#learnParameter(message)) return true;
    if (!schema) return false;
    // What names no parameter that can be left out, as a bare "bad request", is blamed on the schema too: nothing else
    // in a request is as rarely supported.
    const mode = this.#schemaMode(schema);
    if (mode === 'prompt') return false;
    this.#schemaModes.set(schema.name, mode === 'json_schema' ? 'json_object' : 'prompt');
    return true;
  }

  /** Whether a request would have another form if it were made now: calls that run at once learn from each other. */
  #hasChangedSince(sent: ChatRequest, schema: ReplySchema | undefined): boolean {
    return (
      LIMIT_FIELDS.some((field) => field in sent && field !== this.#limitField) ||
      NAMED.some(([parameter]) => parameter in sent && !this.#takes(parameter)) ||
      (schema !== undefined && modeOf(sent) !== this.#schemaMode(schema))
    );
  }

  #learnParameter(message: string): boolean {
    if (
      /max_tokens|max_completion_tokens/i.test(message) &&
      !this.#limitSwapped &&
      /support|unknown|unrecogni[sz]ed|instead|unexpected|extra/i.test(message)
    ) {
      this.#limitField = this.#limitField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
      this.#limitSwapped = true;
      return true;
    }
    const named = NAMED.find(([parameter, pattern]) => this.#takes(parameter) && pattern.test(message))?.[0];
    if (!named) return false;
    this.#rejected.add(named);
    return true;
  }

  #schemaMode(schema: ReplySchema): SchemaMode {
    return this.#schemaModes.get(schema.name) ?? 'json_schema';
  }

  #takes(parameter: OptionalParameter): boolean {
    return !this.#rejected.has(parameter);
  }
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
