import { APIError } from 'openai';
import { z } from 'zod';
import { parseJson, yieldToOthers } from '#base';
import type { ReplyPiece } from './called-model.ts';
import { WHOLE_REPLY_BYTES } from './complete.ts';
import { RefusedError, UnreachableError } from './errors.ts';
import type { TokenUsage, ToolCall } from './language-model.ts';
import { saidIn } from './openai-client.ts';

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
  choices: z.array(z.looseObject({ delta: saidSchema, message: saidSchema, finish_reason: text })).nullish(),
  usage: usageSchema,
});

const failedSchema = z.object({ error: z.union([z.string().min(1), z.looseObject({})]) });

const LONGEST_REFUSAL = 300;
/** Ends of a reply that came to its limit, by the names of several services. */
const AT_LIMIT = /^(?:(?:model_)?length|max_(?:output_)?tokens)$/i;
const NO_REPLY = /^(?:text\/html|text\/xml|application\/xml|image\/.*|application\/xhtml\+xml)$/;
/** Most calls of one reply, and characters of the arguments of one; what is beyond is left out. */
const MOST_CALLS = 64;
const MOST_ARGUMENTS = 100_000;

/**
 * Reads a reply, streamed or (from servers that ignore `stream`) whole, whatever its content type says: some send
 * streams as plain text. The connection is closed when the reader stops early.
 * @throws RefusedError, UnreachableError; APIError for one that the server tells of inside; TypeError where the
 * connection was cut
 */
export async function* readReply(
  response: Response,
  endpoint: string,
  model: string,
): AsyncGenerator<ReplyPiece, void> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!response.body || NO_REPLY.test(type)) {
    void response.body?.cancel().catch(() => undefined); // why it cannot be closed is of no use
    throw new UnreachableError({ what: 'not-an-endpoint', endpoint, type: type === '' ? 'nothing' : type });
  }
  const calls = new CallsInPieces();
  let counted: z.infer<typeof usageSchema>;
  let finish: string | undefined;
  let refusal = '';
  let replied = false;
  let odd = false; // something came that is no part of a reply
  for await (const value of valuesIn(response.body, endpoint)) {
    if (value === DONE) {
      finish ??= DONE;
      continue;
    }
    if (typeof value === 'string') {
      odd ||= !/^(?::|$)/.test(value);
      continue;
    }
    const failed = failedSchema.safeParse(value);
    const read = replySchema.safeParse(value);
    const { choices, usage } = read.data ?? {};
    const choice = choices?.[0];
    const isReply = choices !== undefined || usage !== undefined;
    const failure =
      failed.data ?? (choice?.finish_reason === 'error' ? { error: choice['error'] ?? 'error' } : undefined);
    const error = failure || !isReply ? saidIn(failure ?? value) : undefined; // it may be called none
    if (error) throw new APIError(undefined, error, undefined, response.headers);
    if (!read.success) throw new UnreachableError({ what: 'no-completion', endpoint }, { cause: read.error });
    if (isReply) replied = true;
    else odd = true;
    counted = usage ?? counted;
    finish = choice?.finish_reason || finish; // '' is none
    const said = choice?.delta ?? choice?.message;
    if (!said) continue;
    if (refusal.length < LONGEST_REFUSAL) refusal += said.refusal ?? '';
    if (said.reasoning_content || said.reasoning) yield { type: 'thought' };
    for (const call of said.tool_calls ?? []) calls.add(call);
    const parts = typeof said.content === 'string' ? [{ text: said.content, type: 'text' }] : (said.content ?? []);
    for (const { type, text } of parts) {
      if (type !== undefined && /think|reason/i.test(type)) yield { type: 'thought' };
      else if (typeof text === 'string' && text !== '') yield { type: 'text', text };
    }
  }
  if (refusal) throw new RefusedError(model, refusal.slice(0, LONGEST_REFUSAL));
  if (odd && !replied) throw new UnreachableError({ what: 'no-completion', endpoint });
  if (finish === undefined) throw new TypeError('The stream ended before the reply did.');
  if (finish === 'content_filter') throw new RefusedError(model, undefined);
  if ((counted?.completion_tokens_details?.reasoning_tokens ?? 0) > 0) yield { type: 'thought' };
  for (const call of calls.all) yield { type: 'tool-call', call };
  yield { type: 'end', truncated: AT_LIMIT.test(finish), ...(counted && { usage: usageOf(counted) }) };
}

function usageOf(counted: NonNullable<z.infer<typeof usageSchema>>): TokenUsage {
  const cachedTokens = counted.prompt_tokens_details?.cached_tokens ?? counted.prompt_cache_hit_tokens;
  return {
    inputTokens: counted.prompt_tokens,
    outputTokens: counted.completion_tokens,
    ...(typeof cachedTokens === 'number' && { cachedTokens }),
    estimated: false,
  };
}

