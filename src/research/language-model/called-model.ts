import {
  abortError,
  type Clock,
  type Deadline,
  defaultRetryPolicy,
  type Failure,
  HoptrailError,
  isAbortError,
  type RetryPolicy,
  startDeadline,
  systemClock,
  throwIfAborted,
  unlessAborted,
  withRetry,
} from '#base';
import { addUsage } from './complete.ts';
import { estimatePromptTokens, estimateTokens } from './context-window.ts';
import { ContextTooLongError, EmptyReplyError, ModelTimeoutError } from './errors.ts';
import type {
  ChatMessage,
  CompletionOptions,
  CompletionPart,
  LanguageModel,
  ReplySchema,
  TokenUsage,
  ToolCall,
} from './language-model.ts';
import { EndMarks, hasSpoken, withoutThoughts } from './thoughts.ts';

export interface CallTiming {
  retry?: RetryPolicy;
  clock?: Clock;
  /** 0 inclusive to 1 exclusive; for back-off. */
  random?: () => number;
}

export type ModelRequest = CompletionOptions & { schema?: ReplySchema; effort?: 'low' };

/** A reply as the service sends it. `truncated` at its token limit; undefined: the service does not say. */
export type ReplyPiece =
  Exclude<CompletionPart, { type: 'usage' }> | { type: 'end'; truncated?: boolean; usage?: TokenUsage };

export interface Reply {
  text: string;
  /** Thoughts came beside its text. */
  thought: boolean;
  truncated: boolean | undefined;
  calls: ToolCall[];
  usage: TokenUsage | undefined;
}

type Pieces = AsyncGenerator<ReplyPiece, void>;

/** Our token estimate may be so much too high. */
const ESTIMATE_SLACK = 1.25;
/** What some models think before a word of theirs: gpt-5 takes some 1,400 tokens for an easy question. */
const THOUGHT_TOKENS = 4096;
/** The part of a window that may go into it: the passages need the rest. */
const SHARE_OF_WINDOW = 4;
/** Ends a thought that was broken off, so that what the model says when it is asked again is none. */
const THOUGHT_ENDS = '</think>\n';

/**
 * A model behind a service: its calls have a deadline and are tried again. It learns by its replies whether the model
 * thinks before it speaks, and gives its calls room then: services count thoughts among the tokens of a reply, so that
 * within the limit of a short answer it never comes to speak.
 */
export abstract class CalledModel implements LanguageModel {
  abstract readonly id: string;
  abstract readonly name: string;
  abstract readonly endpoint: string;
  abstract readonly contextTokens: number;
  abstract readonly seconds: number;
  readonly clock: Clock;
  #thinks = false;
  readonly #retry: RetryPolicy;
  readonly #random: () => number;

  constructor({ retry = defaultRetryPolicy, clock = systemClock, random = Math.random }: CallTiming) {
    this.#retry = retry;
    this.clock = clock;
    this.#random = random;
  }

  /** One attempt. Its end, or the reader's, closes the connection. */
  abstract send(messages: readonly ChatMessage[], request: ModelRequest, signal: AbortSignal): Pieces;
  abstract judge(error: unknown, request: ModelRequest): Failure;

  get thoughtTokens(): number {
    return this.#thinks ? Math.min(THOUGHT_TOKENS, Math.floor(this.contextTokens / SHARE_OF_WINDOW)) : 0;
  }

  /** Tokens of prompt and reply together, where they are known for sure. */
  get window(): number | undefined {
    return undefined;
  }

  /** Of one reply; estimated where the service did not tell it. */
  async usageOf(
    messages: readonly ChatMessage[],
    { text, calls, usage }: Reply,
    _request: ModelRequest,
  ): Promise<TokenUsage> {
    const outputTokens = estimateTokens(`${text}${calls.map((call) => call.arguments).join('')}`);
    return usage ?? { inputTokens: estimatePromptTokens(messages), outputTokens, estimated: true };
  }

