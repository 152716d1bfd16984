import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const modelsDir = path.join(root, 'models');

/** What opens an index of a folder, all of its files; without one: an index that passages are imported into. */
export const benchIndex = (indexUri: string, folder?: string) => ({
  roots: folder === undefined ? [] : [{ uri: pathToFileURL(folder).href, name: 'bench' }],
  indexUri,
  embedder: { kind: 'bundled' as const },
  excludeGlobs: [],
  useGitignore: false,
  maxFileBytes: 5 * 1024 * 1024,
});

/** An index service of this process, with an embedder of the bench's own. */
export const benchService = (openEmbedder: () => Promise<Embedder>, more: { idleMs?: number } = {}) =>
  createIndexService({
    openEmbedder,
    createSource: (config, embedder) =>
      createPassageSource(config, { countTokens: (text) => embedder.countTokens(text), wasmDir: root }),
    clock: timerClock,
    wallClock: () => Date.now(),
    log: () => undefined,
    ...more,
  });

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
