import { addUsage, complete } from './complete.ts';
import { EmptyReplyError, ToolsRefusedError } from './errors.ts';
import type {
  ChatMessage,
  CompletionOptions,
  LanguageModel,
  TokenUsage,
  ToolCall,
  ToolSchema,
} from './language-model.ts';
import { jsonCandidates, jsonObject } from './lenient-json.ts';
import { withNote } from './structured-reply.ts';
import { withoutThoughts } from './thoughts.ts';

export interface TurnRequest {
  /** The conversation so far. It grows by appending, so that prompt caches serve its beginning. */
  messages: readonly ChatMessage[];
  /** The same in every turn of a conversation. */
  tools: readonly ToolSchema[];
  /** Default true; false: the model is to reply now; the tools are named, as in every turn, and calls are dropped. */
  mayLook?: boolean;
  options?: Omit<CompletionOptions, 'tools' | 'toolChoice'>;
  /** The reply's prose as it comes, without thoughts, and nothing of a look. */
  onText?: (text: string) => void;
}

export interface Turn {
  /** For the conversation; one `tool` message for each call follows it. */
  message: ChatMessage;
  /** Empty: this is the reply. */
  calls: readonly ToolCall[];
  text: string;
  usage: TokenUsage;
  requests: number;
  truncated?: boolean;
}

/**
 * One turn of a conversation with tools; a model that takes none, or loses what they found, is told of them in words.
 * `call` makes each request, for who counts them. @throws EmptyReplyError, the model's other errors, AbortError
 */
export async function requestTurn(
  model: LanguageModel,
  { messages, tools, mayLook = true, options, onText }: TurnRequest,
  call: typeof complete = complete,
): Promise<Turn> {
  let usage: TokenUsage | undefined;
  let isNative = tools.length > 0 && model.tools !== false;
  for (let requests = 1; ;) {
    const spoken = onText && new SpokenText(onText);
    try {
      const reply = await call(model, isNative ? messages : asText(messages, tools, mayLook), {
        ...options,
        ...(isNative && { tools, ...(!mayLook && { toolChoice: 'none' as const }) }),
        ...(spoken && { onText: (text: string) => spoken.write(text) }),
      });
      const text = withoutThoughts(reply.text, 'removed').trim();
      const calls = mayLook ? (reply.toolCalls ?? looksIn(text, tools, messages.length)) : [];
      if (calls.length === 0 && text === '') {
        const why = reply.text.trim() === '' ? (reply.toolCalls ? 'tool' : 'silent') : 'thoughts';
        throw new EmptyReplyError(model.name, why, reply.usage);
      }
      if (calls.length === 0) spoken?.end();
      const content = calls.length > 0 && text.startsWith('{') ? '' : text;
      return {
        message: { role: 'assistant', content, ...(calls.length > 0 && { toolCalls: calls }) },
        calls,
        text,
        usage: usage ? addUsage(usage, reply.usage) : reply.usage,
        requests,
        ...(reply.truncated && { truncated: true }),
      };
    } catch (error) {
      if (error instanceof EmptyReplyError) {
        usage = usage ? addUsage(usage, error.usage) : error.usage;
        if (!isNative || error.why === 'thoughts' || spoken?.hasSpoken)
          throw new EmptyReplyError(model.name, error.why, usage);
        requests += 1; // some templates lose what tools found: it is told in words
      } else if (!isNative || !(error instanceof ToolsRefusedError)) throw error;
      isNative = false;
    }
  }
}

/** The arguments of a call, read leniently; `{}` where they are no object. The tool's own type validates them. */
export const argumentsOf = ({ arguments: values }: ToolCall): Record<string, unknown> => jsonObject(values);

/** A conversation for a model that takes no tools: all in words, the tools last, where small models still see them. */
export function asText(
  messages: readonly ChatMessage[],
  tools: readonly ToolSchema[],
  mayLook: boolean,
): ChatMessage[] {
  const told = inWords(messages);
  if (!mayLook) return withNote(told, 'Reply now, in plain text: nothing more can be looked up.');
  if (tools.length === 0) return told;
  const listed = tools.map(
    ({ name, description, parameters }) => `- ${name}: ${description} ${JSON.stringify(parameters)}`,
  );
  const notes = [
    'You can look things up with these tools (JSON schemas of their arguments):',
    ...listed,
    'To look, reply with nothing but JSON: {"look":[{"tool":"…","arguments":{…}}]}. The results come in the next message.',
    'When you know enough, reply in plain text.',
  ];
  return withNote(told, notes.join('\n'));
}

