import type * as vscode from 'vscode';
import { abortError, isAbortError, throwIfAborted, unlessAborted } from '../../llm/abort.ts';
import { systemClock, type Clock } from '../../llm/clock.ts';
import { startDeadline, type Deadline } from '../../llm/deadline.ts';
import { ModelTimeoutError } from '../../llm/errors.ts';
import type { ChatMessage, CompletionOptions, CompletionPart, LanguageModel, ReplySchema } from '../../llm/language-model.ts';
import { defaultRetryPolicy, withRetry, type RetryPolicy } from '../../llm/retry.ts';
import { withSchemaInPrompt } from '../../llm/schema-in-prompt.ts';
import { judgeVscodeFailure } from './vscode-failure.ts';

/** What is used of the editor's API: handed in, so that this file runs outside an editor too. */
export type LanguageModelApi = Pick<typeof vscode, 'LanguageModelChatMessage' | 'CancellationTokenSource'>;

export interface VscodeModelOptions {
  retry?: RetryPolicy;
  clock?: Clock;
  /** 0 inclusive to 1 exclusive; for back-off. */
  random?: () => number;
}

const DEFAULT_DEADLINE = 300;
/** Shown where the editor asks the user for consent. */
const JUSTIFICATION = 'Hoptrail answers your question from passages of this workspace, which it sends to the model.';

type Request = CompletionOptions & { schema?: ReplySchema };

/** A model that the user's VS Code offers, as a LanguageModel. The first call may ask the user for consent. */
export function vscodeLanguageModel(api: LanguageModelApi, chat: vscode.LanguageModelChat, options: VscodeModelOptions = {}): LanguageModel {
  return new VscodeLanguageModel(api, chat, options);
}

/** How a model of the editor is remembered: `vscode:<vendor>/<id>`. */
export function vscodeModelId(chat: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): string {
  return `vscode:${chat.vendor}/${chat.id}`;
}

class VscodeLanguageModel implements LanguageModel {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly contextTokens: number;
  readonly #api: LanguageModelApi;
  readonly #chat: vscode.LanguageModelChat;
  readonly #retry: RetryPolicy;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(api: LanguageModelApi, chat: vscode.LanguageModelChat, options: VscodeModelOptions) {
    this.#api = api;
    this.#chat = chat;
    this.id = vscodeModelId(chat);
    this.name = chat.name;
    this.endpoint = `vscode:${chat.vendor}`;
    this.contextTokens = chat.maxInputTokens;
    this.#retry = options.retry ?? defaultRetryPolicy;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  async *stream(messages: readonly ChatMessage[], options: Request): AsyncIterable<CompletionPart> {
    throwIfAborted(options.signal);
    const sent = options.schema ? withSchemaInPrompt(messages, options.schema) : messages;
    const seconds = options.deadlineSeconds ?? DEFAULT_DEADLINE;
    const deadline = startDeadline(this.#clock, seconds, options.signal);
    const cancellation = new this.#api.CancellationTokenSource();
    deadline.signal.addEventListener('abort', () => cancellation.cancel(), { once: true });
    try {
      const opened = await this.#open(sent, options, deadline, cancellation.token);
      let text = '';
      for (let next = opened.first; !next.done; next = await unlessAborted(opened.pieces.next(), deadline.signal)) {
        text += next.value;
        yield { type: 'text', text: next.value };
      }
      throwIfAborted(deadline.signal);
      yield { type: 'usage', usage: { inputTokens: await this.#countAll(sent), outputTokens: await this.countTokens(text), estimated: true } };
    } catch (error) {
      if (options.signal?.aborted) throw abortError();
      if (deadline.passed()) throw new ModelTimeoutError(this.name, seconds, { cause: error });
      throw isAbortError(error) ? error : judgeVscodeFailure(error, this.name).error;
    } finally {
      cancellation.cancel(); // a provider that the caller stopped reading should stop too
      cancellation.dispose();
      deadline.end();
    }
  }

  async countTokens(text: string): Promise<number> {
    return this.#chat.countTokens(text);
  }

  async #countAll(messages: readonly ChatMessage[]): Promise<number> {
    const counts = await Promise.all(messages.map((message) => this.countTokens(message.content)));
    return counts.reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Sends the request and waits for the first piece of text: until then it may be tried again. */
  #open(messages: readonly ChatMessage[], options: Request, deadline: Deadline, token: vscode.CancellationToken): Promise<{ first: IteratorResult<string>; pieces: AsyncIterator<string> }> {
    const request: vscode.LanguageModelChatRequestOptions = {
      justification: options.justification ?? JUSTIFICATION,
      modelOptions: {
        temperature: options.temperature ?? 0,
        ...(options.maxTokens !== undefined && { max_tokens: options.maxTokens }),
        ...(options.stop && options.stop.length > 0 && { stop: [...options.stop] }),
      },
    };
    return withRetry(
      async () => {
        const response = await unlessAborted(this.#chat.sendRequest(this.#messages(messages), request, token), deadline.signal);
        const pieces = response.text[Symbol.asyncIterator]();
        return { first: await unlessAborted(pieces.next(), deadline.signal), pieces };
      },
      {
        policy: this.#retry,
        clock: this.#clock,
        random: this.#random,
        signal: deadline.signal,
        left: () => deadline.left(),
        judge: (error) => (isAbortError(error) ? { error, retry: false } : judgeVscodeFailure(error, this.name)),
      },
    );
  }

  /** The API has no system role: such a message comes first, as the user's. */
  #messages(messages: readonly ChatMessage[]): vscode.LanguageModelChatMessage[] {
    const { LanguageModelChatMessage } = this.#api;
    return messages.map(({ role, content }) => (role === 'assistant' ? LanguageModelChatMessage.Assistant(content) : LanguageModelChatMessage.User(content)));
  }
}
