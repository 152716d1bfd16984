import path from 'node:path';
import type { Embedder } from './embedder.ts';
import type { EmbedderChoice } from '../indexer/index-service.ts';
import { openEndpointEmbedder } from './endpoint-embedder.ts';
import { openOnnxEmbedder } from './onnx-embedder.ts';

/** Folder of the bundled model inside the models folder. */
export const BUNDLED_MODEL = 'Xenova/bge-small-en-v1.5';
/** Id of the bundled model: what its index is told apart by. */
export const BUNDLED_EMBEDDER_ID = 'bge-small-en-v1.5/q8/cls';

export interface OpenEmbedderOptions {
  /** Folder that holds the bundled model. */
  modelsDir: string;
  /** See OnnxEmbedderOptions. */
  workerFile?: string;
  workerExecArgv?: string[];
  threads?: number;
}

/** Opens the embedder that a user chose. Throws EmbeddingModelError or EmbeddingEndpointError. */
export function openEmbedder(choice: EmbedderChoice, options: OpenEmbedderOptions): Promise<Embedder> {
  const { modelsDir, ...onnx } = options;
  switch (choice.kind) {
    case 'bundled':
      return openOnnxEmbedder({ ...onnx, folder: path.join(modelsDir, BUNDLED_MODEL), id: BUNDLED_EMBEDDER_ID });
    case 'folder':
      return openOnnxEmbedder({ ...onnx, folder: path.resolve(choice.path) });
    case 'endpoint':
      return openEndpointEmbedder({ baseUrl: choice.baseUrl, model: choice.model, apiKey: choice.apiKey });
  }
}
