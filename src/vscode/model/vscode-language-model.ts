import type * as vscode from 'vscode';
import { type Failure, HoptrailError } from '#base';
import {
  argumentsOf,
  asText,
  BadRequestError,
  CalledModel,
  type CallTiming,
  type ChatMessage,
  ConsentError,
  ContextTooLongError,
  type LanguageModel,
  type ModelRequest,
  NoModelError,
  QuotaError,
  RefusedError,
  type Reply,
  type ReplyPiece,
  type TokenUsage,
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
    return { error: new UnreachableError({ what: 'editor', endpoint: model, reason: said }, cause), retry: true };
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

/** Shown where the editor asks the user for consent. */
const JUSTIFICATION = 'Hoptrail answers your question from passages of this workspace, which it sends to the model.';

/** A model that the user's VS Code offers, as a LanguageModel. The first call may ask the user for consent. */
export const vscodeLanguageModel = (
  api: LanguageModelApi,
  chat: vscode.LanguageModelChat,
  timing: CallTiming = {},
): LanguageModel => new VscodeLanguageModel(api, chat, timing);

/** How a model of the editor is remembered. */
const vscodeModelId = ({ vendor, id }: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): string =>
  `vscode:${vendor}/${id}`;

class VscodeLanguageModel extends CalledModel {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly contextTokens: number;
  tools: boolean | undefined;
  readonly seconds = 300;
  readonly #api: LanguageModelApi;
  readonly #chat: vscode.LanguageModelChat;

  constructor(api: LanguageModelApi, chat: vscode.LanguageModelChat, timing: CallTiming) {
    super(timing);
    this.#api = api;
    this.#chat = chat;
    this.id = vscodeModelId(chat);
    this.name = chat.name;
    this.endpoint = `vscode:${chat.vendor}`;
    this.contextTokens = chat.maxInputTokens;
    if (toolCallingOf(chat) === false) this.tools = false;
  }

  /** Counted with the model, or else estimated. */
  override async usageOf(messages: readonly ChatMessage[], reply: Reply, request: ModelRequest): Promise<TokenUsage> {
    const count = async (text: string): Promise<number> => (text === '' ? 0 : this.#chat.countTokens(text));
    const asked = this.#told(messages, request).map(({ content, toolCalls = [] }) =>
      count([content, ...toolCalls.map((call) => call.arguments)].join('\n')),
    );
    const said = count(`${reply.text}${reply.calls.map((call) => call.arguments).join('')}`);
    try {
      const [outputTokens, ...ofMessages] = await Promise.all([said, ...asked]);
      return { inputTokens: ofMessages.reduce((all, one) => all + one, 0), outputTokens, estimated: true };
    } catch {
      return super.usageOf(messages, reply, request); // it does not count
    }
  }

  async *send(
    messages: readonly ChatMessage[],
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyPiece, void> {
    const { LanguageModelTextPart, LanguageModelToolCallPart, CancellationTokenSource } = this.#api;
    const { maxTokens, stop = [], tools = [] } = request;
    if (tools.length > 0 && this.tools === false) throw new ToolsRefusedError(this.name);
    const cancellation = new CancellationTokenSource();
    const onAbort = (): void => cancellation.cancel();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const response = await this.#chat.sendRequest(
        this.#messages(this.#told(messages, request)),
        {
          justification: request.justification ?? JUSTIFICATION,
          modelOptions: {
            temperature: request.temperature ?? 0,
            ...(maxTokens !== undefined && { max_tokens: maxTokens }),
            ...(stop.length > 0 && { stop: [...stop] }),
          },
          ...(isOffering(request) && {
            tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
          }),
        },
        cancellation.token,
      );
      for await (const part of response.stream) {
        if (part instanceof LanguageModelTextPart) yield { type: 'text', text: part.value };
        else if (part instanceof LanguageModelToolCallPart) {
          this.tools = true;
          const call = { id: part.callId, name: part.name, arguments: JSON.stringify(part.input ?? {}) };
          yield { type: 'tool-call', call };
        } else if (/think/i.test((part as object | undefined)?.constructor?.name ?? '')) yield { type: 'thought' };
      }
      yield { type: 'end' };
    } finally {
      signal.removeEventListener('abort', onAbort);
      cancellation.cancel(); // a provider that the caller stopped reading should stop too
      cancellation.dispose();
    }
  }

  /** A refusal of tools is remembered: what is asked next goes without. */
  judge(error: unknown, request: ModelRequest): Failure {
    const failure = judgeVscodeFailure(error, this.name);
    const isRefusal = failure.error instanceof BadRequestError && TOOLS.test(failure.error.message);
    if (!isRefusal || !isOffering(request)) return failure;
    this.tools = false;
    return { error: new ToolsRefusedError(this.name, { cause: error }), retry: false };
  }

  /** The editor has no way to forbid calls: a conversation that is to end goes without tools, in words. */
  #told(messages: readonly ChatMessage[], request: ModelRequest): readonly ChatMessage[] {
    const plain = isOffering(request) ? messages : asText(messages, [], request.toolChoice !== 'none');
    return request.schema ? withSchemaInPrompt(plain, request.schema) : plain;
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

const isOffering = ({ tools = [], toolChoice }: ModelRequest): boolean => tools.length > 0 && toolChoice !== 'none';

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