/** Puts the pieces of calls together. The client's own does so by index alone, which some servers leave out. */
class CallsInPieces {
  readonly #calls: { index?: number | null | undefined; id: string | undefined; name: string; arguments: string }[] =
    [];

  /**
   * A piece belongs to the call of its index; without one, to that of its id; without either, to the last call, unless
   * it has a name. Some servers number all calls 0: a name with a new id, or behind whole arguments, begins another.
   */
  add({ index, id, function: called }: z.infer<typeof callSchema>): void {
    const name = called?.name ?? '';
    const values = called?.arguments ?? '';
    const piece = typeof values === 'string' ? values : JSON.stringify(values);
    const calls = this.#calls;
    let known = name === '' && !id ? calls.at(-1) : calls.find((one) => Boolean(id) && one.id === id);
    if (typeof index === 'number') known = calls.findLast((one) => one.index === index);
    const isNew = id ? id !== known?.id : piece !== '' && parsed(known?.arguments ?? '') !== undefined;
    if (known === undefined || (isNew && name !== '' && known.name !== '')) {
      if (calls.length < MOST_CALLS) calls.push({ index, id: id || undefined, name, arguments: piece });
      return;
    }
    known.id ??= id || undefined;
    known.name ||= name;
    if (known.arguments.length < MOST_ARGUMENTS) known.arguments += piece;
  }

  get all(): ToolCall[] {
    const ids = new Set<string>();
    return this.#calls
      .filter(({ name }) => name !== '')
      .map((call, at) => {
        const id = call.id === undefined || ids.has(call.id) ? `call-${at}` : call.id;
        ids.add(id);
        return { id, name: call.name, arguments: call.arguments.trim() || '{}' };
      });
  }
}

const DONE = '[DONE]';
/** An event is longer than any reply: there is no end of line in it. */
const tooLong = (endpoint: string): Error => new UnreachableError({ what: 'no-completion', endpoint });
/** Milliseconds after which timers, messages and other connections get their turn, however fast the stream is. */
const TURN = 25;

/**
 * The JSON values of a reply, in order, as text what stands in the place of one, and {@link DONE}: server-sent events
 * (WHATWG HTML, §9.2.6), also without the empty lines between them, a value a line, or a single value. The client's own
 * reader joins such events to one that it cannot parse. @throws UnreachableError, SyntaxError, and what reading throws
 */
async function* valuesIn(body: ReadableStream<Uint8Array>, endpoint: string): AsyncGenerator<unknown, void> {
  let open: string[] = []; // lines that are no value by themselves
  let length = 0;
  let isPlain: boolean | undefined; // no events; undefined until the first line that is not blank
  let turnEnds = performance.now() + TURN;
  for await (const line of lines(body, endpoint)) {
    if (performance.now() > turnEnds) {
      await yieldToOthers();
      turnEnds = performance.now() + TURN;
    }
    if (line.trim() !== '') isPlain ??= /^\s*[{[]/.test(line);
    if (line === '' && !isPlain) {
      if (open.length > 0) yield JSON.parse(open.join('\n'));
      open = [];
      length = 0;
    }
    if (!isPlain && !line.startsWith('data:')) continue;
    const value = isPlain ? line : line.slice('data:'.length).trimStart();
    // nothing is read after it, even where the server leaves the connection open
    if (open.length === 0 && value.startsWith(DONE)) return yield DONE;
    if (open.length === 0 && !isPlain && !value.startsWith('{')) {
      yield value; // comments, blanks and times as data: relays keep a connection open by these
      continue;
    }
    const alone = open.length === 0 ? parsed(value) : undefined;
    if (alone !== undefined) {
      yield alone;
      continue;
    }
    length += value.length;
    if (length > WHOLE_REPLY_BYTES) throw tooLong(endpoint);
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

/** Lines of a stream in UTF-8, without the line feed, or pair, that ends them. The last may lack it. */
async function* lines(body: ReadableStream<Uint8Array>, endpoint: string): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let open = '';
  let isBlank = true;
  try {
    for (let done = false; !done;) {
      const next = await reader.read();
      ({ done } = next);
      const text = decoder.decode(next.value, { stream: !done });
      const [first = '', ...others] = text.split('\n');
      open += first;
      if (isBlank && text.trimStart().startsWith('<'))
        throw new UnreachableError({ what: 'not-an-endpoint', endpoint, type: 'text/html' }); // a page
      isBlank &&= text.trim() === '';
      for (const line of others) {
        yield open.endsWith('\r') ? open.slice(0, -1) : open;
        open = line;
      }
      if (open.length > WHOLE_REPLY_BYTES) throw tooLong(endpoint);
    }
    if (open !== '') yield open;
  } finally {
    void reader.cancel().catch(() => undefined); // closes the connection; that it broke before is of no consequence
  }
}
