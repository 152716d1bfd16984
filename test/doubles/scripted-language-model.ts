import { abortError } from '../../src/base/waiting.ts';
import { estimatePromptTokens, estimateTokens } from '../../src/research/language-model/context-window.ts';
import type {
  ChatMessage,
  CompletionOptions,
  CompletionPart,
  LanguageModel,
  ReplySchema,
  TokenUsage,
} from '../../src/research/language-model/language-model.ts';

/** One call as the model saw it. */
export interface RecordedCall {
  messages: readonly ChatMessage[];
  options: CompletionOptions & { schema?: ReplySchema };
  /** All messages joined: what matchers usually look at. */
  prompt: string;
}

/** What the double does on one call. */
export type ScriptedReply =
  | string // streamed in small pieces
  | { json: unknown } // as JSON
  | { look: readonly { tool: string; arguments: unknown }[]; text?: string } // calls tools, after some words
  | { error: Error; after?: string } // fails, after having streamed `after`
  | { text: string; truncated?: boolean; usage?: TokenUsage | 'missing' }
  | { hang: true; after?: string } // slow: never ends on its own, rejects with AbortError when cancelled
  | { wait: Promise<unknown>; reply: ScriptedReply }; // slow until the test says so

export interface ScriptedOptions {
  id?: string;
  name?: string;
  /** Where it is; undefined: it does not say. */
  endpoint?: string;
  contextTokens?: number;
  /** Characters per streamed piece; default 7. */
  pieceLength?: number;
  /** Whether it takes native tool calls; default true. */
  tools?: boolean;
}

/**
 * A language model that plays from a script: a function from the call (and its 0-based index) to a reply, or a list of
 * replies played in order. A call beyond the list, or one for which the function returns undefined, fails the test by
 * an error.
 */
export class ScriptedLanguageModel implements LanguageModel {
  readonly id: string;
  readonly name: string;
  readonly endpoint?: string;
  readonly contextTokens: number;
  readonly tools: boolean;
  readonly calls: RecordedCall[] = [];
  /** Calls running now and the most that ran at once. */
  running = 0;
  mostRunning = 0;
  readonly #script: readonly ScriptedReply[] | ((call: RecordedCall, index: number) => ScriptedReply | undefined);
  readonly #pieceLength: number;

  constructor(
    script: readonly ScriptedReply[] | ((call: RecordedCall, index: number) => ScriptedReply | undefined),
    options: ScriptedOptions = {},
  ) {
    this.#script = script;
    this.id = options.id ?? 'scripted:model';
    this.name = options.name ?? 'Scripted Model';
    if (options.endpoint !== undefined) this.endpoint = options.endpoint;
    this.contextTokens = options.contextTokens ?? 8192;
    this.tools = options.tools ?? true;
    this.#pieceLength = options.pieceLength ?? 7;
  }

  async *stream(
    messages: readonly ChatMessage[],
    options: CompletionOptions & { schema?: ReplySchema },
  ): AsyncIterable<CompletionPart> {
    const call = {
      messages: structuredClone(messages),
      options,
      prompt: messages.map((message) => message.content).join('\n\n'),
    };
    const index = this.calls.push(call) - 1;
    const reply = typeof this.#script === 'function' ? this.#script(call, index) : this.#script[index];
    if (reply === undefined) throw new Error(`The script has no reply for call ${index}: ${call.prompt.slice(-400)}`);
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      yield* this.#play(reply, messages, options.signal);
    } finally {
      this.running -= 1;
    }
  }

  async *#play(
    reply: ScriptedReply,
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncIterable<CompletionPart> {
    if (typeof reply === 'string') return yield* this.#speak(reply, messages, signal);
    if ('look' in reply) return yield* this.#look(reply, messages, signal);
    if ('json' in reply) return yield* this.#speak(JSON.stringify(reply.json), messages, signal);
    if ('text' in reply) return yield* this.#speak(reply.text, messages, signal, reply);
    if ('wait' in reply) {
      await orAborted(reply.wait, signal);
      return yield* this.#play(reply.reply, messages, signal);
    }
    yield* this.#pieces(reply.after ?? '', signal);
    if ('error' in reply) throw reply.error;
    await orAborted(new Promise<never>(() => {}), signal);
  }

  /** By the protocol where it takes tools, else as the JSON that it is asked for then. */
  async *#look(
    { look, text = '' }: Extract<ScriptedReply, { look: unknown }>,
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncIterable<CompletionPart> {
    if (!this.tools) return yield* this.#speak(JSON.stringify({ look }), messages, signal);
    yield* this.#pieces(text, signal);
    for (const [i, { tool, arguments: given }] of look.entries())
      yield {
        type: 'tool-call',
        call: {
          id: `call-${this.calls.length}-${i}`,
          name: tool,
          arguments: typeof given === 'string' ? given : JSON.stringify(given),
        },
      };
    const usage = { inputTokens: estimatePromptTokens(messages), outputTokens: 20, estimated: false };
    yield { type: 'usage', usage };
  }

  async *#speak(
    text: string,
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
    details: { truncated?: boolean; usage?: TokenUsage | 'missing' } = {},
  ): AsyncIterable<CompletionPart> {
    yield* this.#pieces(text, signal);
    if (details.usage === 'missing') return;
    const usage = details.usage ?? {
      inputTokens: estimatePromptTokens(messages),
      outputTokens: estimateTokens(text),
      estimated: false,
    };
    yield details.truncated ? { type: 'usage', usage, truncated: true } : { type: 'usage', usage };
  }

  async *#pieces(text: string, signal: AbortSignal | undefined): AsyncIterable<CompletionPart> {
    if (signal?.aborted) throw abortError();
    for (let at = 0; at < text.length; at += this.#pieceLength) {
      await Promise.resolve();
      if (signal?.aborted) throw abortError();
      yield { type: 'text', text: text.slice(at, at + this.#pieceLength) };
    }
  }
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) throw abortError();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortError());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
