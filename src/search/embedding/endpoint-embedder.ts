import {
  endpointFetch,
  HoptrailError,
  normalise,
  type ProxySettings,
  readAddress,
  readJson,
  redact,
  rememberSecret,
  rememberSecretsOf,
  retryAfter,
  systemClock,
  urlBelow,
} from '#base';
import { type Embedder, EmbeddingDimensionError, EmbeddingEndpointError } from './embedder.ts';
import { carefulTokenCount } from './token-counter.ts';

interface EndpointEmbedderOptions {
  /** Address up to and including `/v1`. */
  baseUrl: string;
  model: string;
  apiKey?: string;
  fetch?: typeof fetch;
  /** Goes before the environment's. */
  proxy?: ProxySettings;
  /** Ends the opening, and the waiting for an endpoint that is slow or silent. */
  signal?: AbortSignal;
  /** Waits; injected so that tests do not. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0..1, for the spread of waiting times. */
  random?: () => number;
  /** Texts per request; default 64. */
  batchSize?: number;
  /** Milliseconds that a question, and the opening, wait for their vector, all tries together; default 10,000. */
  patience?: number;
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
  const ask = createRequester(options);
  const soon = (signal?: AbortSignal): AbortSignal[] => [
    AbortSignal.timeout(options.patience ?? PATIENCE_MS),
    ...(signal ? [signal] : []),
  ];
  const [probe] = await ask(['ready'], MOST_DIMENSIONS, soon(options.signal));
  const dimensions = probe?.length ?? 0;
  if (dimensions === 0) throw new EmbeddingEndpointError(options.baseUrl, 'it gave an empty vector');
  const batchSize = options.batchSize ?? 64;
  const embed = async (texts: readonly string[], signals: readonly AbortSignal[]): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let i = 0; i < texts.length; i += batchSize) {
      for (const vector of await ask(texts.slice(i, i + batchSize), dimensions, signals)) {
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
    embedPassages: (texts, signal) => embed(texts, signal ? [signal] : []),
    embedQuery: async (text, signal) => {
      const [vector] = await embed([text], soon(signal));
      if (!vector) throw new EmbeddingEndpointError(options.baseUrl, 'it gave no vector');
      return vector;
    },
    close: () => Promise.resolve(),
  };
}

/** Asks for the vectors of some texts; a reply may be as long as so many vectors of so many numbers are. */
function createRequester(
  options: EndpointEmbedderOptions,
): (texts: readonly string[], dimensions: number, signals: readonly AbortSignal[]) => Promise<Float32Array[]> {
  const { baseUrl, model, apiKey } = options;
  const sleep = options.sleep ?? systemClock.sleep;
  const random = options.random ?? Math.random;
  rememberSecret(apiKey);
  rememberSecretsOf(baseUrl);
  const { url, authorization } = addressOf(baseUrl);
  const authorised = authorization ?? (apiKey ? `Bearer ${apiKey}` : undefined);

  return async (texts, dimensions, signals) => {
    const signal = AbortSignal.any([...signals]);
    const replyBytes = FREE_BYTES + texts.length * dimensions * BYTES_PER_NUMBER;
    const request = endpointFetch({
      replyBytes,
      ...(options.fetch && { fetch: options.fetch }),
      ...(options.proxy && { proxy: options.proxy }),
    });
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float' });
    for (let attempt = 1; ; attempt++) {
      throwIfOver(signal, baseUrl);
      let failure: EmbeddingEndpointError;
      let waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + random() / 2);
      try {
        const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
        const response = await request(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(authorised && { authorization: authorised }) },
          body,
          signal: AbortSignal.any([signal, timeout]),
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
        throwIfOver(signal, baseUrl);
        if (error instanceof HoptrailError) throw error;
        failure = new EmbeddingEndpointError(baseUrl, error instanceof Error ? error.message : String(error), {
          cause: error,
        });
      }
      if (attempt >= ATTEMPTS) throw failure;
      await sleep(waitMs, signal).catch((error: unknown) => {
        throwIfOver(signal, baseUrl);
        throw error;
      });
    }
  };
}

/** @throws EmbeddingEndpointError where the address is none */
function addressOf(baseUrl: string): { url: string; authorization?: string } {
  if (!URL.canParse(baseUrl.trim())) throw new EmbeddingEndpointError(baseUrl, 'it is no http address');
  const address = readAddress(baseUrl);
  return { ...address, url: urlBelow(address, '/embeddings') };
}

/** @throws EmbeddingEndpointError when the patience is over; what the caller's signal says when it is aborted */
function throwIfOver(signal: AbortSignal, baseUrl: string): void {
  const reason: unknown = signal.reason;
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    throw new EmbeddingEndpointError(baseUrl, 'it did not answer in time', { cause: reason });
  signal.throwIfAborted();
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
