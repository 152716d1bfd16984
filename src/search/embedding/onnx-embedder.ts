import { Worker } from 'node:worker_threads';
import type { Embedder } from './embedder.ts';
import { EmbeddingModelError } from './embedding-errors.ts';
import { EmbeddingQueue, type EmbedOne } from './embedding-queue.ts';
import { readModelFolder, type OnnxModelFolder } from './onnx-model-folder.ts';
import type { FromOnnxWorker, OnnxWorkerData, ToOnnxWorker } from './onnx-worker-messages.ts';
import { openTokenCounter } from './token-counter.ts';

export interface OnnxEmbedderOptions {
  /** Folder of the model in transformers.js layout. */
  folder: string;
  /** Identifies the bundled model; a user's folder is identified by its content. */
  id?: string;
  /** Threads of one inference; default 2. */
  threads?: number;
  /**
   * JavaScript file to start a thread from, which must call runOnnxWorker() there. Left out, the model runs in the
   * calling thread and blocks it during each inference: good for scripts.
   */
  workerFile?: string;
  workerExecArgv?: string[];
  /** Nice value of the thread; default 10. */
  niceness?: number;
}

interface Runner {
  embed: EmbedOne;
  close(): Promise<void>;
}

/** Opens a local ONNX model as an embedder. Throws EmbeddingModelError. */
export async function openOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const model = await readModelFolder(options.folder);
  const countTokens = openTokenCounter(options.folder);
  const runner =
    options.workerFile === undefined
      ? await runHere(model, options.threads ?? 2)
      : await runInThread(model, options.workerFile, options);
  const queue = new EmbeddingQueue(runner.embed);
  return {
    id: options.id ?? model.id,
    dimensions: model.dimensions,
    maxTokens: model.maxTokens,
    countTokens,
    embedPassages: (texts, signal) =>
      queue.passagesOf(
        texts.map((text) => model.passagePrefix + text),
        signal,
      ),
    embedQuery: (text, signal) => queue.query(model.queryPrefix + text, signal),
    close: async () => {
      await queue.close(new EmbeddingModelError(model.folder, 'it was closed'));
      await runner.close();
    },
  };
}

async function runHere(model: OnnxModelFolder, threads: number): Promise<Runner> {
  const { openOnnxSession } = await import('./onnx-worker.ts');
  return openOnnxSession(model, threads);
}

/** A thread of its own for the model. Vectors come back in any order; each is matched by its number. */
async function runInThread(model: OnnxModelFolder, file: string, options: OnnxEmbedderOptions): Promise<Runner> {
  const workerData: OnnxWorkerData = {
    role: 'embedding',
    model,
    threads: options.threads ?? 2,
    niceness: options.niceness ?? 10,
  };
  const worker = new Worker(file, { workerData, execArgv: options.workerExecArgv });
  const waiting = new Map<number, { resolve: (vector: Float32Array) => void; reject: (error: Error) => void }>();
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  let dead: Error | undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (detail: string, cause?: unknown): void => {
      dead = new EmbeddingModelError(model.folder, detail, cause);
      failAll(dead);
      reject(dead);
    };
    worker.on('message', (message: FromOnnxWorker) => {
      switch (message.type) {
        case 'ready':
          return resolve();
        case 'failed':
          return fail(message.message);
        case 'vector':
          waiting.get(message.id)?.resolve(message.vector);
          waiting.delete(message.id);
          return;
        case 'error':
          waiting.get(message.id)?.reject(new EmbeddingModelError(model.folder, message.message));
          waiting.delete(message.id);
          return;
      }
    });
    worker.on('error', (error) => fail(error.message, error));
    worker.on('exit', (code) => fail(`its thread ended (code ${code})`));
  });
  const send = (message: ToOnnxWorker): void => worker.postMessage(message);
  let next = 0;
  return {
    embed: (text) =>
      new Promise((resolve, reject) => {
        if (dead) return reject(dead);
        const id = ++next;
        waiting.set(id, { resolve, reject });
        send({ type: 'embed', id, text });
      }),
    close: async () => {
      if (dead) return;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      send({ type: 'close' });
      await ended;
    },
  };
}
