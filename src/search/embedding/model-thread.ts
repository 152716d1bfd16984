import { Worker } from 'node:worker_threads';
import { EmbeddingModelError } from './embedder.ts';
import type { FromModelThread, ModelSession, ModelThreadData, ToModelThread } from './model-thread-messages.ts';

/** Where threads are started from. */
export interface ThreadEntry {
  /** `run-model-thread.ts`, built. */
  workerFile: string;
}

/** A thread that has ended so often in a row, and gave no output meanwhile, is not started again. */
const MOST_ENDS = 4;

type Thread<Input, Output> = Required<ModelSession<Input, Output>>;

/**
 * A thread of its own for a network, started again where it has ended by what waits in it, or by the next input. Types
 * are those of the network of `data.role`. @throws EmbeddingModelError
 */
export async function openModelThread<Input, Output>(
  data: ModelThreadData,
  entry: ThreadEntry,
): Promise<Thread<Input, Output>> {
  let thread = await startThread<Input, Output>(data, entry);
  let starting: Promise<void> | undefined;
  let ends = 0;
  const ended = new AbortController();
  const startAgain = async (): Promise<void> => {
    try {
      if (++ends === MOST_ENDS) throw thread.ended.reason;
      thread = await startThread(data, entry);
    } catch (error) {
      ended.abort(error);
      throw error;
    }
  };
  const run = async (input: Input, isLast = false): Promise<Output> => {
    ended.signal.throwIfAborted();
    if (thread.ended.aborted) await (starting ??= startAgain().finally(() => (starting = undefined)));
    const used = thread;
    try {
      const output = await used.run(input);
      ends = 0;
      return output;
    } catch (error) {
      // Of all that waits in a thread that ends, one input may have ended it: each is given to the next thread, once.
      if (isLast || ended.signal.aborted || error !== used.ended.reason) throw error;
      return run(input, true);
    }
  };
  return {
    run: (input) => run(input),
    close: async () => {
      ended.abort(thread.ended.reason ?? new EmbeddingModelError(folderOf(data), 'it was closed'));
      await starting?.catch(() => undefined);
      await thread.close();
    },
    ended: ended.signal,
  };
}

const folderOf = (data: ModelThreadData): string => (data.role === 'embedding' ? data.model.folder : data.folder);

/** Outputs come back in any order; each is matched by its number. */
async function startThread<Input, Output>(
  data: ModelThreadData,
  { workerFile }: ThreadEntry,
): Promise<Thread<Input, Output>> {
  const folder = folderOf(data);
  const worker = new Worker(workerFile, { workerData: data });
  const waiting = new Map<number, { resolve: (output: Output) => void; reject: (error: Error) => void }>();
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const ended = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const fail = (detail: string, cause?: unknown): void => {
      const error = new EmbeddingModelError(folder, detail, cause);
      ended.abort(error); // its first reason stays: an exit follows what went wrong
      failAll(error);
      reject(error);
    };
    worker.on('message', (message: FromModelThread) => {
      switch (message.type) {
        case 'ready':
          return resolve();
        case 'failed':
          return fail(message.message);
        case 'output':
          waiting.get(message.id)?.resolve(message.output as Output);
          waiting.delete(message.id);
          return;
        case 'error':
          waiting.get(message.id)?.reject(new EmbeddingModelError(folder, message.message));
          waiting.delete(message.id);
          return;
      }
    });
    worker.on('error', (error) => fail(error.message, error));
    worker.on('exit', (code) => fail(`its thread ended (code ${code})`));
  });
  const send = (message: ToModelThread): void => worker.postMessage(message);
  let next = 0;
  return {
    run: (input) =>
      new Promise((resolve, reject) => {
        if (ended.signal.aborted) return reject(ended.signal.reason as Error);
        const id = ++next;
        waiting.set(id, { resolve, reject });
        send({ type: 'run', id, input });
      }),
    close: async () => {
      if (ended.signal.aborted) return;
      const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      send({ type: 'close' });
      await exited;
    },
    ended: ended.signal,
  };
}
