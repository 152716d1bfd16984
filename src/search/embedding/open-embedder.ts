import { totalmem } from 'node:os';
import path from 'node:path';
import type { EmbedderChoice } from '../indexer/index-service.ts';
import { type Embedder, EmbeddingModelError, type QuestionMap } from './embedder.ts';
import { openModelThread } from './model-thread.ts';
import type { ModelSession } from './model-thread-messages.ts';
import { readModelFolder } from './onnx-model-folder.ts';
import { readQuestionMap } from './question-map.ts';
import { openPatiently } from './patient-endpoint.ts';
import { openTokenCounter } from './token-counter.ts';

/** Embeds one text. */
export type EmbedOne = (text: string) => Promise<Float32Array>;

interface Job {
  text: string;
  resolve: (vector: Float32Array) => void;
  reject: (error: unknown) => void;
}

/** A copy of the model. */
interface Copy {
  embed: EmbedOne;
  ended: AbortSignal | undefined;
}

/** Vectors that are kept: 3 MB of 384 numbers each. */
const MOST_KEPT = 2000;

/**
 * One text at a time through each copy of a model: queries first, then what somebody waits for, then passages of the
 * index. A query waits for at most one text. Batches would not be faster on a processor (a batch costs what its parts
 * cost) and would make queries wait for all of one.
 */
export class EmbeddingQueue {
  readonly #queries: Job[] = [];
  readonly #awaited: Job[] = [];
  readonly #passages: Job[] = [];
  readonly #lanes = [this.#queries, this.#awaited, this.#passages];
  /** Vectors of texts that somebody waited for. */
  readonly #kept = new Map<string, Float32Array>();
  readonly #idle: Copy[] = [];
  #working = 0;
  #closed: Error | undefined;

  /** A copy of the model takes part from now on, until it has ended; texts wait for the first. */
  add(embed: EmbedOne, ended?: AbortSignal): void {
    this.#idle.push({ embed, ended });
    this.#goOn();
  }

  /** Vectors in the order of the texts. On abort the rest is dropped; the text that is being embedded is finished. */
  passagesOf(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#all(this.#passages, texts, signal);
  }

