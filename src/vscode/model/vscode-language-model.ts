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
  systemClock,
  throwIfAborted,
  unlessAborted,
  withRetry,
} from '#base';
import {
  argumentsOf,
  asText,
  BadRequestError,
  type ChatMessage,
  type CompletionOptions,
  type CompletionPart,
  ConsentError,
  ContextTooLongError,
  EmptyReplyError,
  estimatePromptTokens,
  estimateTokens,
  hasSpoken,
  type LanguageModel,
  ModelTimeoutError,
  NoModelError,
  QuotaError,
  RefusedError,
  type ReplySchema,
  type RoomyOptions,
  ThinkingRoom,
  type TokenUsage,
  type ToolCall,
  ToolsRefusedError,
  UnreachableError,
  withSchemaInPrompt,
} from '#research';

const QUOTA = /quota|allowance|premium requests|usage limit|billing/i;
const RATE = /rate.?limit|too many requests|\b429\b|throttl/i;
const TOO_LONG = /context (?:length|window)|too (?:long|many tokens)|token limit/i;
const OFFLINE = /network|fetch failed|ECONN|ENOTFOUND|ETIMEDOUT|socket|\b50[0-4]\b|offline|unavailable/i;
const FILTERED = /content filter|responsible ai|off.?topic|filtered/i;
const TOOLS = /\btools?\b|function call/i;

/** `LanguageModelError` has three codes (NoPermissions, Blocked, NotFound); the messages of its causes say the rest. */
function judgeVscodeFailure(error: unknown, model: string): Failure {
  const final = (typed: unknown): Failure => ({ error: typed, retry: false });
  if (error instanceof HoptrailError) return final(error);
  const code = (error as { code?: unknown } | undefined)?.code;
  const said = messagesOf(error);
  const cause = { cause: error };
  if (code === 'NoPermissions') return final(new ConsentError(model, cause));
  if (code === 'NotFound') return final(new NoModelError({ what: 'gone', model }, cause));
  if (QUOTA.test(said)) return final(new QuotaError(model, { ...cause, spent: true }));
  if (RATE.test(said)) return { error: new QuotaError(model, cause), retry: true };
  if (TOO_LONG.test(said) || /\btokens/i.test(said.slice(said.search(/exceeds?\b|$/i))))
    return final(new ContextTooLongError(model, cause));
  // "Blocked" stands for both "too many requests" and "not this content"; the first was told by its words above.
  if (code === 'Blocked' || FILTERED.test(said)) return final(new RefusedError(model, said, cause));
  if (OFFLINE.test(said))
    return { error: new UnreachableError({ what: 'editor', model, reason: said }, cause), retry: true };
  return final(new BadRequestError(model, said, cause));
}

function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error && messages.length < 5; at = at.cause) {
    if (at.message && !messages.includes(at.message)) messages.push(at.message);
  }
  return (messages.join(': ') || String(error)).slice(0, 300);
}

/** What is used of the editor's API: handed in, so that this file runs outside an editor too. */
export type LanguageModelApi = Pick<
  typeof vscode,
  | 'CancellationTokenSource'
  | 'LanguageModelChatMessage'
  | 'LanguageModelTextPart'
  | 'LanguageModelToolCallPart'
  | 'LanguageModelToolResultPart'
>;

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

type Piece = { text: string } | { call: ToolCall } | { thought: true };

interface Replied {
  text: string;
  thought: boolean;
  truncated: boolean;
  calls: ToolCall[];
}

/** A model that the user's VS Code offers, as a LanguageModel. The first call may ask the user for consent. */
export function vscodeLanguageModel(
  api: LanguageModelApi,
  chat: vscode.LanguageModelChat,
  options: VscodeModelOptions = {},
): LanguageModel {
  return new VscodeLanguageModel(api, chat, options);
}

/** How a model of the editor is remembered. */
const vscodeModelId = ({ vendor, id }: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): string =>
  `vscode:${vendor}/${id}`;