  async *stream(messages: readonly ChatMessage[], options: ModelRequest): AsyncIterable<CompletionPart> {
    throwIfAborted(options.signal);
    const tokens = estimatePromptTokens(messages);
    const { window: contextTokens = Infinity } = this;
    // Checked here because some servers cut a long prompt without a word, and with it the instructions.
    if (tokens > contextTokens * ESTIMATE_SLACK) throw new ContextTooLongError(this.name, { tokens, contextTokens });
    const seconds = options.deadlineSeconds ?? this.seconds;
    const deadline = startDeadline(this.clock, seconds, options.signal);
    const left = contextTokens - tokens;
    try {
      const asked = this.#roomFor(options, left);
      const first = yield* this.#parts(messages, asked, deadline);
      const again = this.#learn(first, asked);
      if (again && first.text !== '') yield { type: 'text', text: THOUGHT_ENDS };
      const second = again ? yield* this.#parts(messages, this.#roomFor(options, left), deadline) : undefined;
      const { text, thought, truncated, calls } = second ?? first;
      const count = (reply: Reply): Promise<TokenUsage> =>
        unlessAborted(this.usageOf(messages, reply, options), deadline.signal);
      const usage = second ? addUsage(await count(first), await count(second)) : await count(first);
      const offered = (options.tools?.length ?? 0) > 0;
      if (!hasSpoken(text) && !(offered && calls.length > 0)) {
        const thinks = thought || truncated || text.trim() !== '';
        throw new EmptyReplyError(this.name, thinks ? 'thoughts' : calls.length > 0 ? 'tool' : 'silent', usage);
      }
      if (offered) for (const call of calls) yield { type: 'tool-call', call };
      yield { type: 'usage', usage, ...(truncated && { truncated }) };
    } catch (error) {
      // Cancellation goes before the deadline, and that before what the broken connection threw.
      if (options.signal?.aborted) throw abortError();
      if (deadline.passed()) throw new ModelTimeoutError(this.name, seconds, { cause: error });
      throw error instanceof HoptrailError || isAbortError(error) ? error : this.judge(error, options).error;
    } finally {
      deadline.end();
    }
  }

  /** The same call with room to think within `left` of the window, and no stop sequences: they end a thought. */
  #roomFor(options: ModelRequest, left: number): ModelRequest {
    if (!this.#thinks) return options;
    const { maxTokens } = options;
    const roomy = maxTokens && Math.max(maxTokens, Math.min(maxTokens + this.thoughtTokens, left));
    return { ...options, maxTokens: roomy, stop: undefined, effort: 'low' };
  }

  /** True if only thoughts came of a call that had no room for them: made again, it will say more. */
  #learn({ text, thought, truncated, calls }: Reply, asked: ModelRequest): boolean {
    const spoken = hasSpoken(text) || calls.length > 0;
    const thinks = thought || (!spoken && (truncated !== false || text.trim() !== ''));
    if (thinks || withoutThoughts(text, 'removed') !== text) this.#thinks = true;
    const hadRoom = asked.effort !== undefined || (asked.maxTokens === undefined && asked.stop === undefined);
    return thinks && !spoken && !hadRoom;
  }

  /** One reply: hands on what is said, without end marks; all of it is the result. */
  async *#parts(
    messages: readonly ChatMessage[],
    request: ModelRequest,
    deadline: Deadline,
  ): AsyncGenerator<CompletionPart, Reply> {
    const { signal } = deadline;
    // Until its first piece has come, a call may be tried again.
    const attempt = async (): Promise<{ first: IteratorResult<ReplyPiece, void>; pieces: Pieces }> => {
      const pieces = this.send(messages, request, signal);
      return { first: await unlessAborted(pieces.next(), signal), pieces };
    };
    const { first, pieces } = await withRetry(attempt, {
      policy: this.#retry,
      clock: this.clock,
      random: this.#random,
      signal,
      left: () => deadline.left(),
      judge: (error) => (isAbortError(error) ? { error, retry: false } : this.judge(error, request)),
    });
    const marks = new EndMarks();
    const reply: Reply = { text: '', thought: false, truncated: undefined, calls: [], usage: undefined };
    try {
      for (let next = first; !next.done; next = await unlessAborted(pieces.next(), signal)) {
        const piece = next.value;
        let said = '';
        if (piece.type === 'tool-call') reply.calls.push(piece.call);
        else if (piece.type === 'text') said = marks.write(piece.text);
        else if (piece.type === 'thought') {
          reply.thought = true;
          yield piece;
        } else {
          said = marks.end();
          reply.truncated = piece.truncated;
          reply.usage = piece.usage;
        }
        reply.text += said;
        if (said !== '') yield { type: 'text', text: said };
      }
    } finally {
      // Closes the connection when the caller stopped reading; a read that still hangs is not waited for.
      void pieces.return().catch(() => undefined);
    }
    throwIfAborted(signal);
    return reply;
  }
}
