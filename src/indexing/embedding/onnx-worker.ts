import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { EmbeddingModelError } from './embedding-errors.ts';
import { openOnnxSession, type OnnxSession } from './onnx-session.ts';
import type { FromOnnxWorker, OnnxWorkerData, ToOnnxWorker } from './onnx-worker-messages.ts';

/**
 * The body of the embedding thread. Inference blocks its thread for up to a fifth of a second, so it has one of its own. The
 * thread ends by itself after `close`: ending it from outside during an inference would take the whole process down.
 */
export async function runOnnxWorker(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('runOnnxWorker must be called in a worker thread');
  const { model, threads, niceness } = workerData as OnnxWorkerData;
  const say = (message: FromOnnxWorker): void => port.postMessage(message);
  lowerPriority(niceness);
  let session: OnnxSession;
  try {
    session = await openOnnxSession(model, threads);
    await session.embed('ready'); // proves that the network runs and has the right shape
  } catch (error) {
    say({ type: 'failed', message: error instanceof EmbeddingModelError ? error.detail : String(error) });
    return;
  }
  say({ type: 'ready' });
  port.on('message', (message: ToOnnxWorker) => {
    switch (message.type) {
      case 'embed':
        session.embed(message.text).then(
          (vector) => say({ type: 'vector', id: message.id, vector }),
          (error: unknown) => say({ type: 'error', id: message.id, message: error instanceof Error ? error.message : String(error) }),
        );
        return;
      case 'close':
        port.close();
        void session.close();
        return;
    }
  });
}

/** On Linux this is the thread's own priority, inherited by the model's threads; elsewhere the process's. */
function lowerPriority(niceness: number): void {
  try {
    setPriority(0, niceness);
  } catch {
    // Not allowed here (some containers): the work is the same, only less polite.
  }
}