class VscodeLanguageModel implements LanguageModel {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly contextTokens: number;
  tools: boolean | undefined;
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
    if (toolCallingOf(chat) === false) this.tools = false;
    this.#retry = options.retry ?? defaultRetryPolicy;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  get thoughtTokens(): number {
    return this.#thinking.tokens;
  }

  async countTokens(text: string): Promise<number> {
    return this.#chat.countTokens(text);
  }

  async *stream(messages: readonly ChatMessage[], options: Request): AsyncIterable<CompletionPart> {
    throwIfAborted(options.signal);
    const { tools = [], toolChoice } = options;
    if (tools.length > 0 && this.tools === false) throw new ToolsRefusedError(this.name);
    const offered = tools.length > 0 && toolChoice !== 'none';
    // The editor has no way to forbid calls: a conversation that is to end goes without tools, in words.
    const plain = offered ? messages : asText(messages, 'text', { tools: [], mayLook: toolChoice !== 'none' });
    const sent = options.schema ? withSchemaInPrompt(plain, options.schema) : plain;
    const seconds = options.deadlineSeconds ?? DEFAULT_DEADLINE;
    const deadline = startDeadline(this.#clock, seconds, options.signal);
    const cancellation = new this.#api.CancellationTokenSource();
    deadline.signal.addEventListener('abort', () => cancellation.cancel(), { once: true });
    try {
      const replies = yield* this.#thinking.ask({ ...options, tools: offered ? tools : [] }, (request) =>
        this.#parts(sent, request, deadline, cancellation.token),
      );
      const { text, calls } = replies.at(-1) ?? replies[0];
      const usage = await unlessAborted(this.#count(sent, replies), deadline.signal);
      if (!hasSpoken(text) && calls.length === 0)
        throw new EmptyReplyError(this.name, text.trim() === '' ? 'silent' : 'thoughts', usage);
      for (const call of calls) yield { type: 'tool-call', call };
      yield { type: 'usage', usage };
    } catch (error) {
      if (options.signal?.aborted) throw abortError();
      if (deadline.passed()) throw new ModelTimeoutError(this.name, seconds, { cause: error });
      throw isAbortError(error) ? error : this.#judge(error, offered).error;
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
  ): AsyncGenerator<CompletionPart, Replied> {
    const opened = await this.#open(sent, request, deadline, token);
    const calls: ToolCall[] = [];
    let text = '';
    let thought = false;
    for (let next = opened.first; !next.done; next = await unlessAborted(opened.pieces.next(), deadline.signal)) {
      const piece = next.value;
      if ('call' in piece) calls.push(piece.call);
      else if ('thought' in piece) {
        thought = true;
        yield { type: 'thought' };
      } else {
        text += piece.text;
        yield { type: 'text', text: piece.text };
      }
    }
    throwIfAborted(deadline.signal);
    if (calls.length > 0) this.tools = true;
    // The editor does not say why a reply ended: one without a word may be all thought.
    return { text, thought, truncated: text.trim() === '', calls };
  }

  /** Estimated with our own measure where the model does not count. */
  async #count(sent: readonly ChatMessage[], replies: readonly Replied[]): Promise<TokenUsage> {
    const said = replies.map(({ text, calls }) => `${text}${calls.map((call) => call.arguments).join('')}`).join('');
    const asked = sent.map(({ content, toolCalls = [] }) =>
      [content, ...toolCalls.map((call) => call.arguments)].join('\n'),
    );
    const counts = await Promise.all([said, ...asked].map((one) => this.countTokens(one))).catch(() => undefined);
    const [outputTokens = estimateTokens(said), ...ofMessages] = counts ?? [];
    const once = counts ? ofMessages.reduce((all, one) => all + one, 0) : estimatePromptTokens(sent);
    return { inputTokens: replies.length * once, outputTokens, estimated: true };
  }

  /** Sends the request and waits for the first piece: until then it may be tried again. */
  #open(
    messages: readonly ChatMessage[],
    options: Request,
    deadline: Deadline,
    token: vscode.CancellationToken,
  ): Promise<{ first: IteratorResult<Piece>; pieces: AsyncIterator<Piece> }> {
    const { tools = [] } = options;
    const request: vscode.LanguageModelChatRequestOptions = {
      justification: options.justification ?? JUSTIFICATION,
      modelOptions: {
        temperature: options.temperature ?? 0,
        ...(options.maxTokens !== undefined && { max_tokens: options.maxTokens }),
        ...(options.stop && options.stop.length > 0 && { stop: [...options.stop] }),
      },
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
      }),
    };
    const attempt = async (): Promise<{ first: IteratorResult<Piece>; pieces: AsyncIterator<Piece> }> => {
      const sent = this.#chat.sendRequest(this.#messages(messages), request, token);
      const pieces = this.#pieces(await unlessAborted(sent, deadline.signal))[Symbol.asyncIterator]();
      return { first: await unlessAborted(pieces.next(), deadline.signal), pieces };
    };
    return withRetry(attempt, {
      policy: this.#retry,
      clock: this.#clock,
      random: this.#random,
      signal: deadline.signal,
      left: () => deadline.left(),
      judge: (error) => (isAbortError(error) ? { error, retry: false } : this.#judge(error, tools.length > 0)),
    });
  }

  /** A refusal of tools is remembered: what is asked next goes without. */
  #judge(error: unknown, offered: boolean): Failure {
    const failure = judgeVscodeFailure(error, this.name);
    if (!offered || !(failure.error instanceof BadRequestError) || !TOOLS.test(failure.error.message)) return failure;
    this.tools = false;
    return { error: new ToolsRefusedError(this.name, { cause: error }), retry: false };
  }

  async *#pieces(response: vscode.LanguageModelChatResponse): AsyncGenerator<Piece> {
    const { LanguageModelTextPart, LanguageModelToolCallPart } = this.#api;
    for await (const part of response.stream) {
      if (part instanceof LanguageModelTextPart) yield { text: part.value };
      else if (part instanceof LanguageModelToolCallPart)
        yield { call: { id: part.callId, name: part.name, arguments: JSON.stringify(part.input ?? {}) } };
      else if (/think/i.test((part as object | undefined)?.constructor?.name ?? '')) yield { thought: true };
    }
  }

  /** The API has no system role: such a message comes first, as the user's. Results that follow each other are one. */
  #messages(messages: readonly ChatMessage[]): vscode.LanguageModelChatMessage[] {
    const { LanguageModelChatMessage, LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelToolResultPart } =
      this.#api;
    const sent: vscode.LanguageModelChatMessage[] = [];
    let results: vscode.LanguageModelToolResultPart[] = [];
    for (const { role, content, toolCalls = [], toolCallId = '' } of messages) {
      if (role !== 'tool') results = [];
      if (role === 'tool') {
        const result = new LanguageModelToolResultPart(toolCallId, [new LanguageModelTextPart(content)]);
        results.push(result);
        if (results.length > 1) sent.pop();
        sent.push(LanguageModelChatMessage.User([...results]));
      } else if (toolCalls.length > 0) {
        const calls = toolCalls.map((call) => new LanguageModelToolCallPart(call.id, call.name, argumentsOf(call)));
        const said = content === '' ? [] : [new LanguageModelTextPart(content)];
        sent.push(LanguageModelChatMessage.Assistant([...said, ...calls]));
      } else sent.push(LanguageModelChatMessage[role === 'assistant' ? 'Assistant' : 'User'](content));
    }
    return sent;
  }
}

/** Newer editors say of a model whether it takes tools, to some extensions; undefined: not known. */
function toolCallingOf(chat: vscode.LanguageModelChat): boolean | undefined {
  try {
    const { capabilities } = chat as { capabilities?: { supportsToolCalling?: unknown } };
    return typeof capabilities?.supportsToolCalling === 'boolean' ? capabilities.supportsToolCalling : undefined;
  } catch {
    return undefined; // it is not told to us
  }
}

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

/** The model of an id of {@link vscodeModelId}; undefined when the editor does not offer it (any more). */
export async function findVscodeModel(
  lm: Pick<typeof vscode.lm, 'selectChatModels'>,
  id: string,
): Promise<vscode.LanguageModelChat | undefined> {
  const [vendor, ...rest] = id.replace(/^vscode:/, '').split('/');
  const chats = await lm.selectChatModels({ vendor, id: rest.join('/') });
  return chats[0];
}
