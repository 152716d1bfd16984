import { getPriority, setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { EmbeddingModelError } from './embedder.ts';
import { openEncoderSession, type EncoderRows } from './encoder-session.ts';
import {
  type FromModelThread,
  isModelThread,
  type ModelSession,
  type ModelThreadData,
  type ToModelThread,
} from './model-thread-messages.ts';
import { openOnnxSession } from './onnx-session.ts';

/**
 * The body of a network's thread, a file of its own in `dist`, so that the thread loads no more than it needs.
 * Inference blocks its thread for up to a fifth of a second, so it has one of its own. The thread ends by itself after
 * `close`: ending it from outside during an inference would take the whole process down.
 */
async function runModelThread(port: MessagePort): Promise<void> {
  const data = workerData as ModelThreadData;
  const say = (message: FromModelThread): void => port.postMessage(message);
  lowerPriority(data.niceness);
  let session: ModelSession<unknown, unknown>;
  try {
    session = await openProven(data);
  } catch (error) {
    say({ type: 'failed', message: error instanceof EmbeddingModelError ? error.detail : String(error) });
    return;
  }
  say({ type: 'ready' });
  port.on('message', (message: ToModelThread) => {
    switch (message.type) {
      case 'run':
        session.run(message.input).then(
          (output) => say({ type: 'output', id: message.id, output }),
          (error: unknown) =>
            say({ type: 'error', id: message.id, message: error instanceof Error ? error.message : String(error) }),
        );
        return;
      case 'close':
        port.close();
        void session.close();
        return;
    }
  });
}

/** Loads the thread's network and runs it once, which proves that it has the right shape. */
async function openProven(data: ModelThreadData): Promise<ModelSession<unknown, unknown>> {
  switch (data.role) {
    case 'embedding': {
      const session = await openOnnxSession(data.model, data.threads);
      await session.run('ready');
      return session;
    }
    case 'encoding': {
      const session = await openEncoderSession(data.folder, data.threads);
      await session.run(EMPTY_INPUT);
      return session;
    }
  }
}

/** [CLS] [SEP] */
const EMPTY_INPUT: EncoderRows = { ids: [101, 102], types: [0, 0] };

const LOWEST_PRIORITY = 19;

/**
 * Below the process's own. On Linux this is the thread's own priority, inherited by the model's threads; elsewhere the
 * process's.
 */
function lowerPriority(niceness: number): void {
  try {
    setPriority(0, Math.min(getPriority(0) + niceness, LOWEST_PRIORITY));
  } catch {
    // Not allowed here (some containers): the work is the same, only less polite.
  }
}

if (parentPort && isModelThread()) void runModelThread(parentPort);
