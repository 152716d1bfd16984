import {
  endpointFetch,
  HoptrailError,
  normalise,
  readAddress,
  readJson,
  redact,
  rememberSecret,
  rememberSecretsOf,
  retryAfter,
  systemClock,
  urlBelow,
  withRetry,
} from '#base';
import { type Embedder, EmbeddingDimensionError, EmbeddingEndpointError } from './embedder.ts';
import { carefulTokenCount } from './token-counter.ts';

interface EndpointEmbedderOptions {
  /** Address up to and including `/v1`. */
  baseUrl: string;
  model: string;
  apiKey?: string;
  fetch?: typeof fetch;
  /** Ends the opening, and the waiting for an endpoint that is slow or silent. */
  signal?: AbortSignal;
  /** Waits; injected so that tests do not. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0..1, for the spread of waiting times. */
  random?: () => number;
  /** Most texts per request; default 64. */
  batchSize?: number;
  /** Milliseconds that a question, and the opening, wait for their vector, all tries together; default 10,000. */
  patience?: number;
}

/**
 * Longest input in tokens that is sent. The protocol does not tell the model's own limit; the usual models take at
 * least this.
 */
export const ENDPOINT_TOKENS = 512;
const RETRIES = { attempts: 5, base: 500, cap: 30_000, longestRetryAfter: 30_000 };
const REQUEST_TIMEOUT_MS = 60_000;
/** A question goes on by words where its vector does not come. */
const PATIENCE_MS = 10_000;

/** Bytes of a reply beside its numbers. */
const FREE_BYTES = 64 * 1024;
/** A number in JSON is no longer. */
const BYTES_PER_NUMBER = 32;
/** Numbers of a vector whose length is not known yet; models have up to some thousand. */
const MOST_DIMENSIONS = 32_768;

/**
 * Embeddings from an OpenAI-compatible `/embeddings` endpoint. Asks once on opening, to learn the vectors' length and
 * to fail early. 408, 409, 429, 5xx and broken connections are tried again, with growing waits or as Retry-After says.
 */
export async function openEndpointEmbedder(options: EndpointEmbedderOptions): Promise<Embedder> {
  const { baseUrl, model, batchSize = 64, patience = PATIENCE_MS } = options;
  const ask = createRequester(options);
  const soon = (signal?: AbortSignal): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]);
  const [probe] = await ask(['ready'], MOST_DIMENSIONS, soon(options.signal));
  const dimensions = probe?.length ?? 0;
  if (dimensions === 0) throw new EmbeddingEndpointError(baseUrl, 'it gave an empty vector');
  let most = batchSize;
  /** In halves where a service refuses that many texts at once; what it takes is remembered. */
  const embed = async (texts: readonly string[], signal?: AbortSignal, size = most): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let i = 0; i < texts.length; i += size) {
      const batch = texts.slice(i, i + size);
      try {
        for (const vector of await ask(batch, dimensions, signal)) {
          if (vector.length !== dimensions) throw new EmbeddingDimensionError(model, dimensions, vector.length);
          vectors.push(normalise(vector));
        }
      } catch (error) {
        if (batch.length === 1 || !isTooMuch(error)) throw error;
        return [...vectors, ...(await embed(texts.slice(i), signal, Math.ceil(batch.length / 2)))];
      }
    }
    if (texts.length > 1) most = Math.min(most, size);
    return vectors;
  };
  return {
    // A password in the address is no part of the name under which vectors are kept.
    id: `${model}@${redact(baseUrl)}/${dimensions}`,
    dimensions,
    maxTokens: ENDPOINT_TOKENS,
    countTokens: carefulTokenCount, // nobody says how the model behind the address counts
    embedPassages: (texts, signal) => embed(texts, signal),
    embedQuery: async (text, signal) => {
      const [vector] = await embed([text], soon(signal));
      if (!vector) throw new EmbeddingEndpointError(baseUrl, 'it gave no vector');
      return vector;
    },
    close: () => Promise.resolve(),
  };
}

