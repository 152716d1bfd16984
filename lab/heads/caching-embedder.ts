import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '#base';
import { type Embedder, openEmbedder } from '#search/lab';
import { modelsDir } from '../places.ts';

const KEY_BYTES = 16;

/**
 * An embedder that keeps every vector in one file, so that training can be run again and again without inference.
 * Records of a 16-byte key (hash of embedder id, role and text) and `dimensions` little-endian floats; a torn last
 * record is cut off, or all that is written behind it would be out of step.
 */
export class CachingEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly language: Embedder['language'];
  readonly moveQuestion: Embedder['moveQuestion'];
  /** Texts that cost an inference in this run. */
  inferences = 0;
  readonly #known = new Map<string, Float32Array>();
  readonly #inner: Embedder;
  readonly #file: string;

  constructor(inner: Embedder, file: string) {
    this.#inner = inner;
    this.#file = file;
    this.id = inner.id;
    this.dimensions = inner.dimensions;
    this.maxTokens = inner.maxTokens;
    this.language = inner.language;
    this.moveQuestion = inner.moveQuestion;
    mkdirSync(path.dirname(file), { recursive: true });
    if (existsSync(file)) this.#load();
    else writeFileSync(file, '');
  }

  #load(): void {
    const bytes = readFileSync(this.#file);
    const size = KEY_BYTES + this.dimensions * 4;
    for (let at = 0; at + size <= bytes.length; at += size) {
      const key = bytes.toString('hex', at, at + KEY_BYTES);
      const vector = new Float32Array(this.dimensions);
      for (let i = 0; i < this.dimensions; i++) vector[i] = bytes.readFloatLE(at + KEY_BYTES + i * 4);
      this.#known.set(key, vector);
    }
    if (bytes.length % size > 0) truncateSync(this.#file, bytes.length - (bytes.length % size));
  }

  #keyOf(role: 'passage' | 'query', text: string): string {
    return hashOf(`${this.id}\0${role}\0${text}`, KEY_BYTES * 2);
  }

  #keep(key: string, vector: Float32Array): void {
    this.#known.set(key, vector);
    this.inferences++;
    appendFileSync(
      this.#file,
      Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]),
    );
  }

  countTokens(text: string): number {
    return this.#inner.countTokens(text);
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const key = this.#keyOf('passage', text);
      if (!this.#known.has(key)) {
        const [vector] = await this.#inner.embedPassages([text], signal);
        if (vector !== undefined) this.#keep(key, vector);
      }
      vectors.push(this.#known.get(key) ?? new Float32Array(this.dimensions));
    }
    return vectors;
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const key = this.#keyOf('query', text);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const vector = await this.#inner.embedQuery(text, signal);
    this.#keep(key, vector);
    return vector;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** The bundled embedder; all programs keep its vectors in one file of a folder. */
export const openCachingEmbedder = async (cache: string): Promise<CachingEmbedder> =>
  new CachingEmbedder(await openEmbedder({ kind: 'bundled' }, { modelsDir }), path.join(cache, 'vectors.bin'));
