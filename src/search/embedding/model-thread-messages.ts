import { workerData } from 'node:worker_threads';
import type { OnnxModelFolder } from './onnx-model-folder.ts';

/** A loaded network: one input in, its output out. Inference blocks the thread that calls. */
export interface ModelSession<Input, Output> {
  run(input: Input): Promise<Output>;
  close(): Promise<void>;
  /**
   * Aborted, with the reason, once it has ended for good: it runs nothing any more. Left out where it cannot end by
   * itself.
   */
  readonly ended?: AbortSignal;
}

/** What a thread is started with: which network it loads. */
export type ModelThreadData = (
  | { role: 'embedding'; model: OnnxModelFolder }
  /** The joint encoder's folder. */
  | { role: 'encoding'; folder: string }
) & {
  /** Threads of one inference. */
  threads: number;
  /** Nice value of the thread: searching and editing come before indexing. */
  niceness: number;
};

export type ToModelThread = { type: 'run'; id: number; input: unknown } | { type: 'close' };
export type FromModelThread =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'output'; id: number; output: unknown }
  | { type: 'error'; id: number; message: string };

/** True in a thread that was started for a network. */
export function isModelThread(): boolean {
  const role = (workerData as Partial<ModelThreadData> | null)?.role;
  return role === 'embedding' || role === 'encoding';
}
