import { APIError } from 'openai';
import { z } from 'zod';
import { type Clock, startDeadline, systemClock, throwIfAborted, unlessAborted } from '#base';
import { complete, WHOLE_REPLY_BYTES } from './complete.ts';
import { EmptyReplyError, ModelTimeoutError, NonsenseError, UnreachableError } from './errors.ts';
import type { LanguageModel, TokenUsage } from './language-model.ts';
import { nonsenseIn } from './nonsense.ts';
import { askJson, atAnsweringUrl, openAiClient, type OpenAiEndpoint, parseBaseUrl } from './openai-client.ts';
import { judgeOpenAiFailure } from './openai-failure.ts';
import { withoutThoughts } from './thoughts.ts';

/** Seconds for a list, for all requests after one window together, and for a trial. */
const SECONDS = { list: 15, window: 5, trial: 60 };
/** Models listed beside chat models that cannot chat. */
const NO_CHAT = /embed|whisper|tts|dall-e|moderation|rerank|transcribe|image|(^|[/-])(bge|e5|gte)-/i;

/** What a server says of the tokens that a model takes, question and reply together. */
export interface AskedWindow {
  tokens?: number | undefined;
  /** The model was trained for so many; the server may give it fewer. */
  trained?: number | undefined;
  /** It will say more once the model is loaded: a call loads it. */
  unloaded?: boolean;
}

/** Ollama's default (its documentation, “Context length”). It cuts longer prompts in silence: guess low. */
const OLLAMA_DEFAULT = 4096;

const count = z.number().int().positive().optional().catch(undefined);
const entries = <T extends z.ZodType>(entry: T) =>
  z.array(z.unknown()).transform((all) => all.flatMap((one) => entry.safeParse(one).data ?? []));
const name = z.string().optional().catch(undefined);

