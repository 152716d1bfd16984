import { APIError } from 'openai';
import { z } from 'zod';
import { parseJson } from '#base';
import { RefusedError, UnreachableError } from './errors.ts';
import type { TokenUsage, ToolCall } from './language-model.ts';
import { WHOLE_REPLY_BYTES } from './complete.ts';
import { saidIn } from './openai-client.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How a reply ended. */
export interface ReplyEnd {
  usage: TokenUsage | undefined;
  truncated: boolean;
  /** Thoughts were counted in it. */
  thought: boolean;
  calls: readonly ToolCall[];
}

/** The server's reply, piece by piece; the last piece says how it ended. */
export type StreamPiece = { text: string } | { thought: true } | { end: ReplyEnd };

const count = z.number().int().nonnegative();
const text = z.string().nullish();
/** Counts that make no sense are as good as none. */
const usageSchema = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(null),
    prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish().catch(null),
    prompt_cache_hit_tokens: count.nullish().catch(null), // DeepSeek
  })
  .nullish()
  .catch(null);

const callSchema = z.object({
  index: count.nullish().catch(null),
  id: text.catch(null),
  function: z
    .object({ name: text, arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish()
    .catch(null),
});

const saidSchema = z
  .object({
    // Text, or parts, some of which may be thoughts (Mistral).
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string().optional(), text: z.unknown().optional() }))])
      .nullish(),
    refusal: text,
    reasoning_content: z.unknown().optional(), // vLLM, llama.cpp, DeepSeek
    reasoning: z.unknown().optional(), // Ollama
    tool_calls: z.array(callSchema).nullish().catch(null),
  })
  .nullish();

/** A piece of a stream has `delta`, a whole reply `message`. */
const replySchema = z.object({
  choices: z.array(z.object({ delta: saidSchema, message: saidSchema, finish_reason: text })).nullish(),
  usage: usageSchema,
});

/** An error inside the stream, or instead of it. */
const failedSchema = z.object({ error: z.union([z.string().min(1), z.looseObject({})]) });

/** Characters of a refusal that are shown. */
const LONGEST_REFUSAL = 300;
/** Content types of pages and pictures. */
const NO_REPLY = /^(?:text\/html|text\/xml|application\/xml|image\/.*|application\/xhtml\+xml)$/;

/**
 * Reads a reply, streamed or (from servers that ignore `stream`) whole, whatever its content type says: some send
 * streams as plain text. The connection is closed when the reader stops early.
 */
export async function* readReply(
  response: Response,
  endpoint: string,
  model: string,
): AsyncGenerator<StreamPiece, void> {
  const unusable = (type: string): Error => new UnreachableError({ what: 'not-an-endpoint', endpoint, type });
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!response.body || NO_REPLY.test(type)) {
    void response.body?.cancel().catch(() => undefined); // why it cannot be closed is of no use
    throw unusable(type === '' ? 'nothing' : type);
  }
  const reply = new ReplyReader(endpoint, model, response.headers);
  try {
    for await (const value of valuesIn(response.body)) yield* reply.read(value);
  } catch (error) {
    if (error instanceof Markup) throw unusable('text/html');
    throw error instanceof EventTooLong
      ? new UnreachableError({ what: 'no-completion', endpoint }, { cause: error })
      : error;
  }
  yield { end: reply.end() };
}

/** Puts the pieces of one reply together. */
class ReplyReader {
  readonly #endpoint: string;
  readonly #model: string;
  readonly #headers: Headers;
  readonly #calls: { index?: number | null | undefined; id: string | undefined; name: string; arguments: string }[] =
    [];
  #usage: z.infer<typeof usageSchema>;
  #finish: string | undefined;
  #isDone = false;
  #refusal = '';

  constructor(endpoint: string, model: string, headers: Headers) {
    this.#endpoint = endpoint;
    this.#model = model;
    this.#headers = headers;
  }

