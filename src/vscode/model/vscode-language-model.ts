import type * as vscode from 'vscode';
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
  sum,
  systemClock,
  throwIfAborted,
  unlessAborted,
  withRetry,
} from '#base';
import {
  BadRequestError,
  type ChatMessage,
  type CompletionOptions,
  type CompletionPart,
  ConsentError,
  ContextTooLongError,
  type LanguageModel,
  ModelTimeoutError,
  NoModelError,
  QuotaError,
  RefusedError,
  type ReplySchema,
  type RoomyOptions,
  ThinkingRoom,
  UnreachableError,
  withSchemaInPrompt,
} from '#research';

const QUOTA = /quota|allowance|premium requests|usage limit|billing/i;
const RATE = /rate.?limit|too many requests|\b429\b|throttl/i;
const TOO_LONG = /context (?:length|window)|too (?:long|many tokens)|token limit/i;
const OFFLINE = /network|fetch failed|ECONN|ENOTFOUND|ETIMEDOUT|socket|\b50[0-4]\b|offline|unavailable/i;
const FILTERED = /content filter|responsible ai|off.?topic|filtered/i;

/**
 * Typed error for what `vscode.lm` threw. `LanguageModelError` has only three codes of its own (NoPermissions, Blocked,
 * NotFound); what a provider means beyond them stands in the messages along the chain of causes.
 */
function judgeVscodeFailure(error: unknown, model: string): Failure {
  if (error instanceof HoptrailError) return { error, retry: false };
  const code = (error as { code?: unknown } | undefined)?.code;
  const said = messagesOf(error);
  if (code === 'NoPermissions') return { error: new ConsentError(model, { cause: error }), retry: false };
  if (code === 'NotFound')
    return { error: new NoModelError(`${model} is no longer offered in this editor.`, { cause: error }), retry: false };
  if (QUOTA.test(said)) return { error: new QuotaError(model, { cause: error, spent: true }), retry: false };
  if (RATE.test(said)) return { error: new QuotaError(model, { cause: error }), retry: true };
  if (TOO_LONG.test(said) || /\btokens/i.test(said.slice(said.search(/exceeds?\b|$/i))))
    return { error: new ContextTooLongError(model, { cause: error }), retry: false };
  // "Blocked" stands for both "too many requests" and "not this content"; the first was told by its words above.
  if (code === 'Blocked' || FILTERED.test(said))
    return { error: new RefusedError(model, said, { cause: error }), retry: false };
  if (OFFLINE.test(said))
    return {
      error: new UnreachableError(`${model} cannot be reached: ${said}`, {
        cause: error,
        advice: 'Check the network and the extension that offers this model.',
      }),
      retry: true,
    };
  return { error: new BadRequestError(model, said, { cause: error }), retry: false };
}

function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error && messages.length < 5; at = at.cause) {
    if (at.message && !messages.includes(at.message)) messages.push(at.message);
  }
  return (messages.join(': ') || String(error)).slice(0, 300);
}

/** What is used of the editor's API: handed in, so that this file runs outside an editor too. */
export type LanguageModelApi = Pick<typeof vscode, 'LanguageModelChatMessage' | 'CancellationTokenSource'>;

interface VscodeModelOptions {
  retry?: RetryPolicy;
  clock?: Clock;
  /** 0 inclusive to 1 exclusive; for back-off. */
  random?: () => number;
}

const DEFAULT_DEADLINE = 300;
/** Shown where the editor asks the user for consent. */
const JUSTIFICATION = 'Hoptrail answers your question from passages of this workspace, which it sends to the model.';

type Request = RoomyOptions<CompletionOptions> & { schema?: ReplySchema };

/** A model that the user's VS Code offers, as a LanguageModel. The first call may ask the user for consent. */
export function vscodeLanguageModel(
  api: LanguageModelApi,
  chat: vscode.LanguageModelChat,
  options: VscodeModelOptions = {},
): LanguageModel {
  return new VscodeLanguageModel(api, chat, options);
}

/** How a model of the editor is remembered: `vscode:<vendor>/<id>`. */
function vscodeModelId(chat: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): string {
  return `vscode:${chat.vendor}/${chat.id}`;
}

