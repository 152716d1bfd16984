import './no-telemetry.ts';
import path from 'node:path';
import { Tensor } from '@huggingface/transformers';
import { EmbeddingModelError } from './embedder.ts';
import type { ModelSession } from './model-thread-messages.ts';
import { loadNetwork } from './onnx-session.ts';

/** Rows of one input, all of one length: BERT's ids and token types. */
export interface EncoderRows {
  ids: readonly number[];
  types: readonly number[];
}

/** passageLogits [9], tokenLogits [tokens × 3] row by row. */
export interface EncoderLogits {
  passageLogits: Float32Array;
  tokenLogits: Float32Array;
}

/**
 * Loads a joint encoder, `onnx/model_quantized.onnx` of a folder; nothing is ever fetched.
 * @throws EmbeddingModelError
 */
export async function openEncoderSession(
  folder: string,
  threads: number,
): Promise<ModelSession<EncoderRows, EncoderLogits>> {
  const network = await loadNetwork(path.resolve(folder), { dtype: 'q8', subfolder: 'onnx' }, threads).catch(
    (error: unknown) => {
      throw new EmbeddingModelError(folder, error instanceof Error ? error.message : String(error), error);
    },
  );
  const run = async ({ ids, types }: EncoderRows): Promise<EncoderLogits> => {
    const row = (values: readonly number[]): Tensor =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const inputs = { input_ids: row(ids), attention_mask: row(ids.map(() => 1)), token_type_ids: row(types) };
    const outputs = (await network(inputs)) as Record<string, { data: Float32Array } | undefined>;
    const { passage_logits: passage, token_logits: tokens } = outputs;
    if (!passage || !tokens)
      throw new EmbeddingModelError(
        folder,
        'the network gives no passage_logits and token_logits, so it is not a joint encoder',
      );
    return { passageLogits: passage.data, tokenLogits: tokens.data };
  };
  return { run, close: async () => void (await network.dispose()) };
}