  *read(value: unknown): Generator<StreamPiece, void> {
    if (value === DONE) {
      this.#isDone = true;
      return;
    }
    const failed = failedSchema.safeParse(value);
    if (failed.success) throw new APIError(undefined, saidIn(failed.data), undefined, this.#headers);
    const read = replySchema.safeParse(value);
    const isReply = read.success && (read.data.choices !== undefined || read.data.usage !== undefined);
    if (!isReply) {
      const said = saidIn(value); // an error that is called none
      if (said) throw new APIError(undefined, said, undefined, this.#headers);
      throw new UnreachableError({ what: 'no-completion', endpoint: this.#endpoint }, { cause: read.error });
    }
    this.#usage = read.data.usage ?? this.#usage;
    const choice = read.data.choices?.[0];
    this.#finish = choice?.finish_reason ?? this.#finish;
    const said = choice?.delta ?? choice?.message;
    if (!said) return;
    if (this.#refusal.length < LONGEST_REFUSAL) this.#refusal += said.refusal ?? '';
    if (said.reasoning_content || said.reasoning) yield { thought: true };
    for (const call of said.tool_calls ?? []) this.#add(call);
    const parts = typeof said.content === 'string' ? [{ text: said.content, type: 'text' }] : (said.content ?? []);
    for (const { type, text } of parts) {
      if (type !== undefined && /think|reason/i.test(type)) yield { thought: true };
      else if (typeof text === 'string' && text !== '') yield { text };
    }
  }

  /**
   * A piece belongs to the call of its index; without one, to that of its id; without either, to the last call, unless
   * the piece has a name. A new id and name under a known index begin another call: some servers number all calls 0.
   */
  #add({ index, id, function: called }: z.infer<typeof callSchema>): void {
    const name = called?.name ?? '';
    const values = called?.arguments ?? '';
    const piece = typeof values === 'string' ? values : JSON.stringify(values);
    const calls = this.#calls;
    let known = name === '' && !id ? calls.at(-1) : calls.find((one) => Boolean(id) && one.id === id);
    if (typeof index === 'number') known = calls.findLast((one) => one.index === index);
    const isOther = known !== undefined && Boolean(id) && id !== known.id && name !== '' && known.name !== '';
    if (known === undefined || isOther) {
      if (calls.length < MOST_CALLS) calls.push({ index, id: id || undefined, name, arguments: piece });
      return;
    }
    known.id ??= id || undefined;
    known.name ||= name;
    if (known.arguments.length < MOST_ARGUMENTS) known.arguments += piece;
  }

  /** @throws RefusedError; TypeError where the connection was cut */
  end(): ReplyEnd {
    if (this.#refusal) throw new RefusedError(this.#model, this.#refusal.slice(0, LONGEST_REFUSAL));
    if (this.#finish === undefined && !this.#isDone) throw new TypeError('The stream ended before the reply did.');
    if (this.#finish === 'content_filter') throw new RefusedError(this.#model, undefined);
    const usage = this.#usage;
    const cachedTokens = usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens;
    const ids = new Set<string>();
    return {
      usage: usage
        ? {
            inputTokens: usage.prompt_tokens,
            outputTokens: usage.completion_tokens,
            ...(typeof cachedTokens === 'number' && { cachedTokens }),
            estimated: false,
          }
        : undefined,
      truncated: this.#finish === 'length',
      thought: (usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0,
      calls: this.#calls
        .filter(({ name }) => name !== '')
        .map((call, at) => {
          const id = call.id === undefined || ids.has(call.id) ? `call-${at}` : call.id;
          ids.add(id);
          return { id, name: call.name, arguments: call.arguments.trim() || '{}' };
        }),
    };
  }
}

/** Most calls of one reply, and characters of the arguments of one; what is beyond is left out. */
const MOST_CALLS = 64;
const MOST_ARGUMENTS = 100_000;
/** The last event of an OpenAI stream. */
const DONE = '[DONE]';
/** Most characters of one event: a whole reply may come as one. */
const MOST_EVENT = WHOLE_REPLY_BYTES;
/** Milliseconds after which timers, messages and other connections get their turn, however fast the stream is. */
const TURN = 25;

/** An event of a stream was longer than any reply: there is no end of line in it. */
class EventTooLong extends Error {}
/** A page in place of a reply. */
class Markup extends Error {}

/**
 * The JSON values of a reply, in order, and {@link DONE}: server-sent events (WHATWG HTML, §9.2.6), also without the
 * empty lines between them, a value a line, or a single value.
 *
 * The client's own reader joins events without empty lines to one that it cannot parse, and copies what it holds for
 * each event of a large piece. @throws Markup, EventTooLong, SyntaxError, and what reading throws
 */
async function* valuesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  let open: string[] = []; // lines that are no value by themselves
  let length = 0;
  let isPlain: boolean | undefined; // no events; undefined until the first line that is not blank
  let turnEnds = performance.now() + TURN;
  for await (const line of lines(body)) {
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + TURN;
    }
    if (isPlain === undefined && line.trim() !== '') isPlain = /^\s*[{[]/.test(line);
    if (line === '' && !isPlain) {
      if (open.length > 0) yield JSON.parse(open.join('\n'));
      open = [];
      length = 0;
    }
    if (!isPlain && !line.startsWith('data:')) continue;
    const value = isPlain ? line : line.slice(line.startsWith('data: ') ? 6 : 5);
    if (open.length === 0) {
      // nothing is read after it, even where the server leaves the connection open
      if (value.startsWith(DONE)) return yield DONE;
      const alone = parsed(value);
      if (alone !== undefined) {
        yield alone;
        continue;
      }
    }
    length += value.length;
    if (length > MOST_EVENT) throw new EventTooLong();
    open.push(value);
  }
  if (open.join('').trim() !== '') yield parseJson(open.join('\n')); // its end is missing
  if (isPlain) yield DONE;
}

function parsed(text: string): unknown {
  if (!text.trimEnd().endsWith('}')) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined; // the lines that follow belong to it
  }
}

/** Lines of a stream in UTF-8; they end at a line feed, a carriage return, or both. The last may lack its end. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let open = '';
  let isBlank = true;
  let afterReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      let text = decoder.decode(value, { stream: !done });
      if (afterReturn && text.startsWith('\n')) text = text.slice(1); // the line feed of a pair ends nothing more
      if (text !== '') afterReturn = text.endsWith('\r');
      const [first = '', ...others] = text.split(/\r\n?|\n/);
      open += first;
      if (isBlank && text.trimStart().startsWith('<')) throw new Markup();
      isBlank &&= text.trim() === '';
      for (const line of others) {
        yield open;
        open = line;
      }
      if (open.length > MOST_EVENT) throw new EventTooLong();
      if (done) break;
    }
    if (open !== '') yield open;
  } finally {
    void reader.cancel().catch(() => undefined); // closes the connection; that it broke before is of no consequence
  }
}
