import { totalmem } from 'node:os';
import path from 'node:path';
import type { EmbedderChoice } from '../indexer/index-service.ts';
import { type Embedder, EmbeddingModelError } from './embedder.ts';
import { openEndpointEmbedder } from './endpoint-embedder.ts';
import { EmbeddingQueue } from './embedding-queue.ts';
import { openModelThread } from './model-thread.ts';
import type { ModelSession } from './model-thread-messages.ts';
import { readModelFolder } from './onnx-model-folder.ts';
import { openTokenCounter } from './token-counter.ts';

/** Folder of the bundled model inside the models folder. */
export const BUNDLED_MODEL = 'Xenova/bge-small-en-v1.5';
/** Id of the bundled model: what its index is told apart by. */
export const BUNDLED_EMBEDDER_ID = 'bge-small-en-v1.5/q8/cls';

/** Memory of a machine, bytes, on which the bundled model is loaded twice: a copy takes 150 MB. */
const MEMORY_FOR_TWO = 6e9;

export interface OpenEmbedderOptions {
  /** Folder that holds the bundled model. */
  modelsDir: string;
  /** See OnnxEmbedderOptions. */
  workerFile?: string;
  workerExecArgv?: string[];
  threads?: number;
  copies?: number;
}

/** Opens the embedder that a user chose. Throws EmbeddingModelError or EmbeddingEndpointError. */
export function openEmbedder(choice: EmbedderChoice, options: OpenEmbedderOptions): Promise<Embedder> {
  const { modelsDir, ...onnx } = options;
  switch (choice.kind) {
    case 'bundled':
      return openOnnxEmbedder({
        copies: totalmem() < MEMORY_FOR_TWO ? 1 : 2,
        ...onnx,
        folder: path.join(modelsDir, BUNDLED_MODEL),
        id: BUNDLED_EMBEDDER_ID,
      });
    case 'folder':
      return openOnnxEmbedder({ ...onnx, folder: path.resolve(choice.path) });
    case 'endpoint':
      return openEndpointEmbedder({ baseUrl: choice.baseUrl, model: choice.model, apiKey: choice.apiKey });
  }
}

export interface OnnxEmbedderOptions {
  /** Folder of the model in transformers.js layout. */
  folder: string;
  /** Identifies the bundled model; a user's folder is identified by its content. */
  id?: string;
  /** Threads that embed; default 2. */
  threads?: number;
  /**
   * Copies of the model that share these threads, where the model runs in threads of its own; default 1. Two texts at
   * once, by a copy each, take less time and work than one after the other by two threads, and as much memory again.
   */
  copies?: number;
  /**
   * JavaScript file to start a thread from: `run-model-thread.ts`, built. Left out, the model runs in the calling
   * thread and blocks it during each inference: good for scripts.
   */
  workerFile?: string;
  workerExecArgv?: string[];
  /** Nice value of the thread; default 10. */
  niceness?: number;
}

/**
 * Opens a local ONNX model as an embedder. Its network is loaded meanwhile: what keeps it from loading is told to
 * whoever wants a vector. Throws EmbeddingModelError.
 */
export async function openOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const model = await readModelFolder(options.folder);
  const countTokens = openTokenCounter(options.folder);
  const { threads = 2, copies = 1, niceness = 10, workerFile, workerExecArgv } = options;
  const data = { role: 'embedding', model, threads: Math.ceil(threads / copies), niceness } as const;
  const loading: Promise<ModelSession<string, Float32Array>>[] =
    workerFile === undefined
      ? [import('./onnx-session.ts').then(({ openOnnxSession }) => openOnnxSession(model, threads))]
      : Array.from({ length: copies }, () => openModelThread(data, { workerFile, workerExecArgv }));
  const queue = new EmbeddingQueue();
  for (const copy of loading)
    copy.then(
      (session) => queue.add((text) => session.run(text)),
      () => undefined, // told below, where no other is there
    );
  Promise.any(loading).catch(({ errors: [first] }: AggregateError) => queue.close(first as Error));
  return {
    id: options.id ?? model.id,
    dimensions: model.dimensions,
    maxTokens: model.maxTokens,
    ...(model.language && { language: model.language }),
    countTokens,
    embedPassages: (texts, signal, awaited = false) => {
      const asRead = texts.map((text) => model.passagePrefix + text);
      return awaited ? queue.awaitedOf(asRead, signal) : queue.passagesOf(asRead, signal);
    },
    embedQuery: (text, signal) => queue.query(model.queryPrefix + text, signal),
    close: async () => {
      await queue.close(new EmbeddingModelError(model.folder, 'it was closed'));
      for (const copy of await Promise.allSettled(loading)) if (copy.status === 'fulfilled') await copy.value.close();
    },
  };
}
