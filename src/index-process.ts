import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { isOnnxWorker } from './indexing/embedding/onnx-worker-messages.ts';

/**
 * Entry of the index process, and of its embedding thread: native code is loaded here and nowhere else. What a thread does not need
 * it does not load.
 */
async function main(): Promise<void> {
  if (!isMainThread && isOnnxWorker()) {
    const { runOnnxWorker } = await import('./indexing/embedding/onnx-worker.ts');
    return runOnnxWorker();
  }
  const { runIndexProcess } = await import('./process/run-index-process.ts');
  runIndexProcess(fileURLToPath(import.meta.url));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
