import type { Embedder } from './embedder.ts';
import { EmbeddingModelError } from './embedding-errors.ts';
import { EmbeddingQueue } from './embedding-queue.ts';
import { openModelThread } from './model-thread.ts';
import type { ModelSession } from './model-thread-messages.ts';
import { readModelFolder } from './onnx-model-folder.ts';
import { openTokenCounter } from './token-counter.ts';

export interface OnnxEmbedderOptions {
  /** Folder of the model in transformers.js layout. */
  folder: string;
  /** Identifies the bundled model; a user's folder is identified by its content. */
  id?: string;
  /** Threads of one inference; default 2. */
  threads?: number;
  /**
   * JavaScript file to start a thread from: `run-model-thread.ts`, built. Left out, the model runs in the calling thread
   * and blocks it during each inference: good for scripts.
   */
  workerFile?: string;
  workerExecArgv?: string[];
  /** Nice value of the thread; default 10. */
  niceness?: number;
}

/**
 * Opens a local ONNX model as an embedder. Its network is loaded meanwhile: what keeps it from loading is told to whoever
 * wants a vector. Throws EmbeddingModelError.
 */
export async function openOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const model = await readModelFolder(options.folder);
  const countTokens = openTokenCounter(options.folder);
  const { threads = 2, niceness = 10, workerFile, workerExecArgv } = options;
  const loading: Promise<ModelSession<string, Float32Array>> =
    workerFile === undefined
      ? import('./onnx-session.ts').then(({ openOnnxSession }) => openOnnxSession(model, threads))
      : openModelThread({ role: 'embedding', model, threads, niceness }, { workerFile, workerExecArgv });
  loading.catch(() => undefined); // told to whoever wants a vector
  const queue = new EmbeddingQueue(async (text) => (await loading).run(text));
  return {
    id: options.id ?? model.id,
    dimensions: model.dimensions,
    maxTokens: model.maxTokens,
    ...(model.language && { language: model.language }),
    countTokens,
    embedPassages: (texts, signal, awaited) =>
      queue.passagesOf(
        texts.map((text) => model.passagePrefix + text),
        signal,
        awaited,
      ),
    embedQuery: (text, signal) => queue.query(model.queryPrefix + text, signal),
    close: async () => {
      await queue.close(new EmbeddingModelError(model.folder, 'it was closed'));
      const session = await loading.catch(() => undefined);
      await session?.close();
    },
  };
}
