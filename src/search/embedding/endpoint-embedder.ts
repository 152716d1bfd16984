import {
  endpointFetch,
  HoptrailError,
  normalise,
  readJson,
  redact,
  rememberSecret,
  rememberSecretsOf,
  retryAfter,
  systemClock,
  withoutTrailingSlashes,
} from '#base';
import { type Embedder, EmbeddingDimensionError, EmbeddingEndpointError } from './embedder.ts';
import { carefulTokenCount } from './token-counter.ts';

interface EndpointEmbedderOptions {
  /** Address up to and including `/v1`. */
  baseUrl: string;
  model: string;
  apiKey?: string;
  fetch?: typeof fetch;
  /** Waits; injected so that tests do not. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0..1, for the spread of waiting times. */
  random?: () => number;
  /** Texts per request; default 64. */
  batchSize?: number;
}

/**
 * Longest input in tokens that is sent. The protocol does not tell the model's own limit; the usual models take at
 * least this.
 */
const MAX_TOKENS = 512;
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 60_000;

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
  const ask = createRequester(options);
  const [probe] = await ask(['ready'], MOST_DIMENSIONS);
  const dimensions = probe?.length ?? 0;
  if (dimensions === 0) throw new EmbeddingEndpointError(options.baseUrl, 'it gave an empty vector');
  const batchSize = options.batchSize ?? 64;
  const embed = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let i = 0; i < texts.length; i += batchSize) {
      for (const vector of await ask(texts.slice(i, i + batchSize), dimensions, signal)) {
        if (vector.length !== dimensions) throw new EmbeddingDimensionError(options.model, dimensions, vector.length);
        vectors.push(normalise(vector));
      }
    }
    return vectors;
  };
  return {
    // A password in the address is no part of the name under which vectors are kept.
    id: `${options.model}@${redact(options.baseUrl)}/${dimensions}`,
    dimensions,
    maxTokens: MAX_TOKENS,
    countTokens: carefulTokenCount, // nobody says how the model behind the address counts
    embedPassages: embed,
    embedQuery: async (text, signal) => {
      const [vector] = await embed([text], signal);
      if (!vector) throw new EmbeddingEndpointError(options.baseUrl, 'it gave no vector');
      return vector;
    },
    close: () => Promise.resolve(),
  };
}

/** Asks for the vectors of some texts; a reply may be as long as so many vectors of so many numbers are. */
function createRequester(
  options: EndpointEmbedderOptions,
): (texts: readonly string[], dimensions: number, signal?: AbortSignal) => Promise<Float32Array[]> {
  const { baseUrl, model, apiKey } = options;
  const sleep = options.sleep ?? systemClock.sleep;
  const random = options.random ?? Math.random;
  const url = `${withoutTrailingSlashes(baseUrl)}/embeddings`;
  rememberSecret(apiKey);
  rememberSecretsOf(baseUrl);

  return async (texts, dimensions, signal) => {
    const replyBytes = FREE_BYTES + texts.length * dimensions * BYTES_PER_NUMBER;
    const request = endpointFetch({ replyBytes, ...(options.fetch && { fetch: options.fetch }) });
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float' });
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      let failure: EmbeddingEndpointError;
      let waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + random() / 2);
      try {
        const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
        const response = await request(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
          body,
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        if (response.ok)
          return readVectors(
            await readJson(response, hostOf(baseUrl), replyBytes),
            texts.length,
            baseUrl,
            response.status,
          );
        failure = new EmbeddingEndpointError(
          baseUrl,
          `status ${response.status} ${(await response.text()).slice(0, 200)}`.trim(),
          { status: response.status },
        );
        if (![408, 409, 429].includes(response.status) && response.status < 500) throw failure;
        const asked = retryAfter(response.headers, Date.now());
        if (asked) waitMs = Math.min(LONGEST_WAIT_MS, asked);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof HoptrailError) throw error;
        failure = new EmbeddingEndpointError(baseUrl, error instanceof Error ? error.message : String(error), {
          cause: error,
        });
      }
      if (attempt >= ATTEMPTS) throw failure;
      await sleep(waitMs, signal);
    }
  };
}

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