const entrySchema = z.object({
  id: z.string().min(1),
  max_model_len: count, // vLLM
  context_window: count, // Groq
  context_length: count, // OpenRouter, Together
  loaded_context_length: count, // LM Studio
  max_context_length: count, // Mistral; LM Studio: what it was trained for
  meta: z.object({ n_ctx: count, n_ctx_train: count }).nullish().catch(null), // llama.cpp
});
const listSchema = z.object({ data: entries(entrySchema) });
const propsSchema = z.object({ default_generation_settings: z.object({ n_ctx: count }) });
const runningSchema = z.object({ models: entries(z.object({ name, model: name, context_length: count })) });
const shownSchema = z.object({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Chat models that an endpoint lists under `/models`, by name. @throws the typed errors of a call */
export async function listOpenAiModels(
  endpoint: OpenAiEndpoint,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<{ id: string; contextTokens?: number }[]> {
  throwIfAborted(signal);
  const { host } = parseBaseUrl(endpoint.baseUrl);
  const deadline = startDeadline(clock, SECONDS.list, signal);
  let keyed = false;
  const read = async (baseUrl: string): Promise<z.infer<typeof entrySchema>[]> => {
    const connection = await openAiClient(endpoint, WHOLE_REPLY_BYTES, baseUrl);
    keyed = connection.keyed;
    const list = listSchema.safeParse(await askJson(connection.client, '/models', deadline.signal));
    if (!list.success) throw new UnreachableError({ what: 'no-list', endpoint: host }, { cause: list.error });
    return list.data.data.filter(({ id }) => !NO_CHAT.test(id));
  };
  try {
    const list = await unlessAborted(atAnsweringUrl(endpoint.baseUrl, read), deadline.signal);
    const offered = list.map((entry) => {
      const { tokens, trained } = windowOf(entry);
      const contextTokens = tokens ?? trained;
      return { id: entry.id, ...(contextTokens !== undefined && { contextTokens }) };
    });
    return offered.sort((a, b) => a.id.localeCompare(b.id));
  } catch (error) {
    throwIfAborted(signal);
    if (deadline.passed()) throw new ModelTimeoutError(host, SECONDS.list, { cause: error });
    throw judgeOpenAiFailure(error, { endpoint: host, model: 'models', keyed, now: clock.now() }).error;
  } finally {
    deadline.end();
  }
}

/**
 * Asks a server for the window of one of its models: by the list of models, then, beside `/v1` only, as llama.cpp
 * (`/props`), LM Studio (`/api/v0/models`) and Ollama (`/api/show`, `/api/ps`) tell it. Sends nothing but the model's
 * name, to the same origin, with the same key. Never rejects; undefined: no reply in time.
 */
export async function askWindow(
  endpoint: OpenAiEndpoint,
  model: string,
  clock: Clock,
  signal?: AbortSignal,
): Promise<AskedWindow | undefined> {
  const deadline = startDeadline(clock, SECONDS.window, signal);
  try {
    return await unlessAborted(askServer(endpoint, model, deadline.signal), deadline.signal);
  } catch {
    return undefined; // whatever it was, the call that follows will meet it, too, and say so
  } finally {
    deadline.end();
  }
}

async function askServer(endpoint: OpenAiEndpoint, model: string, signal: AbortSignal): Promise<AskedWindow> {
  const { client } = await openAiClient(endpoint, WHOLE_REPLY_BYTES);
  /** undefined for whatever is no JSON, a 404 above all. @throws where the server cannot be reached */
  const ask = (path: string, body?: unknown): Promise<unknown> =>
    askJson(client, path, signal, body).catch((error: unknown) => {
      const isReply = error instanceof SyntaxError || (error instanceof APIError && error.status !== undefined);
      if (!isReply) throw error;
    });
  const listed = readList(await ask('/models'), model);
  if (listed.tokens !== undefined || !client.baseURL.endsWith('/v1')) return listed;
  const root = client.baseURL.slice(0, -'/v1'.length);
  const [props, studio, shown, running] = await Promise.all([
    // A server that loads models on demand must not load one for this.
    ask(`${root}/props?model=${encodeURIComponent(model)}&autoload=false`),
    ask(`${root}/api/v0/models`),
    ask(`${root}/api/show`, { model }),
    ask(`${root}/api/ps`),
  ]);
  const llama = propsSchema.safeParse(props).data?.default_generation_settings.n_ctx;
  if (llama !== undefined) return { ...listed, tokens: llama };
  return readOllama(shown, running, model) ?? readStudio(studio, model) ?? listed;
}

function readList(value: unknown, model: string): AskedWindow {
  const listed = listSchema.safeParse(value).data?.data ?? [];
  // llama.cpp serves one model, whatever it is called.
  const entry = listed.find(({ id }) => id === model) ?? (listed.length === 1 ? listed[0] : undefined);
  return entry ? windowOf(entry) : {};
}

function windowOf(entry: z.infer<typeof entrySchema>): AskedWindow {
  const trained = entry.meta?.n_ctx_train;
  const { max_model_len, loaded_context_length, context_window, context_length, max_context_length } = entry;
  const tokens = entry.meta?.n_ctx ?? max_model_len ?? loaded_context_length ?? context_window ?? context_length;
  return { tokens: tokens ?? (trained === undefined ? max_context_length : undefined), trained };
}

/** LM Studio tells what a model was loaded with; one that is not loaded may get less than it was trained for. */
function readStudio(value: unknown, model: string): AskedWindow | undefined {
  const entry = listSchema.safeParse(value).data?.data.find(({ id }) => id === model);
  if (!entry) return undefined;
  const { loaded_context_length: tokens, max_context_length: trained } = entry;
  return { tokens, trained, unloaded: tokens === undefined };
}

/** What Ollama will give: the Modelfile's `num_ctx`, else as it is loaded, else its default; no call gets more. */
function readOllama(shownValue: unknown, runningValue: unknown, model: string): AskedWindow | undefined {
  const shown = shownSchema.safeParse(shownValue).data;
  const running = runningSchema.safeParse(runningValue).data;
  if (!shown?.model_info && !running) return undefined;
  const isModel = (one: string | undefined): boolean => one === model || one === `${model}:latest`;
  const loaded = running?.models.find((one) => isModel(one.name) || isModel(one.model))?.context_length;
  const set = Number(/^num_ctx\s+(\d+)/mu.exec(shown?.parameters ?? '')?.[1] ?? 0);
  const trained = count.parse(
    Object.entries(shown?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1],
  );
  const given = set > 0 ? set : (loaded ?? OLLAMA_DEFAULT);
  return { tokens: Math.min(given, trained ?? given), trained, unloaded: set === 0 && loaded === undefined };
}

/** As {@link askWindow}: what the model takes, or else what it was trained for. */
export async function windowOfOpenAiModel(
  endpoint: OpenAiEndpoint,
  model: string,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const window = await askWindow(endpoint, model, clock, signal);
  return window?.tokens ?? window?.trained;
}

/** Repeated characters that make a reply of one word nonsense. */
const OF_ONE_WORD = 40;

/** One short call that shows whether a model works at all. @throws the model's typed errors, AbortError */
export async function tryModel(
  model: LanguageModel,
  signal?: AbortSignal,
): Promise<{ reply: string; usage: TokenUsage }> {
  const { text, usage } = await complete(model, [{ role: 'user', content: 'Reply with the single word: ready' }], {
    signal,
    maxTokens: 20,
    deadlineSeconds: SECONDS.trial,
    justification: 'Hoptrail tests the model that you chose with one short call.',
  });
  const reply = withoutThoughts(text, 'removed').trim();
  const nonsense = nonsenseIn(reply, OF_ONE_WORD);
  if (nonsense !== undefined) throw new NonsenseError(model.name, nonsense);
  if (reply === '') throw new EmptyReplyError(model.name, text.trim() === '' ? 'silent' : 'thoughts', usage);
  return { reply, usage };
}
