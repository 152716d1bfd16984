import path from 'node:path';
import {
  AutoModel,
  AutoTokenizer,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import { EmbeddingModelError } from './embedding-errors.ts';
import type { OnnxModelFolder } from './onnx-model-folder.ts';
import { meanOfTokens, normalise } from '#base';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromOnnxWorker, OnnxWorkerData, ToOnnxWorker } from './onnx-worker-messages.ts';

/** A loaded model: one text in, one L2-normalised vector out. Inference blocks the calling thread. */
export interface OnnxSession {
  embed(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Loads a model from disk; nothing is ever fetched. Throws EmbeddingModelError. */
export async function openOnnxSession(model: OnnxModelFolder, threads: number): Promise<OnnxSession> {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.useFSCache = false;
  env.useBrowserCache = false;
  // The whole path: a folder's bare name is taken for a local one only when it could name a model on a hub, without
  // spaces say.
  const name = path.resolve(model.folder);
  let tokenizer: PreTrainedTokenizer;
  let network: PreTrainedModel;
  try {
    tokenizer = await AutoTokenizer.from_pretrained(name, { local_files_only: true });
    network = await AutoModel.from_pretrained(name, {
      local_files_only: true,
      dtype: model.dtype,
      device: 'cpu',
      subfolder: model.subfolder,
      // Without the arena, memory stays near 350 MB instead of a gigabyte, at the same speed.
      session_options: { intraOpNumThreads: threads, interOpNumThreads: 1, enableCpuMemArena: false },
    });
  } catch (error) {
    throw new EmbeddingModelError(model.folder, error instanceof Error ? error.message : String(error), error);
  }
  const embed = async (text: string): Promise<Float32Array> => {
    const inputs: unknown = tokenizer([text], { padding: false, truncation: true, max_length: model.maxTokens });
    const outputs = (await network(inputs)) as Record<string, { dims: number[]; data: Float32Array } | undefined>;
    const hidden = outputs.last_hidden_state ?? outputs.token_embeddings;
    if (!hidden)
      throw new EmbeddingModelError(
        model.folder,
        'the network gives no last_hidden_state, so it is not an embedding model',
      );
    const [, tokens = 0, dimensions = 0] = hidden.dims;
    if (dimensions !== model.dimensions) {
      throw new EmbeddingModelError(
        model.folder,
        `the network gives ${dimensions} numbers per token where config.json says ${model.dimensions}`,
      );
    }
    // One text has no padding, so that the mean is over all of its tokens.
    return normalise(
      model.pooling === 'cls' ? hidden.data.slice(0, dimensions) : meanOfTokens(hidden.data, tokens, dimensions),
    );
  };
  return { embed, close: async () => void (await network.dispose()) };
}

/**
 * The body of the embedding thread. Inference blocks its thread for up to a fifth of a second, so it has one of its
 * own. The thread ends by itself after `close`: ending it from outside during an inference would take the whole process
 * down.
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

/** On Linux this is the thread's own priority, inherited by the model's threads; elsewhere the process's. */
function lowerPriority(niceness: number): void {
  try {
    setPriority(0, niceness);
  } catch {
    // Not allowed here (some containers): the work is the same, only less polite.
  }
}
