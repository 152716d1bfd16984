import { z } from 'zod';
import { type Clock, readJson, startDeadline, systemClock, throwIfAborted, unlessAborted } from '#base';
import { askWindow, readListed } from './ask-window.ts';
import { BadReplyError, ModelTimeoutError, NonsenseError, UnreachableError } from './errors.ts';
import { nonsenseIn } from './nonsense.ts';
import { openAiClient, type OpenAiEndpoint, parseBaseUrl } from './openai-client.ts';
import { judgeOpenAiFailure } from './openai-failure.ts';
import { WHOLE_REPLY_BYTES, complete } from './complete.ts';
import { withoutThoughts } from './thoughts.ts';
import type { LanguageModel, TokenUsage } from './language-model.ts';

/** A model that an endpoint offers. */
interface OfferedModel {
  id: string;
  /** Where the server says it: vLLM, LM Studio, llama.cpp, OpenRouter do, each under its own name. */
  contextTokens?: number;
}

const SECONDS = 15;
/** Models listed beside chat models that cannot chat. */
const NO_CHAT = /embed|whisper|tts|dall-e|moderation|rerank|transcribe|image|(^|[/-])(bge|e5|gte)-/i;

const listSchema = z.object({ data: z.array(z.unknown()) });

/**
 * Chat models that an endpoint lists under `/models`, by name. Typed errors as for a call; an endpoint without a list
 * is unreachable.
 */
export async function listOpenAiModels(
  endpoint: OpenAiEndpoint,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<OfferedModel[]> {
  throwIfAborted(signal);
  const { baseUrl, host } = parseBaseUrl(endpoint.baseUrl);
  const deadline = startDeadline(clock, SECONDS, signal);
  let keyed = false;
  try {
    const connection = await unlessAborted(openAiClient({ ...endpoint, baseUrl }, WHOLE_REPLY_BYTES), deadline.signal);
    keyed = connection.keyed;
    const reading = connection.client.models
      .list({ signal: deadline.signal })
      .asResponse()
      .then((response) => readJson(response, host, WHOLE_REPLY_BYTES));
    const list = listSchema.safeParse(await unlessAborted(reading, deadline.signal));
    if (!list.success)
      throw new UnreachableError(`${host} has no list of models.`, {
        cause: list.error,
        advice: 'Check the address; most servers want it to end in /v1.',
      });
    return list.data.data.flatMap((entry) => offered(entry)).sort((a, b) => a.id.localeCompare(b.id));
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

/**
 * What a model takes, also where the server tells it only in its own words (Ollama, LM Studio). Never rejects;
 * undefined: the server does not say, or not in time.
 */
export async function windowOfOpenAiModel(
  endpoint: OpenAiEndpoint,
  model: string,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const { baseUrl } = parseBaseUrl(endpoint.baseUrl);
  const window = await askWindow({ ...endpoint, baseUrl }, model, clock, signal);
  return window?.tokens ?? window?.trained;
}

const TRIAL_SECONDS = 60;
/** So many characters of one sign are none of a reply that is to be one word. */
const OF_ONE_WORD = 40;

/**
 * One short call that shows whether a chosen model works at all. @throws the model's typed errors, BadReplyError on
 * silence, NonsenseError, AbortError.
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
  if (reply === '')
    throw new BadReplyError(model.name, 'reply', { reply: text, problem: 'it said nothing.', usage, calls: 1 });
  return { reply, usage };
}
