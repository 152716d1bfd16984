import './no-telemetry.ts';
import path from 'node:path';
import {
  AutoModel,
  AutoTokenizer,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import { EmbeddingModelError } from './embedder.ts';
import type { OnnxModelFolder } from './onnx-model-folder.ts';
import type { ModelSession } from './model-thread-messages.ts';
import { meanOfTokens, normalise } from '#base';

Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, useFSCache: false, useBrowserCache: false });

/**
 * Loads a network from disk. Nothing is ever fetched.
 * @param folder Its whole path: a bare name is taken for a local one only when it could name a model on a hub, without
 *   spaces say.
 */
export function loadNetwork(
  folder: string,
  { dtype, subfolder }: Pick<OnnxModelFolder, 'dtype' | 'subfolder'>,
  threads: number,
): Promise<PreTrainedModel> {
  return AutoModel.from_pretrained(folder, {
    local_files_only: true,
    dtype,
    device: 'cpu',
    subfolder,
    session_options: {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Without the arena, memory stays near 350 MB instead of a gigabyte, at the same speed.
      enableCpuMemArena: false,
      // Threads that wait sleep, and take work in small pieces: beside an editor that starts, on two cores, a text
      // takes less than half of the time so, and a third less of the processor. On a quiet machine nothing changes.
      extra: { session: { intra_op: { allow_spinning: '0' }, dynamic_block_base: '4' } },
    },
  });
}

/** Loads an embedding model: a text in, its L2-normalised vector out. @throws EmbeddingModelError */
export async function openOnnxSession(
  model: OnnxModelFolder,
  threads: number,
): Promise<ModelSession<string, Float32Array>> {
  const name = path.resolve(model.folder);
  let tokenizer: PreTrainedTokenizer;
  let network: PreTrainedModel;
  try {
    tokenizer = await AutoTokenizer.from_pretrained(name, { local_files_only: true });
    network = await loadNetwork(name, model, threads);
  } catch (error) {
    throw new EmbeddingModelError(model.folder, error instanceof Error ? error.message : String(error), error);
  }
  const run = async (text: string): Promise<Float32Array> => {
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
  return { run, close: async () => void (await network.dispose()) };
}
