import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, hashOf, makeFolder, redact, replaceFile } from '#base';
import type { EmbedderChoice } from '../indexer/index-service.ts';
import { type Embedder, EmbeddingDimensionError, EmbeddingEndpointError } from './embedder.ts';
import { ENDPOINT_TOKENS, openEndpointEmbedder } from './endpoint-embedder.ts';
import { carefulTokenCount } from './token-counter.ts';

type Endpoint = Extract<EmbedderChoice, { kind: 'endpoint' }>;

/** Milliseconds that a question waits for an endpoint. Then it goes on by words. */
const QUESTION_MS = 5_000;

/**
 * Opens an endpoint for embeddings. One that does not answer now is opened all the same if it has answered before: its
 * index can be searched by words, and vectors follow once it is back.
 * @throws EmbeddingEndpointError
 */
export async function openPatiently(
  choice: Endpoint,
  open: (choice: Endpoint) => Promise<Embedder> = openEndpointEmbedder,
  cache = cacheFolder(),
): Promise<Embedder> {
  const name = `${choice.model}@${redact(choice.baseUrl)}`;
  const note = join(cache, `embedder-${hashOf(name, 16)}.json`);
  try {
    const embedder = await open(choice);
    await makeFolder(cache)
      .then(() => replaceFile(note, JSON.stringify({ dimensions: embedder.dimensions }), 0o600))
      .catch(() => undefined); // only the next silence is met less well
    return answeringInTime(embedder);
  } catch (error) {
    const dimensions = await noted(note);
    const isSilent = error instanceof EmbeddingEndpointError && error.status === undefined;
    if (!isSilent || dimensions === undefined) throw error;
    return answeringInTime(openedLater(choice, name, dimensions, open));
  }
}

function openedLater(
  choice: Endpoint,
  name: string,
  dimensions: number,
  open: (choice: Endpoint) => Promise<Embedder>,
): Embedder {
  let opening: Promise<Embedder> | undefined;
  const opened = (): Promise<Embedder> => {
    opening ??= open(choice).then((embedder) => {
      if (embedder.dimensions === dimensions) return embedder;
      throw new EmbeddingDimensionError(name, dimensions, embedder.dimensions);
    });
    opening.catch(() => (opening = undefined)); // the next who asks tries again
    return opening;
  };
  return {
    id: `${name}/${dimensions}`,
    dimensions,
    maxTokens: ENDPOINT_TOKENS,
    countTokens: carefulTokenCount,
    embedPassages: async (...asked) => (await opened()).embedPassages(...asked),
    embedQuery: async (...asked) => (await opened()).embedQuery(...asked),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}

/**
 * Whoever waits gets a vector in time, or one of zeros, to which nothing is near: search goes on by words. Texts of the
 * index wait as long as it takes.
 */
function answeringInTime(embedder: Embedder): Embedder {
  const zeros = (): Float32Array => new Float32Array(embedder.dimensions);
  const inTime = async <T>(
    work: (signal: AbortSignal) => Promise<T>,
    otherwise: T,
    signal?: AbortSignal,
  ): Promise<T> => {
    const late = AbortSignal.timeout(QUESTION_MS);
    try {
      return await work(signal ? AbortSignal.any([signal, late]) : late);
    } catch (error) {
      signal?.throwIfAborted();
      if (late.aborted || (error instanceof EmbeddingEndpointError && error.status === undefined)) return otherwise;
      throw error;
    }
  };
  return {
    ...embedder,
    embedQuery: (text, signal) => inTime((stop) => embedder.embedQuery(text, stop), zeros(), signal),
    embedPassages: (texts, signal, awaited) =>
      awaited
        ? inTime((stop) => embedder.embedPassages(texts, stop), texts.map(zeros), signal)
        : embedder.embedPassages(texts, signal),
  };
}

async function noted(note: string): Promise<number | undefined> {
  try {
    const { dimensions } = JSON.parse(await readFile(note, 'utf8')) as { dimensions?: unknown };
    return typeof dimensions === 'number' && dimensions > 0 ? dimensions : undefined;
  } catch {
    return undefined; // it has never answered here
  }
}
