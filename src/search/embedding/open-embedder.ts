import { totalmem } from 'node:os';
import path from 'node:path';
import type { Embedder } from './embedder.ts';
import type { EmbedderChoice } from '../indexer/index-service.ts';
import { openEndpointEmbedder } from './endpoint-embedder.ts';
import { openOnnxEmbedder } from './onnx-embedder.ts';

/** Folder of the bundled model inside the models folder. */
export const BUNDLED_MODEL = 'Xenova/bge-small-en-v1.5';
/** Id of the bundled model: what its index is told apart by. */
export const BUNDLED_EMBEDDER_ID = 'bge-small-en-v1.5/q8/cls';

/** Memory of a machine, bytes, on which the bundled model is loaded twice: a copy takes 150 MB. */
const MEMORY_FOR_TWO = 6e9;

export interface OpenEmbedderOptions {
  /** Folder that holds the bundled model. */
  modelsDir: string;
  /** See OnnxEmbedderOptions. */
  workerFile?: string;
  workerExecArgv?: string[];
  threads?: number;
  copies?: number;
}

/** Opens the embedder that a user chose. Throws EmbeddingModelError or EmbeddingEndpointError. */
export function openEmbedder(choice: EmbedderChoice, options: OpenEmbedderOptions): Promise<Embedder> {
  const { modelsDir, ...onnx } = options;
  switch (choice.kind) {
    case 'bundled':
      return openOnnxEmbedder({
        copies: totalmem() < MEMORY_FOR_TWO ? 1 : 2,
        ...onnx,
        folder: path.join(modelsDir, BUNDLED_MODEL),
        id: BUNDLED_EMBEDDER_ID,
      });
    case 'folder':
      return openOnnxEmbedder({ ...onnx, folder: path.resolve(choice.path) });
    case 'endpoint':
      return openEndpointEmbedder({ baseUrl: choice.baseUrl, model: choice.model, apiKey: choice.apiKey });
  }
}
