import { APIError, type OpenAI } from 'openai';
import { type Failure, shownAddress } from '#base';
import { askWindow, type AskedWindow } from './openai-models.ts';
import { CalledModel, type CallTiming, type ModelRequest, type ReplyPiece } from './called-model.ts';
import { replyLimits } from './complete.ts';
import { ToolsRefusedError } from './errors.ts';
import type { ChatMessage, LanguageModel } from './language-model.ts';
import { atAnsweringUrl, openAiClient, parseBaseUrl, type OpenAiEndpoint } from './openai-client.ts';
import { judgeOpenAiFailure, rejectsMessages, sayingOf } from './openai-failure.ts';
import { OpenAiDialect } from './openai-request.ts';
import { readReply } from './openai-stream.ts';

export interface OpenAiModelOptions extends OpenAiEndpoint, CallTiming {
  model: string;
  /** What the model takes; undefined: the server is asked. */
  contextTokens?: number;
}

/** Where neither the settings nor the server says: what nearly every model of these years takes. */
const ASSUMED_CONTEXT = 8192;

/** A chat model behind the OpenAI protocol. @throws UnreachableError when the base URL is no http address. */
export const openAiModel = (options: OpenAiModelOptions): LanguageModel => new OpenAiModel(options);

class OpenAiModel extends CalledModel {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly seconds = 600;
  readonly #endpoint: OpenAiEndpoint;
  readonly #host: string;
  #context: AskedWindow & { asked: boolean };
  #asking: Promise<void> | undefined;
  /** A call has ended well: it has loaded the model. */
  #called = false;
  #keyed = true;
  readonly #dialect: OpenAiDialect;

  constructor(options: OpenAiModelOptions) {
    super(options);
    const { baseUrl, host } = parseBaseUrl(options.baseUrl);
    this.#endpoint = options;
    this.#host = host;
    this.name = options.model;
    this.id = `openai:${options.model}@${host}`;
    this.endpoint = shownAddress(baseUrl);
    this.#context = { asked: options.contextTokens !== undefined, tokens: options.contextTokens };
    this.#dialect = new OpenAiDialect(host);
  }

  get contextTokens(): number {
    return this.#context.tokens ?? Math.min(ASSUMED_CONTEXT, this.#context.trained ?? ASSUMED_CONTEXT);
  }

  get tools(): boolean | undefined {
    return this.#dialect.tools;
  }

  override get window(): number | undefined {
    return this.#context.unloaded ? undefined : this.#context.tokens;
  }

  get windowNote(): string | undefined {
    const { tokens, trained } = this.#context;
    const shown = (count: number): string => count.toLocaleString('en');
    if (tokens === undefined)
      return `${this.#host} does not say how much ${this.name} takes: ${shown(this.contextTokens)} tokens are assumed.`;
    if (trained === undefined || trained <= tokens) return undefined;
    return `${this.#host} gives ${this.name} ${shown(tokens)} of the ${shown(trained)} tokens that it was made for.`;
  }

  /** Asked once, and again after a call has loaded the model. Several runs share the request: none of them stops it. */
  learnWindow(): Promise<void> {
    if (this.#context.asked && !(this.#context.unloaded && this.#called)) return Promise.resolve();
    this.#asking ??= askWindow(this.#endpoint, this.name, this.clock).then((window) => {
      this.#asking = undefined;
      // One that cannot be reached is asked again.
      if (window) this.#context = { ...window, asked: true, ...(this.#called && { unloaded: false }) };
    });
    return this.#asking;
  }

  judge(error: unknown): Failure {
    const context = { endpoint: this.#host, model: this.name, keyed: this.#keyed, now: this.clock.now() };
    return judgeOpenAiFailure(error, context);
  }

  async *send(
    messages: readonly ChatMessage[],
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyPiece, void> {
    const { first, pieces } = await atAnsweringUrl(this.#endpoint.baseUrl, async (baseUrl) => {
      const { client, keyed } = await openAiClient(this.#endpoint, replyLimits(request.maxTokens).bytes, baseUrl);
      this.#keyed = keyed;
      return this.#ask(client, messages, request, signal);
    });
    try {
      for (let next = first; !next.done; next = await pieces.next()) yield next.value;
      this.#called = true;
    } finally {
      await pieces.return();
    }
  }

  /** One request, sent again in another form as long as the server rejects one that can be changed. */
  async #ask(
    client: OpenAI,
    messages: readonly ChatMessage[],
    options: ModelRequest,
    signal: AbortSignal,
  ): Promise<{ first: IteratorResult<ReplyPiece, void>; pieces: AsyncGenerator<ReplyPiece, void> }> {
    for (;;) {
      if (options.tools?.length && this.tools === false) throw new ToolsRefusedError(this.name);
      const request = this.#dialect.request(this.name, messages, options);
      try {
        const response = await client.chat.completions.create(request, { signal }).asResponse();
        const pieces = readReply(response, this.#host, this.name);
        const first = await pieces.next();
        this.#dialect.confirm(request);
        return { first, pieces };
      } catch (error) {
        if (!(error instanceof APIError) || rejectsMessages(error)) throw error;
        if (error.status === undefined && error.error === undefined) throw error; // the connection failed
        // 500: told in a reply of status 200
        if (!this.#dialect.learn(error.status ?? 500, sayingOf(error), request, options.schema)) throw error;
      }
    }
  }
}
