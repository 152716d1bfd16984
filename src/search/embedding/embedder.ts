import { HoptrailError, RedirectedError } from '#base';

/**
 * Where a question's vector is looked for among passages: a sentence encoder puts a question near to what is worded as
 * it is, and a passage that answers it in other words, or in those of a program, lies somewhere else. Learnt from
 * questions with the passages that answer them: v ↦ normalise(v + Wv + b), on the question's side alone, so that no
 * passage needs another vector.
 *
 * @param vector L2-normalised query embedding; the result is as long, and normalised as well.
 */
export type QuestionMap = (vector: Float32Array) => Float32Array;

/**
 * Port: text to vectors. Bundled ONNX model, a user's ONNX folder, or an OpenAI-compatible endpoint.
 * Another `id` means another index.
 */
export interface Embedder {
  /** Identifies model, dtype and pooling, e.g. `bge-small-en-v1.5/q8/cls`. */
  readonly id: string;
  readonly dimensions: number;
  /** Longest input in tokens, special tokens included. */
  readonly maxTokens: number;
  /** The one language that the model learnt; left out where it learnt several, or nobody knows. */
  readonly language?: 'en' | undefined;
  /** Tokens of a text as this model counts them (special tokens included). */
  countTokens(text: string): number;
  /**
   * One L2-normalised vector of `dimensions` floats per text, in the order given. Rejects with AbortError on abort.
   * @param awaited Somebody waits for these: they go ahead of texts for which nobody does.
   */
  embedPassages(texts: readonly string[], signal?: AbortSignal, awaited?: boolean): Promise<Float32Array[]>;
  /** One L2-normalised vector; queries go ahead of all that is queued. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Where a question's vector is looked for among passages; left out: where it is. */
  readonly moveQuestion?: QuestionMap | undefined;
  close(): Promise<void>;
}

/** The embedding model's folder cannot be used: a file is missing, or is not what it should be. */
export class EmbeddingModelError extends HoptrailError {
  readonly code = 'embedding-model-unusable';
  /** What is wrong, without the folder. */
  readonly detail: string;
  constructor(folder: string, detail: string, cause?: unknown) {
    super(`The embedding model in ${folder} cannot be used: ${detail}`, {
      cause,
      advice:
        'Choose a folder with config.json, tokenizer.json and onnx/model_quantized.onnx (or onnx/model.onnx), ' +
        'or the bundled model.',
      action: 'open-settings',
    });
    this.detail = detail;
  }
}

/** Statuses that are about the address, the key or the load of the server, and not about the texts that were sent. */
const NOT_THE_TEXTS: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 408, 409, 410, 429]);

/** The embeddings endpoint did not answer as it should. */
export class EmbeddingEndpointError extends HoptrailError {
  readonly code = 'embedding-endpoint-failed';
  /** HTTP status; undefined when there was no answer at all. */
  readonly status: number | undefined;
  constructor(baseUrl: string, detail: string, options: { status?: number; cause?: unknown } = {}) {
    const denied = options.status === 401 || options.status === 403;
    super(`The embeddings endpoint ${baseUrl} failed: ${detail}`, {
      cause: options.cause,
      advice: denied
        ? 'Set a key that this endpoint accepts.'
        : 'Check the address and the model, or use the bundled model.',
      action: denied ? 'set-key' : 'open-settings',
    });
    this.status = options.status;
  }
}

/**
 * True for a failure that one of the texts may have caused: an endpoint answered, and the text is too long, say, or its
 * model gives no vector for it. The caller then sends the texts one by one to find out.
 */
export function mayBeTheTexts(error: unknown): boolean {
  if (error instanceof EmbeddingEndpointError) return error.status !== undefined && !NOT_THE_TEXTS.has(error.status);
  return !(error instanceof EmbeddingDimensionError || error instanceof RedirectedError);
}

/** The endpoint's vectors have another length than the index was made for. */
export class EmbeddingDimensionError extends HoptrailError {
  readonly code = 'embedding-dimension-changed';
  constructor(name: string, expected: number, got: number) {
    super(`The embedding model ${name} gave vectors of ${got} numbers where ${expected} were expected.`, {
      advice: 'The model behind this name has changed: rebuild the index.',
      action: 'rebuild-index',
    });
  }
}
