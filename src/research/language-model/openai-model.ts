import { APIError, type OpenAI } from 'openai';
import {
  abortError,
  type Clock,
  type Deadline,
  defaultRetryPolicy,
  type Failure,
  HoptrailError,
  type RetryPolicy,
  shownAddress,
  startDeadline,
  systemClock,
  throwIfAborted,
  unlessAborted,
  withRetry,
} from '#base';
import { askWindow, type AskedWindow } from './ask-window.ts';
import { ContextTooLongError, EmptyReplyError, ModelTimeoutError, ToolsRefusedError } from './errors.ts';
import { EndMarks } from './end-marks.ts';
import { estimatePromptTokens, estimateTokens } from './context-window.ts';
import type {
  ChatMessage,
  CompletionOptions,
  CompletionPart,
  LanguageModel,
  ReplySchema,
  TokenUsage,
} from './language-model.ts';
import { atAnsweringUrl, openAiClient, parseBaseUrl, type OpenAiEndpoint } from './openai-client.ts';
import { judgeOpenAiFailure, rejectsMessages, sayingOf } from './openai-failure.ts';
import { type ChatRequest, OpenAiDialect } from './openai-request.ts';
import { readReply, type ReplyEnd, type StreamPiece } from './openai-stream.ts';
import { addUsage, replyLimits } from './complete.ts';
import { hasSpoken, type RoomyOptions, ThinkingRoom } from './thoughts.ts';

export interface OpenAiModelOptions extends OpenAiEndpoint {
  model: string;
  /** What the model takes; undefined: the server is asked. */
  contextTokens?: number;
  retry?: RetryPolicy;
  clock?: Clock;
  /** 0 inclusive to 1 exclusive; for back-off. */
  random?: () => number;
}

/** Where neither the settings nor the server says: what nearly every model of these years takes. */
const ASSUMED_CONTEXT = 8192;
/** Seconds for a call that brings no deadline of its own. */
const DEFAULT_DEADLINE = 600;
/** Our token estimate may be so much too high. */
const ESTIMATE_SLACK = 1.25;

type Pieces = AsyncGenerator<StreamPiece, void>;
interface OpenedReply {
  first: IteratorResult<StreamPiece, void>;
  pieces: Pieces;
}
type Replied = ReplyEnd & { text: string; usage: TokenUsage };

type Request = RoomyOptions<CompletionOptions> & { schema?: ReplySchema };

/** A chat model behind the OpenAI protocol. @throws UnreachableError when the base URL is no http address. */
export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  return new OpenAiModel(options);
}

