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
   * JavaScript file to start a thread from, which must call runModelThread() there. Left out, the model runs in the
   * calling thread and blocks it during each inference: good for scripts.
   */
  workerFile?: string;
  workerExecArgv?: string[];
  /** Nice value of the thread; default 10. */
  niceness?: number;
}

/** Opens a local ONNX model as an embedder. Throws EmbeddingModelError. */
export async function openOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const model = await readModelFolder(options.folder);
  const countTokens = openTokenCounter(options.folder);
  const { threads = 2, niceness = 10, workerFile, workerExecArgv } = options;
  const session: ModelSession<string, Float32Array> =
    workerFile === undefined
      ? await (await import('./onnx-session.ts')).openOnnxSession(model, threads)
      : await openModelThread({ role: 'embedding', model, threads, niceness }, { workerFile, workerExecArgv });
  const queue = new EmbeddingQueue((text) => session.run(text));
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
      await session.close();
    },
  };
}
