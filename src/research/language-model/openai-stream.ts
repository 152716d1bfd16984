import { APIError } from 'openai';
import { z } from 'zod';
import { parseJson, readText } from '#base';
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
  index: z.number().int().nonnegative().nullish().catch(null),
  id: z.string().nullish().catch(null),
  // Arguments that come as an object are no string to add to.
  function: z
    .object({ name: z.string().nullish(), arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish()
    .catch(null),
});

/** What a model says: a text, or parts, of which some may be thoughts (Mistral). */
const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ type: z.string().optional(), text: z.unknown().optional() }))])
  .nullish();

/** What a model says and thinks: its thoughts have one name with vLLM, llama.cpp and DeepSeek, another with Ollama. */
const saidSchema = z.object({
  content: contentSchema,
  refusal: z.string().nullish(),
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  tool_calls: z.array(callSchema).nullish().catch(null),
});

/** A piece of a stream has `delta`, a whole reply `message`; where `text` is, a server answers in the older form. */
const replySchema = z.object({
  choices: z
    .array(
      z.object({
        delta: saidSchema.nullish(),
        message: saidSchema.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: usageSchema,
});

/** An error inside the stream, or instead of it. */
const failedSchema = z.object({ error: z.union([z.string().min(1), z.looseObject({})]) });

/** Characters of a refusal that are shown. */
const LONGEST_REFUSAL = 300;

/**
 * Reads a reply, streamed or (from servers that ignore `stream`) whole, whatever its content type says: some send
 * streams as plain text. The connection is closed when the reader stops early.
 */
export async function* readReply(
  response: Response,
  endpoint: string,
  model: string,
): AsyncGenerator<StreamPiece, void> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!response.body || /^(?:text\/html|text\/xml|application\/xml|image\/.*|application\/xhtml\+xml)$/.test(type)) {
    void response.body?.cancel().catch(() => undefined); // the body is of no use, and nor is why it cannot be closed
    throw new UnreachableError({ what: 'not-an-endpoint', endpoint, type: type === '' ? 'nothing' : type });
  }
  const reply = new ReplyReader(endpoint, model, response.headers);
  let isDone = false; // it alone tells a finished reply from a cut one where no finish_reason is sent
  const { first, body } = await firstCharacter(response.body);
  if (first === '{' || first === '[') {
    const text = await readText(new Response(body), endpoint, WHOLE_REPLY_BYTES);
    for (const value of wholeValues(text)) yield* reply.read(value);
    isDone = true;
  } else if (first === '<') {
    await body.cancel().catch(() => undefined);
    throw new UnreachableError({ what: 'not-an-endpoint', endpoint, type: 'text/html' });
  } else {
    try {
      for await (const data of eventsIn(body)) {
        if (data === DONE) {
          isDone = true;
          break; // nothing is read after it, even where the server leaves the connection open
        }
        yield* reply.read(data);
      }
    } catch (error) {
      throw error instanceof EventTooLong
        ? new UnreachableError({ what: 'no-completion', endpoint }, { cause: error })
        : error;
    }
  }
  yield { end: reply.end(isDone) };
}

/** One JSON value, or one a line, as servers send that stream without events. */
function wholeValues(text: string): unknown[] {
  try {
    return [parseJson(text)];
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (!(error instanceof SyntaxError) || lines.length < 2) throw error;
    return lines.map((line) => parseJson(line));
  }
}

/** Puts the pieces of one reply together. */
class ReplyReader {
  readonly #endpoint: string;
  readonly #model: string;
  readonly #headers: Headers;
  readonly #calls: { index: number | undefined; id: string | undefined; name: string; arguments: string }[] = [];
  #usage: z.infer<typeof usageSchema>;
  #finish: string | undefined;
  #refusal = '';

  constructor(endpoint: string, model: string, headers: Headers) {
    this.#endpoint = endpoint;
    this.#model = model;
    this.#headers = headers;
  }

  *read(value: unknown): Generator<StreamPiece, void> {
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
   * A piece of a call belongs to the one of its index; without an index, to that of its id; without either, to the last
   * one, unless it has a name of its own. A new id under a known index, with a new name, is another call: some servers
   * number all of them 0.
   */
  #add({ index, id, function: called }: z.infer<typeof callSchema>): void {
    const name = called?.name || undefined;
    const last = this.#calls.at(-1);
    const known =
      index === null || index === undefined
        ? id
          ? this.#calls.find((one) => one.id === id)
          : name === undefined
            ? last
            : undefined
        : this.#calls.findLast((one) => one.index === index);
    const isOther = known !== undefined && name !== undefined && id !== known.id && known.name !== '' && Boolean(id);
    const values = called?.arguments ?? '';
    const piece = typeof values === 'string' ? values : JSON.stringify(values);
    if (known === undefined || isOther) {
      if (this.#calls.length < MOST_CALLS)
        this.#calls.push({ index: index ?? undefined, id: id || undefined, name: name ?? '', arguments: piece });
      return;
    }
    known.id ??= id || undefined;
    if (known.name === '') known.name = name ?? '';
    if (known.arguments.length < MOST_ARGUMENTS) known.arguments += piece;
  }

  /** @throws RefusedError; TypeError where the connection was cut */
  end(isDone: boolean): ReplyEnd {
    if (this.#refusal) throw new RefusedError(this.#model, this.#refusal.slice(0, LONGEST_REFUSAL));
    if (this.#finish === undefined && !isDone) throw new TypeError('The stream ended before the reply did.');
    if (this.#finish === 'content_filter') throw new RefusedError(this.#model, undefined);
    const usage = this.#usage;
    const cached = usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens;
    const ids = new Set<string>();
    return {
      usage: usage
        ? {
            inputTokens: usage.prompt_tokens,
            outputTokens: usage.completion_tokens,
            ...(typeof cached === 'number' && { cachedTokens: cached }),
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
const MOST_EVENT = 2 * 1024 * 1024;
/** Milliseconds after which timers, messages and other connections get their turn, however fast the stream is. */
const TURN = 25;

/** An event of a stream was longer than any reply: there is no end of line in it. */
class EventTooLong extends Error {}

/** What a body begins with, but for blanks, and the whole of it. Looks at its first kilobyte at most. */
async function firstCharacter(
  body: ReadableStream<Uint8Array>,
): Promise<{ first: string; body: ReadableStream<Uint8Array> }> {
  const reader = body.getReader();
  const read: Uint8Array[] = [];
  let text = '';
  const decoder = new TextDecoder();
  while (text === '' && read.length < 1024) {
    const { done, value } = await reader.read();
    if (done) break;
    read.push(value);
    text = decoder.decode(value, { stream: true }).trimStart();
  }
  return {
    first: text.charAt(0),
    body: new ReadableStream<Uint8Array>({
      async pull(sink) {
        const kept = read.shift();
        if (kept) return sink.enqueue(kept);
        const { done, value } = await reader.read();
        if (done) sink.close();
        else sink.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }),
  };
}

/**
 * The value of each server-sent event, in order (WHATWG HTML, §9.2.6), and {@link DONE}. A line of data that is a JSON
 * value is an event by itself: some servers leave out the empty lines. Takes time that grows with the stream's length
 * alone and gives way to others meanwhile.
 *
 * The client's own reader joins such lines to one event, which it cannot parse, and copies what it holds for each event
 * of a large piece. @throws EventTooLong, SyntaxError of an event that is no JSON, and what reading throws
 */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  let data: string[] = [];
  let length = 0;
  let turnEnds = performance.now() + TURN;
  for await (const line of lines(body)) {
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + TURN;
    }
    if (line === '') {
      if (data.length > 0) yield JSON.parse(data.join('\n'));
      data = [];
      length = 0;
      continue;
    }
    if (!line.startsWith('data:')) continue;
    const value = line.slice(line.startsWith('data: ') ? 6 : 5);
    if (data.length === 0) {
      if (value.startsWith(DONE)) return yield DONE;
      const alone = parsed(value);
      if (alone !== undefined) {
        yield alone;
        continue;
      }
    }
    length += value.length;
    if (length > MOST_EVENT) throw new EventTooLong();
    data.push(value);
  }
  if (data.length > 0) yield JSON.parse(data.join('\n')); // its end is missing
}

function parsed(text: string): unknown {
  if (!text.trimEnd().endsWith('}')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the lines that follow belong to it
  }
}

/** Lines of a stream in UTF-8; they end at a line feed, a carriage return, or both. The last may lack its end. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let open: string[] = [];
  let length = 0;
  let afterReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      let from = 0;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code !== 10 && code !== 13) continue;
        // the line feed of a pair ends nothing more
        if (code === 10 && afterReturn && at === from && length === 0) from = at + 1;
        else {
          yield open.join('') + text.slice(from, at);
          open = [];
          length = 0;
          from = at + 1;
        }
        afterReturn = code === 13;
      }
      if (from < text.length) {
        afterReturn = false;
        open.push(text.slice(from));
        length += text.length - from;
        if (length > MOST_EVENT) throw new EventTooLong();
      }
      if (done) break;
    }
    if (length > 0) yield open.join('');
  } finally {
    void reader.cancel().catch(() => undefined); // closes the connection; that it broke before is of no consequence
  }
}