class OpenAiModel implements LanguageModel {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly #endpoint: OpenAiEndpoint;
  readonly #host: string;
  #context: AskedWindow & { asked: boolean };
  #asking: Promise<void> | undefined;
  /** Calls that have ended well: one of them has loaded the model. */
  #called = false;
  readonly #dialect: OpenAiDialect;
  readonly #thinking = new ThinkingRoom(() => this.contextTokens);
  readonly #retry: RetryPolicy;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(options: OpenAiModelOptions) {
    const { baseUrl, apiKey, fetch, proxy } = options;
    const { baseUrl: likeliest, host } = parseBaseUrl(baseUrl);
    this.#endpoint = { baseUrl, apiKey, ...(fetch && { fetch }), ...(proxy && { proxy }) };
    this.#host = host;
    this.name = options.model;
    this.id = `openai:${options.model}@${host}`;
    this.endpoint = shownAddress(likeliest);
    this.#context =
      options.contextTokens === undefined ? { asked: false } : { asked: true, tokens: options.contextTokens };
    this.#dialect = new OpenAiDialect(host);
    this.#retry = options.retry ?? defaultRetryPolicy;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  get contextTokens(): number {
    return this.#context.tokens ?? Math.min(ASSUMED_CONTEXT, this.#context.trained ?? ASSUMED_CONTEXT);
  }

  get tools(): boolean | undefined {
    return this.#dialect.tools;
  }

  get thoughtTokens(): number {
    return this.#thinking.tokens;
  }

  get #knowsWindow(): boolean {
    return this.#context.tokens !== undefined && !this.#context.unloaded;
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
    this.#asking ??= askWindow(this.#endpoint, this.name, this.#clock).then((window) => {
      this.#asking = undefined;
      // One that cannot be reached is asked again.
      if (window) this.#context = { ...window, asked: true, ...(this.#called && { unloaded: false }) };
    });
    return this.#asking;
  }

  countTokens(text: string): Promise<number> {
    return Promise.resolve(estimateTokens(text));
  }

  async *stream(messages: readonly ChatMessage[], options: Request): AsyncIterable<CompletionPart> {
    throwIfAborted(options.signal);
    this.#assertFits(messages);
    const seconds = options.deadlineSeconds ?? DEFAULT_DEADLINE;
    const deadline = startDeadline(this.#clock, seconds, options.signal);
    let pieces: Pieces | undefined;
    try {
      const [first, second] = yield* this.#thinking.ask(options, (request) =>
        this.#parts(messages, this.#withinWindow(messages, request, options), deadline, (opened) => (pieces = opened)),
      );
      const { text, thought, truncated, usage, calls } = second ?? first;
      const spent = second ? addUsage(first.usage, usage) : usage;
      const offered = (options.tools?.length ?? 0) > 0;
      if (!hasSpoken(text) && !(offered && calls.length > 0)) {
        const thinks = thought || truncated || text.trim() !== '';
        throw new EmptyReplyError(this.name, thinks ? 'thoughts' : calls.length > 0 ? 'tool' : 'silent', spent);
      }
      if (offered) for (const call of calls) yield { type: 'tool-call', call };
      yield truncated ? { type: 'usage', usage: spent, truncated } : { type: 'usage', usage: spent };
    } catch (error) {
      throw this.#errorOf(error, deadline, seconds, options.signal);
    } finally {
      const closing = pieces?.return(undefined); // closes the connection when the caller stopped reading
      if (deadline.signal.aborted)
        closing?.catch(() => undefined); // the signal has closed it; a read that still hangs is not waited for
      else await closing;
      deadline.end();
    }
  }

  /** Room to think as far as the prompt leaves some: services reject a call that could go beyond their window. */
  #withinWindow(messages: readonly ChatMessage[], request: Request, { maxTokens }: Request): Request {
    if (maxTokens === undefined || request.maxTokens === maxTokens || !this.#knowsWindow) return request;
    const left = this.contextTokens - estimatePromptTokens(messages);
    return { ...request, maxTokens: Math.max(maxTokens, Math.min(request.maxTokens ?? maxTokens, left)) };
  }

  /** Sends the request and waits for the first piece: until then it may be tried again. */
  #open(messages: readonly ChatMessage[], options: Request, deadline: Deadline): Promise<OpenedReply> {
    let keyed = false;
    const attempt = async (baseUrl: string): Promise<OpenedReply> => {
      const connection = await openAiClient(this.#endpoint, replyLimits(options.maxTokens).bytes, baseUrl);
      keyed = connection.keyed;
      return this.#send(connection.client, messages, options, deadline.signal);
    };
    return withRetry(() => atAnsweringUrl(this.#endpoint.baseUrl, attempt), {
      policy: this.#retry,
      clock: this.#clock,
      random: this.#random,
      signal: deadline.signal,
      left: () => deadline.left(),
      judge: (error) => this.#judge(error, keyed),
    });
  }

  #judge(error: unknown, keyed: boolean): Failure {
    return judgeOpenAiFailure(error, { endpoint: this.#host, model: this.name, keyed, now: this.#clock.now() });
  }

  /** One request, sent again in another form as long as the server rejects one that can be changed. */
  async #send(
    client: OpenAI,
    messages: readonly ChatMessage[],
    options: Request,
    signal: AbortSignal,
  ): Promise<OpenedReply> {
    for (;;) {
      // The client never takes its listener off: each request has a signal of its own.
      const controller = new AbortController();
      const onAbort = (): void => controller.abort();
      if (signal.aborted) throw abortError();
      signal.addEventListener('abort', onAbort, { once: true });
      if (options.tools?.length && this.tools === false) throw new ToolsRefusedError(this.name);
      const request = this.#dialect.request(this.name, messages, options);
      try {
        const response = await client.chat.completions.create(request, { signal: controller.signal }).asResponse();
        const pieces = readReply(response, this.#host, this.name);
        const first = await pieces.next();
        this.#dialect.confirm(request);
        return { first, pieces };
      } catch (error) {
        signal.removeEventListener('abort', onAbort);
        if (!this.#learnsFrom(error, request, options.schema)) throw error;
      }
    }
  }

  /** True if a rejected request is worth sending again, in the form that its rejection has taught. */
  #learnsFrom(error: unknown, sent: ChatRequest, schema: ReplySchema | undefined): boolean {
    if (!(error instanceof APIError) || rejectsMessages(error)) return false;
    if (error.status === undefined && error.error === undefined) return false; // the connection failed
    return this.#dialect.learn(error.status ?? 500, sayingOf(error), sent, schema); // 500: told in a reply of status 200
  }

  async *#parts(
    messages: readonly ChatMessage[],
    request: Request,
    deadline: Deadline,
    onOpen: (pieces: Pieces) => void,
  ): AsyncGenerator<CompletionPart, Replied> {
    const opened = await unlessAborted(this.#open(messages, request, deadline), deadline.signal);
    onOpen(opened.pieces);
    const marks = new EndMarks();
    let text = '';
    let thought = false;
    let end: ReplyEnd | undefined;
    for (let next = opened.first; !next.done; next = await unlessAborted(opened.pieces.next(), deadline.signal)) {
      if (deadline.signal.aborted) break;
      const piece = next.value;
      if ('thought' in piece) {
        thought = true;
        yield { type: 'thought' };
        continue;
      }
      if ('end' in piece) end = piece.end;
      const said = 'end' in piece ? marks.end() : marks.write(piece.text);
      text += said;
      if (said !== '') yield { type: 'text', text: said };
    }
    throwIfAborted(deadline.signal);
    this.#called = true;
    const { calls = [], truncated = false, usage } = end ?? {};
    const estimated = {
      inputTokens: estimatePromptTokens(messages),
      outputTokens: estimateTokens(`${text}${calls.map((call) => call.arguments).join('')}`),
      estimated: true,
    };
    return { text, thought: thought || end?.thought === true, truncated, calls, usage: usage ?? estimated };
  }

  /** Cancellation goes before the deadline, and that before what the broken connection threw. */
  #errorOf(error: unknown, deadline: Deadline, seconds: number, caller: AbortSignal | undefined): unknown {
    if (caller?.aborted) return abortError();
    if (deadline.passed()) return new ModelTimeoutError(this.name, seconds, { cause: error });
    if (error instanceof HoptrailError) return error;
    return this.#judge(error, true).error;
  }

  /** Checked here because some servers cut a long prompt without a word, and with it the instructions. */
  #assertFits(messages: readonly ChatMessage[]): void {
    const tokens = estimatePromptTokens(messages);
    if (this.#knowsWindow && tokens > this.contextTokens * ESTIMATE_SLACK) {
      throw new ContextTooLongError(this.name, { tokens, contextTokens: this.contextTokens });
    }
  }
}
