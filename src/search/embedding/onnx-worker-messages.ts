import { workerData } from 'node:worker_threads';
import type { OnnxModelFolder } from './onnx-model-folder.ts';

/** What the worker is started with. */
export interface OnnxWorkerData {
  role: 'embedding';
  model: OnnxModelFolder;
  threads: number;
  /** Nice value of the worker: searching and editing come before indexing. */
  niceness: number;
}

export type ToOnnxWorker = { type: 'embed'; id: number; text: string } | { type: 'close' };
export type FromOnnxWorker =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'vector'; id: number; vector: Float32Array }
  | { type: 'error'; id: number; message: string };

/** True in a thread that was started to embed. */
export function isOnnxWorker(): boolean {
  return (workerData as Partial<OnnxWorkerData> | null)?.role === 'embedding';
}