/** Asks for the vectors of some texts; a reply may be as long as so many vectors of so many numbers are. */
function createRequester({
  baseUrl,
  model,
  apiKey,
  fetch,
  sleep = systemClock.sleep,
  random = Math.random,
}: EndpointEmbedderOptions): (
  texts: readonly string[],
  dimensions: number,
  signal?: AbortSignal,
) => Promise<Float32Array[]> {
  rememberSecret(apiKey);
  rememberSecretsOf(baseUrl);
  if (!URL.canParse(baseUrl.trim())) throw new EmbeddingEndpointError(baseUrl, 'it is no http address');
  const address = readAddress(baseUrl);
  const url = urlBelow(address, '/embeddings');
  const authorization = address.authorization ?? (apiKey ? `Bearer ${apiKey}` : undefined);

  return async (texts, dimensions, signal = new AbortController().signal) => {
    const replyBytes = FREE_BYTES + texts.length * dimensions * BYTES_PER_NUMBER;
    const request = endpointFetch({ replyBytes, ...(fetch && { fetch }) });
    let asked: number | undefined;
    const attempt = async (): Promise<Float32Array[]> => {
      asked = undefined;
      const response = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      const { status } = response;
      if (response.ok)
        return readVectors(await readJson(response, hostOf(baseUrl), replyBytes), texts.length, baseUrl, status);
      asked = retryAfter(response.headers, Date.now());
      const said = `status ${status} ${(await response.text()).slice(0, 200)}`.trim();
      throw new EmbeddingEndpointError(baseUrl, said, { status });
    };
    try {
      return await withRetry(attempt, {
        policy: RETRIES,
        clock: { now: Date.now, sleep },
        random: () => 0.5 + random() / 2,
        signal,
        left: () => Infinity,
        judge: (error) => ({
          error: failureOf(error, baseUrl),
          retry: !(error instanceof HoptrailError) || isWorthAnotherTry(error),
          ...(asked && { afterMilliseconds: Math.min(RETRIES.cap, asked) }),
        }),
      });
    } catch (error) {
      const reason: unknown = signal.reason;
      if (reason instanceof DOMException && reason.name === 'TimeoutError')
        throw new EmbeddingEndpointError(baseUrl, 'it did not answer in time', { cause: reason });
      signal.throwIfAborted();
      throw error;
    }
  };
}

const failureOf = (error: unknown, baseUrl: string): unknown =>
  error instanceof HoptrailError
    ? error
    : new EmbeddingEndpointError(baseUrl, error instanceof Error ? error.message : String(error), { cause: error });

const isWorthAnotherTry = (error: HoptrailError): boolean =>
  error instanceof EmbeddingEndpointError &&
  error.status !== undefined &&
  ([408, 409, 429].includes(error.status) || error.status >= 500);

/** Services differ in how many texts a request may hold: 10 is the least that is known. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof EmbeddingEndpointError && [400, 413, 422].includes(error.status ?? 0);

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : redact(address));

/** Vectors in the order of the texts, whatever order the reply has them in. */
function readVectors(reply: unknown, count: number, baseUrl: string, status: number): Float32Array[] {
  const data = (reply as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count)
    throw new EmbeddingEndpointError(baseUrl, `its reply holds no ${count} embeddings`, { status });
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  data.forEach((item: { index?: unknown; embedding?: unknown } | null, position) => {
    const index = typeof item?.index === 'number' ? item.index : position;
    if (!Array.isArray(item?.embedding) || !item.embedding.every(Number.isFinite)) {
      throw new EmbeddingEndpointError(baseUrl, 'an embedding in its reply is not a list of numbers', { status });
    }
    vectors[index] = Float32Array.from(item.embedding as number[]);
  });
  return vectors.map((vector) => {
    if (!vector) throw new EmbeddingEndpointError(baseUrl, 'its reply leaves out an embedding', { status });
    return vector;
  });
}
