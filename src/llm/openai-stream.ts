import { Stream } from 'openai/streaming';
import type OpenAI from 'openai';
import { z } from 'zod';
import { RefusedError, UnreachableError } from './errors.ts';
import type { TokenUsage } from './language-model.ts';

/** The server's reply, piece by piece; the last piece says how it ended. */
export type StreamPiece = { text: string } | { end: { usage: TokenUsage | undefined; truncated: boolean } };

const usageSchema = z.object({ prompt_tokens: z.number().int().nonnegative(), completion_tokens: z.number().int().nonnegative() });

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
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }), finish_reason: z.string().nullish() })).min(1),
  usage: usageSchema.nullish().catch(null),
});

/** Reads a reply, streamed or (from servers that ignore `stream`) whole. `controller` ends the request when the reader stops early. */
export async function* readReply(response: Response, controller: AbortController, client: OpenAI, endpoint: string, model: string): AsyncGenerator<StreamPiece, void> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json') {
    yield* readWhole(await response.json(), endpoint, model);
  } else if (type === 'text/event-stream' || type === 'application/octet-stream' || type === '') {
    yield* readEvents(response, controller, client, endpoint, model);
  } else {
    controller.abort(); // the body is of no use
    throw new UnreachableError(`${endpoint} answers with ${type}: this is no model endpoint.`, { advice: 'Check the address; most servers want it to end in /v1.' });
  }
}

function* readWhole(body: unknown, endpoint: string, model: string): Generator<StreamPiece, void> {
  const checked = completionSchema.safeParse(body);
  const choice = checked.data?.choices[0];
  if (!choice) throw new UnreachableError(`${endpoint} sent JSON that is no chat completion.`, { cause: checked.error });
  if (choice.message.refusal) throw new RefusedError(model, choice.message.refusal);
  if (choice.message.content) yield { text: choice.message.content };
  yield ending(choice.finish_reason, checked.data?.usage, model);
}

async function* readEvents(response: Response, controller: AbortController, client: OpenAI, endpoint: string, model: string): AsyncGenerator<StreamPiece, void> {
  const watched = watchForDone(response);
  let usage: z.infer<typeof usageSchema> | null | undefined;
  let finish: string | null | undefined;
  let refusal = '';
  for await (const raw of Stream.fromSSEResponse<OpenAI.ChatCompletionChunk>(watched.response, controller, client)) {
    const chunk = chunkSchema.safeParse(raw);
    if (!chunk.success) throw new UnreachableError(`${endpoint} streams something that is no chat completion.`, { cause: chunk.error });
    const choice = chunk.data.choices?.[0];
    usage = chunk.data.usage ?? usage;
    finish = choice?.finish_reason ?? finish;
    refusal += choice?.delta?.refusal ?? '';
    if (choice?.delta?.content) yield { text: choice.delta.content };
  }
  if (controller.signal.aborted) return; // the caller knows why
  if (refusal) throw new RefusedError(model, refusal);
  if (finish === undefined && !watched.done()) throw new TypeError('The stream ended before the reply did.');
  yield ending(finish, usage, model);
}

function ending(finish: string | null | undefined, usage: z.infer<typeof usageSchema> | null | undefined, model: string): StreamPiece {
  if (finish === 'content_filter') throw new RefusedError(model, 'its content filter stopped the reply.');
  const counted = usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens, estimated: false } : undefined;
  return { end: { usage: counted, truncated: finish === 'length' } };
}

/** The client's stream hides whether `[DONE]` came, which alone tells a finished reply from a cut one where no finish_reason is sent. */
function watchForDone(response: Response): { response: Response; done(): boolean } {
  let tail = '';
  const decoder = new TextDecoder();
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, sink) {
      tail = (tail + decoder.decode(bytes, { stream: true })).slice(-64);
      sink.enqueue(bytes);
    },
  });
  const body = response.body?.pipeThrough(watch) ?? null;
  return { response: new Response(body, { headers: response.headers }), done: () => tail.includes('[DONE]') };
}
