import { createHash } from 'node:crypto';
import type { Embedder } from '../../src/search/embedding/embedder.ts';

/**
 * Vectors that follow from the words of a text alone: equal texts equal vectors, shared words near ones. Counts what it
 * is asked.
 */
export class HashEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens = 512;
  /** Every text that was embedded as a passage, in order. */
  readonly embedded: string[] = [];
  /** Runs before each passage; throw here to fail. */
  beforePassage: (text: string) => void | Promise<void> = () => undefined;

  constructor(id = 'hash/1', dimensions = 16) {
    this.id = id;
    this.dimensions = dimensions;
  }

  countTokens(text: string): number {
    return Math.ceil(text.length / 4) + 2;
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal?.throwIfAborted();
      await this.beforePassage(text);
      this.embedded.push(text);
      vectors.push(this.vectorOf(text));
    }
    return vectors;
  }

  embedQuery(text: string): Promise<Float32Array> {
    return Promise.resolve(this.vectorOf(text));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  vectorOf(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
      const digest = createHash('sha1').update(word).digest();
      const at = (digest[0] ?? 0) % this.dimensions;
      vector[at] = (vector[at] ?? 0) + ((digest[1] ?? 0) % 2 === 0 ? 1 : -1);
    }
    vector[0] = (vector[0] ?? 0) + 0.01; // never the zero vector
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }
}