/** Calls and results as what the two say to each other; what one says in a row is one message. */
function inWords(messages: readonly ChatMessage[]): ChatMessage[] {
  const calls = new Map<string, ToolCall>();
  const told: ChatMessage[] = [];
  for (const { role, content, toolCalls = [], toolCallId = '' } of messages) {
    for (const call of toolCalls) calls.set(call.id, call);
    const called = calls.get(toolCallId);
    const said: ChatMessage =
      role === 'tool'
        ? { role: 'user', content: `${called ? `${called.name} ${called.arguments}` : 'The look'} found:\n${content}` }
        : { role, content: [content, lookOf(toolCalls)].filter((one) => one !== '').join('\n') };
    const before = told.at(-1);
    if (before?.role === said.role && said.role !== 'system')
      told[told.length - 1] = { ...before, content: `${before.content}\n\n${said.content}` };
    else told.push(said);
  }
  return told;
}

const lookOf = (calls: readonly ToolCall[]): string =>
  calls.length === 0
    ? ''
    : `{"look":[${calls.map((call) => `{"tool":${JSON.stringify(call.name)},"arguments":${call.arguments}}`).join(',')}]}`;

const MOST_LOOKS = 16;

/** Calls that a reply asks for in words: `{"look": […]}`, `<tool_call>`, or an object alone. `turn`: for their ids. */
export function looksIn(text: string, tools: readonly ToolSchema[], turn: number): ToolCall[] {
  if (tools.length === 0 || !text.includes('{')) return [];
  const names = new Set(tools.map((tool) => tool.name));
  const isBare = /^(?:\{|\[|```)|<tool_call>/.test(text);
  const calls = jsonCandidates(text).flatMap((value): { name: string; values: unknown }[] => {
    const look = fieldOf(value, 'look');
    const asked = look === undefined ? (isBare ? listOf(value) : []) : listOf(look);
    return asked.flatMap((one) => {
      const name = fieldOf(one, 'tool') ?? fieldOf(one, 'name');
      const values = fieldOf(one, 'arguments') ?? fieldOf(one, 'parameters') ?? fieldOf(one, 'input') ?? {};
      // A name that is none of the tools' is told to the model, where it surely meant to look.
      return typeof name === 'string' && (look !== undefined || names.has(name)) ? [{ name, values }] : [];
    });
  });
  // A fenced one is found as a block and in the text.
  const texts = calls.map(({ name, values }) => [name, typeof values === 'string' ? values : JSON.stringify(values)]);
  const once = [...new Map(texts.map(([name = '', values = '']) => [`${name} ${values}`, { name, values }])).values()];
  return once
    .slice(0, MOST_LOOKS)
    .map(({ name, values }, at) => ({ id: `look-${turn}-${at + 1}`, name, arguments: values }));
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** What may begin a look or a thought, at the beginning of a line. */
const MAY_LOOK = /^[ \t]*(?:\{|```|<[a-z/|])/im;
/** The end of what has come, of which that is not known yet. */
const UNKNOWN = /(?:^|\n)[ \t]*(?:`{0,2}|<)$/;
/** Characters that are looked at while they come; what is longer is handed on at its end. */
const MOST_WATCHED = 40_000;

/** Hands on the prose of a reply as it comes, and holds back what may be a look or a thought. */
class SpokenText {
  readonly #onText: (text: string) => void;
  #all = '';
  #handed = 0;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  get hasSpoken(): boolean {
    return this.#handed > 0;
  }

  write(piece: string): void {
    this.#all += piece;
    if (this.#all.length > MOST_WATCHED) return;
    const spoken = this.#spoken();
    const look = MAY_LOOK.exec(spoken)?.index ?? UNKNOWN.exec(spoken)?.index ?? spoken.length;
    this.#hand(spoken.slice(0, look));
  }

  end(): void {
    this.#hand(this.#spoken().trimEnd());
  }

  #spoken(): string {
    return withoutThoughts(this.#all, 'removed').trimStart();
  }

  #hand(text: string): void {
    if (text.length <= this.#handed) return;
    this.#onText(text.slice(this.#handed));
    this.#handed = text.length;
  }
}
