import type { Embedder } from '../../src/search/embedding/embedder.ts';

/**
 * An embedder whose vectors are hashed bags of words: texts that share words are near one another. Deterministic and
 * free.
 */
export class WordEmbedder implements Embedder {
  readonly id = 'words';
  readonly dimensions = 256;
  readonly maxTokens = 512;
  readonly queries: string[] = [];

  countTokens(text: string): number {
    return text.split(/\s+/).length;
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    return texts.map((text) => this.#vectorOf(text));
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    this.queries.push(text);
    return this.#vectorOf(text);
  }

  async close(): Promise<void> {}

  #vectorOf(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      let hash = 7;
      for (const char of word) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
      vector[hash % this.dimensions] = (vector[hash % this.dimensions] ?? 0) + 1;
    }
    const norm = Math.hypot(...vector) || 1;
    return vector.map((value) => value / norm);
  }
}
