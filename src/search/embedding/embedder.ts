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
  close(): Promise<void>;
}
