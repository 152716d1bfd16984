import { APIError } from 'openai';
import { z } from 'zod';
import { readJson } from '#base';
import { RefusedError, UnreachableError } from './errors.ts';
import type { TokenUsage } from './language-model.ts';
import { WHOLE_REPLY_BYTES } from './complete.ts';
import { EventTooLong, readEventStream } from './server-sent-events.ts';

/** The server's reply, piece by piece; the last piece says how it ended. */
export type StreamPiece = { text: string } | { end: { usage: TokenUsage | undefined; truncated: boolean } };

const usageSchema = z.object({
  prompt_tokens: z.number().int().nonnegative(),
  completion_tokens: z.number().int().nonnegative(),
});

/** Characters of a refusal that are shown. */
const LONGEST_REFUSAL = 300;

/** An error inside the stream, or instead of it. */
const failedSchema = z.object({ error: z.union([z.string().min(1), z.looseObject({})]) });

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
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
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
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
  if (choice.message.content) yield { text: choice.message.content };
  yield ending(choice.finish_reason, checked.data?.usage, model);
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  headers: Headers,
  endpoint: string,
  model: string,
): AsyncGenerator<StreamPiece, void> {
  const stream = readEventStream(body);
  let usage: z.infer<typeof usageSchema> | null | undefined;
  let finish: string | null | undefined;
  let refusal = '';
  try {
    for await (const data of stream.data()) {
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
  if (finish === undefined && !stream.done()) throw new TypeError('The stream ended before the reply did.');
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
  return { end: { usage: counted, truncated: finish === 'length' } };
}
