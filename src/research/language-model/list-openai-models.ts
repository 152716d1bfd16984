import { z } from 'zod';
import { type Clock, startDeadline, systemClock, throwIfAborted, unlessAborted } from '#base';
import { askWindow, readListed } from './ask-window.ts';
import { EmptyReplyError, ModelTimeoutError, NonsenseError, UnreachableError } from './errors.ts';
import { nonsenseIn } from './nonsense.ts';
import { askJson, atAnsweringUrl, openAiClient, type OpenAiEndpoint, parseBaseUrl } from './openai-client.ts';
import { judgeOpenAiFailure } from './openai-failure.ts';
import { WHOLE_REPLY_BYTES, complete } from './complete.ts';
import { withoutThoughts } from './thoughts.ts';
import type { LanguageModel, TokenUsage } from './language-model.ts';

interface OfferedModel {
  id: string;
  /** undefined: the server does not say. */
  contextTokens?: number;
}

const SECONDS = 15;
/** Models listed beside chat models that cannot chat. */
const NO_CHAT = /embed|whisper|tts|dall-e|moderation|rerank|transcribe|image|(^|[/-])(bge|e5|gte)-/i;

const listSchema = z.object({ data: z.array(z.unknown()) });

/** Chat models that an endpoint lists under `/models`, by name. @throws the typed errors of a call */
export async function listOpenAiModels(
  endpoint: OpenAiEndpoint,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<OfferedModel[]> {
  throwIfAborted(signal);
  const { host } = parseBaseUrl(endpoint.baseUrl);
  const deadline = startDeadline(clock, SECONDS, signal);
  let keyed = false;
  const read = async (baseUrl: string): Promise<unknown[]> => {
    const connection = await openAiClient(endpoint, WHOLE_REPLY_BYTES, baseUrl);
    keyed = connection.keyed;
    const list = listSchema.safeParse(await askJson(connection.client, '/models', deadline.signal));
    if (!list.success) throw new UnreachableError({ what: 'no-list', endpoint: host }, { cause: list.error });
    return list.data.data;
  };
  try {
    const list = await unlessAborted(atAnsweringUrl(endpoint.baseUrl, read), deadline.signal);
    return list.flatMap((entry) => offered(entry)).sort((a, b) => a.id.localeCompare(b.id));
  } catch (error) {
    throwIfAborted(signal);
    if (deadline.passed()) throw new ModelTimeoutError(host, SECONDS, { cause: error });
    throw judgeOpenAiFailure(error, { endpoint: host, model: 'models', keyed, now: clock.now() }).error;
  } finally {
    deadline.end();
  }
}

function offered(entry: unknown): OfferedModel[] {
  const model = readListed(entry);
  if (!model || NO_CHAT.test(model.id)) return [];
  const contextTokens = model.tokens ?? model.trained;
  return [contextTokens === undefined ? { id: model.id } : { id: model.id, contextTokens }];
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

const TRIAL_SECONDS = 60;
/** Repeated characters that make a reply of one word nonsense. */
const OF_ONE_WORD = 40;

/**
 * One short call that shows whether a chosen model works at all. @throws the model's typed errors, EmptyReplyError,
 * NonsenseError, AbortError.
 */
export async function tryModel(
  model: LanguageModel,
  signal?: AbortSignal,
): Promise<{ reply: string; usage: TokenUsage }> {
  const { text, usage } = await complete(model, [{ role: 'user', content: 'Reply with the single word: ready' }], {
    signal,
    maxTokens: 20,
    deadlineSeconds: TRIAL_SECONDS,
    justification: 'Hoptrail tests the model that you chose with one short call.',
  });
  const reply = withoutThoughts(text, 'removed').trim();
  const nonsense = nonsenseIn(reply, OF_ONE_WORD);
  if (nonsense !== undefined) throw new NonsenseError(model.name, nonsense);
  if (reply === '') throw new EmptyReplyError(model.name, text.trim() === '' ? 'silent' : 'thoughts', usage);
  return { reply, usage };
}