class VscodeLanguageModel implements LanguageModel {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly contextTokens: number;
  readonly #api: LanguageModelApi;
  readonly #chat: vscode.LanguageModelChat;
  readonly #thinking = new ThinkingRoom(() => this.contextTokens);
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
      const replies = yield* this.#thinking.ask(options, (request) =>
        this.#parts(sent, request, deadline, cancellation.token),
      );
      const text = replies.map((reply) => reply.text).join('');
      const counted = await unlessAborted(this.#count(sent, text), deadline.signal);
      if (counted)
        yield {
          type: 'usage',
          usage: { ...counted, inputTokens: replies.length * counted.inputTokens, estimated: true },
        };
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

  /** One call: hands on what is said; how it ended is the result. */
  async *#parts(
    sent: readonly ChatMessage[],
    request: Request,
    deadline: Deadline,
    token: vscode.CancellationToken,
  ): AsyncGenerator<CompletionPart, { text: string; thought: boolean; truncated: boolean }> {
    const opened = await this.#open(sent, request, deadline, token);
    let text = '';
    for (let next = opened.first; !next.done; next = await unlessAborted(opened.pieces.next(), deadline.signal)) {
      text += next.value;
      yield { type: 'text', text: next.value };
    }
    throwIfAborted(deadline.signal);
    // The editor does not say why a reply ended, nor hand on thoughts: one without a word may be all thought.
    return { text, thought: false, truncated: text.trim() === '' };
  }

  get thoughtTokens(): number {
    return this.#thinking.tokens;
  }

  async countTokens(text: string): Promise<number> {
    return this.#chat.countTokens(text);
  }

  /** Undefined where the model does not count: the reply is there, and whoever reads it makes an estimate. */
  async #count(
    sent: readonly ChatMessage[],
    text: string,
  ): Promise<{ inputTokens: number; outputTokens: number } | undefined> {
    try {
      const [outputTokens, ...ofMessages] = await Promise.all(
        [text, ...sent.map(({ content }) => content)].map((one) => this.countTokens(one)),
      );
      return { inputTokens: sum(ofMessages), outputTokens: outputTokens ?? 0 };
    } catch {
      return undefined;
    }
  }

  /** Sends the request and waits for the first piece of text: until then it may be tried again. */
  #open(
    messages: readonly ChatMessage[],
    options: Request,
    deadline: Deadline,
    token: vscode.CancellationToken,
  ): Promise<{ first: IteratorResult<string>; pieces: AsyncIterator<string> }> {
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
        const response = await unlessAborted(
          this.#chat.sendRequest(this.#messages(messages), request, token),
          deadline.signal,
        );
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
    return messages.map(({ role, content }) =>
      role === 'assistant' ? LanguageModelChatMessage.Assistant(content) : LanguageModelChatMessage.User(content),
    );
  }
}

/** A model that this editor offers. */
export interface EditorModel {
  id: string;
  name: string;
  vendor: string;
  contextTokens: number;
}

/** Chat models of the editor, largest context first; empty when no extension offers one. Asks for no consent. */
export async function listVscodeModels(lm: Pick<typeof vscode.lm, 'selectChatModels'>): Promise<EditorModel[]> {
  const chats = await lm.selectChatModels();
  const models = chats.map((chat) => ({
    id: vscodeModelId(chat),
    name: chat.name,
    vendor: chat.vendor,
    contextTokens: chat.maxInputTokens,
  }));
  const unique = [...new Map(models.map((model) => [model.id, model])).values()];
  return unique.sort((a, b) => b.contextTokens - a.contextTokens || a.name.localeCompare(b.name));
}

/**
 * The model remembered under an id of {@link vscodeModelId}; undefined when the editor does not offer it (any more).
 */
export async function findVscodeModel(
  lm: Pick<typeof vscode.lm, 'selectChatModels'>,
  id: string,
): Promise<vscode.LanguageModelChat | undefined> {
  const [vendor, ...rest] = id.replace(/^vscode:/, '').split('/');
  const chats = await lm.selectChatModels({ vendor, id: rest.join('/') });
  return chats[0];
}