  /**
   * As `passagesOf`, for somebody who waits. The vectors are kept for a while: one question after the other reads the
   * same passages.
   */
  async awaitedOf(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const found = new Map(texts.map((text) => [text, this.#kept.get(text)]));
    const missing = [...found.keys()].filter((text) => !found.get(text));
    const made = await this.#all(this.#awaited, missing, signal);
    for (const [i, text] of missing.entries()) found.set(text, made[i]);
    for (const [text, vector] of found) {
      this.#kept.delete(text); // what was asked for last is forgotten last
      if (vector) this.#kept.set(text, vector);
    }
    for (const text of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(text);
    return texts.flatMap((text) => found.get(text) ?? []);
  }

  async query(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.#all(this.#queries, [text], signal);
    if (!vector) throw new Error('no vector for a query');
    return vector;
  }

  /** Rejects what waits, and whatever comes; resolves when the model is at rest. */
  async close(reason: Error): Promise<void> {
    this.#closed ??= reason;
    for (const lane of this.#lanes) for (const job of lane.splice(0)) job.reject(reason);
    while (this.#working > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  #all(lane: Job[], texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#closed) return Promise.reject(this.#closed);
    const jobs = new Set<Job>();
    const vectors = texts.map(
      (text) =>
        new Promise<Float32Array>((resolve, reject) => {
          const job = { text, resolve, reject };
          jobs.add(job);
          lane.push(job);
        }),
    );
    const onAbort = (): void => {
      for (let i = lane.length - 1; i >= 0; i--) {
        const job = lane[i];
        if (job && jobs.has(job)) lane.splice(i, 1);
      }
      for (const job of jobs) job.reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#goOn();
    return Promise.all(vectors).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** Gives what waits to copies at rest, to the one that worked last first. */
  #goOn(): void {
    for (let job = this.#next(); job; job = this.#next()) void this.#embed(job, this.#idle.pop());
  }

  #next(): Job | undefined {
    while (this.#idle.at(-1)?.ended?.aborted) this.#idle.pop();
    return this.#idle.length > 0 ? this.#lanes.find((lane) => lane.length > 0)?.shift() : undefined;
  }

  async #embed({ text, resolve, reject }: Job, copy: Copy | undefined): Promise<void> {
    if (!copy) return;
    this.#working += 1;
    await copy.embed(text).then(resolve, reject);
    this.#working -= 1;
    this.add(copy.embed, copy.ended);
  }
}

/** Folder of the bundled model inside the models folder. */
export const BUNDLED_MODEL = 'Xenova/bge-small-en-v1.5';
/** Id of the bundled model: what its index is told apart by. */
export const BUNDLED_EMBEDDER_ID = 'bge-small-en-v1.5/q8/cls';

/** Memory of a machine, bytes, on which the bundled model is loaded twice: a copy takes 150 MB. */
const MEMORY_FOR_TWO = 6e9;

interface OpenEmbedderOptions {
  /** Folder that holds the bundled model. */
  modelsDir: string;
  /** See OnnxEmbedderOptions. */
  workerFile?: string;
  copies?: number;
}

/** Opens the embedder that a user chose. Throws EmbeddingModelError or EmbeddingEndpointError. */
export async function openEmbedder(choice: EmbedderChoice, options: OpenEmbedderOptions): Promise<Embedder> {
  const { modelsDir, ...onnx } = options;
  const bundled = path.join(modelsDir, BUNDLED_MODEL);
  switch (choice.kind) {
    case 'bundled':
      return openOnnxEmbedder({
        copies: totalmem() < MEMORY_FOR_TWO ? 1 : 2,
        ...onnx,
        folder: bundled,
        id: BUNDLED_EMBEDDER_ID,
        moveQuestion: readQuestionMap(bundled),
      });
    case 'folder':
      return openOnnxEmbedder({ ...onnx, folder: path.resolve(choice.path) });
    case 'endpoint':
      return openPatiently(choice);
  }
}

/** Threads that embed, all copies of the model together. */
const THREADS = 2;
const NICENESS = 10;

interface OnnxEmbedderOptions {
  /** Folder of the model in transformers.js layout. */
  folder: string;
  /** Identifies the bundled model; a user's folder is identified by its content. */
  id?: string;
  /** Where questions are looked for, learnt for this model; left out: where they are. */
  moveQuestion?: QuestionMap | undefined;
  /**
   * Copies of the model that share these threads, where the model runs in threads of its own; default 1. Two texts at
   * once, by a copy each, take less time and work than one after the other by two threads, and as much memory again.
   */
  copies?: number;
  /**
   * JavaScript file to start a thread from: `run-model-thread.ts`, built. Left out, the model runs in the calling
   * thread and blocks it during each inference: good for scripts.
   */
  workerFile?: string;
}

/**
 * Opens a local ONNX model as an embedder. Its network is loaded meanwhile: what keeps it from loading is told to
 * whoever wants a vector. Throws EmbeddingModelError.
 */
export async function openOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const model = await readModelFolder(options.folder);
  const countTokens = openTokenCounter(options.folder);
  const { copies = 1, workerFile } = options;
  const data = { role: 'embedding', model, threads: Math.ceil(THREADS / copies), niceness: NICENESS } as const;
  const loading: Promise<ModelSession<string, Float32Array>>[] =
    workerFile === undefined
      ? [import('./onnx-session.ts').then(({ openOnnxSession }) => openOnnxSession(model, THREADS))]
      : Array.from({ length: copies }, () => openModelThread(data, { workerFile }));
  const queue = new EmbeddingQueue();
  const lives = loading.map(async (copy) => {
    const { run, ended } = await copy;
    queue.add(run, ended);
    await new Promise((_, reject) => {
      const end = (): void => reject(ended?.reason as Error);
      if (ended?.aborted) end();
      else ended?.addEventListener('abort', end);
    });
  });
  // One copy that is not there, or has ended, is made up for by another.
  Promise.any(lives).catch(({ errors: [first] }: AggregateError) => queue.close(first as Error));
  return {
    id: options.id ?? model.id,
    dimensions: model.dimensions,
    maxTokens: model.maxTokens,
    ...(model.language && { language: model.language }),
    ...(options.moveQuestion && { moveQuestion: options.moveQuestion }),
    countTokens,
    embedPassages: (texts, signal, awaited = false) => {
      const asRead = texts.map((text) => model.passagePrefix + text);
      return awaited ? queue.awaitedOf(asRead, signal) : queue.passagesOf(asRead, signal);
    },
    embedQuery: (text, signal) => queue.query(model.queryPrefix + text, signal),
    close: async () => {
      await queue.close(new EmbeddingModelError(model.folder, 'it was closed'));
      for (const copy of await Promise.allSettled(loading)) if (copy.status === 'fulfilled') await copy.value.close();
    },
  };
}
