import { APIError } from 'openai';
import { z } from 'zod';
import { readJson } from '#base';
import { RefusedError, UnreachableError } from './errors.ts';
import type { TokenUsage } from './language-model.ts';
import { WHOLE_REPLY_BYTES } from './complete.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The server's reply, piece by piece; the last piece says how it ended, and whether thoughts were counted in it. */
export type StreamPiece =
  | { text: string }
  | { thought: true }
  | { end: { usage: TokenUsage | undefined; truncated: boolean; thought: boolean } };

const usageSchema = z.object({
  prompt_tokens: z.number().int().nonnegative(),
  completion_tokens: z.number().int().nonnegative(),
  completion_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish().catch(null),
});

/** What a model says and thinks: its thoughts have one name with vLLM, llama.cpp and DeepSeek, another with Ollama. */
const saidSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
});
const thinksIn = ({ reasoning_content, reasoning }: z.infer<typeof saidSchema>): boolean =>
  Boolean(reasoning_content) || Boolean(reasoning);

/** Characters of a refusal that are shown. */
const LONGEST_REFUSAL = 300;

/** An error inside the stream, or instead of it. */
const failedSchema = z.object({ error: z.union([z.string().min(1), z.looseObject({})]) });

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: saidSchema.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: usageSchema.nullish().catch(null), // counts that make no sense are as good as none
});

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: saidSchema,
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: usageSchema.nullish().catch(null),
});

/**
 * Reads a reply, streamed or (from servers that ignore `stream`) whole. The connection is closed when the reader stops
 * early.
 */
export async function* readReply(
  response: Response,
  endpoint: string,
  model: string,
): AsyncGenerator<StreamPiece, void> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json') {
    yield* readWhole(await readJson(response, endpoint, WHOLE_REPLY_BYTES), endpoint, model);
  } else if (response.body && (type === 'text/event-stream' || type === 'application/octet-stream' || type === '')) {
    yield* readEvents(response.body, response.headers, endpoint, model);
  } else {
    void response.body?.cancel().catch(() => undefined); // the body is of no use, and nor is why it cannot be closed
    throw new UnreachableError(`${endpoint} answers with ${type}: this is no model endpoint.`, {
      advice: 'Check the address; most servers want it to end in /v1.',
    });
  }
}

function* readWhole(body: unknown, endpoint: string, model: string): Generator<StreamPiece, void> {
  const checked = completionSchema.safeParse(body);
  const choice = checked.data?.choices[0];
  if (!choice)
    throw new UnreachableError(`${endpoint} sent JSON that is no chat completion.`, { cause: checked.error });
  if (choice.message.refusal) throw new RefusedError(model, choice.message.refusal.slice(0, LONGEST_REFUSAL));
  if (thinksIn(choice.message)) yield { thought: true };
  if (choice.message.content) yield { text: choice.message.content };
  yield ending(choice.finish_reason, checked.data?.usage, model);
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  headers: Headers,
  endpoint: string,
  model: string,
): AsyncGenerator<StreamPiece, void> {
  let isDone = false; // it alone tells a finished reply from a cut one where no finish_reason is sent
  let usage: z.infer<typeof usageSchema> | null | undefined;
  let finish: string | null | undefined;
  let refusal = '';
  try {
    for await (const data of eventsIn(body)) {
      if (data.startsWith(DONE)) {
        isDone = true;
        break; // nothing is read after it, even where the server leaves the connection open
      }
      const raw: unknown = JSON.parse(data);
      const failed = failedSchema.safeParse(raw);
      if (failed.success)
        throw new APIError(
          undefined,
          typeof failed.data.error === 'string' ? { message: failed.data.error } : failed.data.error,
          undefined,
          headers,
        );
      const chunk = chunkSchema.safeParse(raw);
      if (!chunk.success)
        throw new UnreachableError(`${endpoint} streams something that is no chat completion.`, { cause: chunk.error });
      const choice = chunk.data.choices?.[0];
      usage = chunk.data.usage ?? usage;
      finish = choice?.finish_reason ?? finish;
      if (refusal.length < LONGEST_REFUSAL) refusal += choice?.delta?.refusal ?? '';
      if (choice?.delta && thinksIn(choice.delta)) yield { thought: true };
      if (choice?.delta?.content) yield { text: choice.delta.content };
    }
  } catch (error) {
    throw error instanceof EventTooLong
      ? new UnreachableError(`${endpoint} streams an event without an end: this is no reply of a model.`, {
          cause: error,
        })
      : error;
  }
  if (refusal) throw new RefusedError(model, refusal.slice(0, LONGEST_REFUSAL));
  if (finish === undefined && !isDone) throw new TypeError('The stream ended before the reply did.');
  yield ending(finish, usage, model);
}

function ending(
  finish: string | null | undefined,
  usage: z.infer<typeof usageSchema> | null | undefined,
  model: string,
): StreamPiece {
  if (finish === 'content_filter') throw new RefusedError(model, 'its content filter stopped the reply.');
  const counted = usage
    ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens, estimated: false }
    : undefined;
  const thought = (usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0;
  return { end: { usage: counted, truncated: finish === 'length', thought } };
}

/** The last event of an OpenAI stream. */
const DONE = '[DONE]';
/** Most characters of one event: a whole reply may come as one. */
const MOST_EVENT = 2 * 1024 * 1024;
/** Milliseconds after which timers, messages and other connections get their turn, however fast the stream is. */
const TURN = 25;

/** An event of a stream was longer than any reply: there is no end of line in it. */
class EventTooLong extends Error {}

/**
 * The data of each server-sent event, in order (WHATWG HTML, §9.2.6: lines of one event are joined by line breaks); of
 * `[DONE]` without waiting for the event's end. Takes time that grows with the stream's length alone, however it is cut
 * into pieces (the client's own reader copies and scans what it holds once more for each event), and gives way to
 * others meanwhile. @throws EventTooLong, and what reading throws
 */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let data: string[] = [];
  let length = 0;
  let turnEnds = performance.now() + TURN;
  for await (const line of lines(body)) {
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + TURN;
    }
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      length = 0;
    } else if (line.startsWith('data:')) {
      const value = line.startsWith('data: ') ? line.slice(6) : line.slice(5);
      if (data.length === 0 && value.startsWith(DONE)) yield value;
      length += value.length;
      if (length > MOST_EVENT) throw new EventTooLong();
      data.push(value);
    }
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
