import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connect, type Table } from '@lancedb/lancedb';
import { timerClock } from '#base';
import {
  createIndexService,
  createPassageSource,
  createRetriever,
  type Embedder,
  FeatureChainScorer,
  readChainScorerWeights,
  readReaderWeights,
} from '#search/lab';
import { modelsDir, root } from '../places.ts';

/** What opens an index of a folder, all of its files; without one: an index that passages are imported into. */
export const benchIndex = (indexUri: string, folder?: string) => ({
  roots: folder === undefined ? [] : [{ uri: pathToFileURL(folder).href, name: 'bench' }],
  indexUri,
  embedder: { kind: 'bundled' as const },
  excludeGlobs: [],
  useGitignore: false,
  maxFileBytes: 5 * 1024 * 1024,
});

/** The table of passages of an index on this machine, read beside whoever writes it. */
export async function passagesTable(indexUri: string): Promise<Table> {
  const generation = readdirSync(indexUri).find((name) => /^v\d+-/.test(name)) ?? '';
  return (await connect(path.join(indexUri, generation))).openTable('passages');
}

type ServiceDependencies = Parameters<typeof createIndexService>[0];

type ReadFile = Awaited<ReturnType<ReturnType<typeof createPassageSource>['read']>>;

/** An index service of this process, with an embedder of the bench's own; `onRead` gives what is kept of a file. */
export const benchService = (
  openEmbedder: () => Promise<Embedder>,
  { onRead, ...more }: Partial<ServiceDependencies> & { onRead?: (file: ReadFile) => ReadFile } = {},
) =>
  createIndexService({
    openEmbedder,
    createSource: (config, embedder) => {
      const source = createPassageSource(config, {
        countTokens: (text) => embedder.countTokens(text),
        wasmDir: root,
      });
      return {
        ...source,
        read: async (...given) => {
          const file = await source.read(...given);
          return onRead ? onRead(file) : file;
        },
      };
    },
    clock: timerClock,
    wallClock: () => Date.now(),
    log: () => undefined,
    ...more,
  });

/**
 * Vectors of words at no cost: hashed directions of a passage's words, summed. Texts that share words are near one
 * another, as with a model; each takes a moment, as writing waits for a model and not the other way round.
 */
export class FreeEmbedder implements Embedder {
  readonly id = 'bench/words';
  readonly dimensions = 384;
  readonly maxTokens = 512;
  readonly #millisecondsPerText: number;

  constructor(millisecondsPerText = 0) {
    this.#millisecondsPerText = millisecondsPerText;
  }

  countTokens(text: string): number {
    return Math.ceil(text.length / 4);
  }

  async embedPassages(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.#millisecondsPerText > 0) await wait(this.#millisecondsPerText * texts.length);
    return texts.map((text) => this.#vectorOf(text));
  }

  async embedQuery(text: string): Promise<Float32Array> {
    return this.#vectorOf(text);
  }

  async close(): Promise<void> {
    /* nothing is held */
  }

  #vectorOf(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      let hash = 2166136261;
      for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619) >>> 0;
      for (let i = 0; i < 6; i++) {
        hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
        const at = hash % this.dimensions;
        vector[at] = (vector[at] ?? 0) + (hash & 0x10000 ? 1 : -1);
      }
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  }
}

/**
 * A retriever over what a service has opened, with the heads that ship; `index` in place of the service's own.
 * @param encoder The joint encoder, where its time is a part of what is measured.
 */
export const benchRetriever = (
  service: ReturnType<typeof benchService>,
  index = service.index,
  encoder?: Parameters<typeof createRetriever>[0]['encoder'],
) =>
  createRetriever({
    index,
    embedder: service.embedder,
    scorer: new FeatureChainScorer(readChainScorerWeights(path.join(modelsDir, 'chain-scorer.json'))),
    reader: readReaderWeights(path.join(modelsDir, 'reader.json')),
    now: () => performance.now(),
    ...(encoder && { encoder }),
  });
