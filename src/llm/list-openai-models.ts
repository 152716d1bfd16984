import { z } from 'zod';
import { readJson } from '../endpoint/read-json.ts';
import { throwIfAborted, unlessAborted } from './abort.ts';
import { systemClock, type Clock } from './clock.ts';
import { startDeadline } from './deadline.ts';
import { ModelTimeoutError, UnreachableError } from './errors.ts';
import { openAiClient, parseBaseUrl, type OpenAiEndpoint } from './openai-client.ts';
import { judgeOpenAiFailure } from './openai-failure.ts';
import { WHOLE_REPLY_BYTES } from './reply-limits.ts';

/** A model that an endpoint offers. */
export interface OfferedModel {
  id: string;
  /** Where the server says it: vLLM, LM Studio, llama.cpp, OpenRouter do, each under its own name. */
  contextTokens?: number;
}

const SECONDS = 15;
/** Models listed beside chat models that cannot chat. */
const NO_CHAT = /embed|whisper|tts|dall-e|moderation|rerank|transcribe|image|(^|[/-])(bge|e5|gte)-/i;

const count = z.number().int().positive().optional().catch(undefined);
const entrySchema = z.object({
  id: z.string().min(1),
  max_model_len: count,
  context_length: count,
  max_context_length: count,
  context_window: count,
  meta: z.object({ n_ctx: count, n_ctx_train: count }).nullish().catch(null),
});
const listSchema = z.object({ data: z.array(z.unknown()) });

/** Chat models that an endpoint lists under `/models`, by name. Typed errors as for a call; an endpoint without a list is unreachable. */
export async function listOpenAiModels(endpoint: OpenAiEndpoint, signal?: AbortSignal, clock: Clock = systemClock): Promise<OfferedModel[]> {
  throwIfAborted(signal);
  const { baseUrl, host } = parseBaseUrl(endpoint.baseUrl);
  const deadline = startDeadline(clock, SECONDS, signal);
  let keyed = false;
  try {
    const connection = await unlessAborted(openAiClient({ ...endpoint, baseUrl }, WHOLE_REPLY_BYTES), deadline.signal);
    keyed = connection.keyed;
    const reading = connection.client.models.list({ signal: deadline.signal }).asResponse().then((response) => readJson(response, host, WHOLE_REPLY_BYTES));
    const list = listSchema.safeParse(await unlessAborted(reading, deadline.signal));
    if (!list.success) throw new UnreachableError(`${host} has no list of models.`, { cause: list.error, advice: 'Check the address; most servers want it to end in /v1.' });
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
  const model = entrySchema.safeParse(entry).data;
  if (!model || NO_CHAT.test(model.id)) return [];
  const contextTokens = model.meta?.n_ctx ?? model.max_model_len ?? model.context_length ?? model.max_context_length ?? model.context_window ?? model.meta?.n_ctx_train;
  return [contextTokens === undefined ? { id: model.id } : { id: model.id, contextTokens }];
}
