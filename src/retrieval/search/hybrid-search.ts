import type { Embedder } from '../../indexing/embedder.ts';
import type { PassageIndex, ScoredPassage } from '../../indexing/passage-index.ts';
import type { PassageFilter } from '../../model/passage-chain.ts';
import { fuse, type FusedPassage, type FusionWeights } from './rank-fusion.ts';
import { questionNameKeys, textQuery } from './text-query.ts';

export interface HybridOptions {
  /** Rows asked of each list. */
  depth: number;
  lists: readonly ('text' | 'vector' | 'link')[];
  weights: FusionWeights;
  filter?: PassageFilter;
  signal?: AbortSignal;
}

/** What a hybrid search found: the fused list and the query's vector, for those that go on from here. */
export interface HybridResult {
  ranked: FusedPassage[];
  /** Undefined when the vector list was not asked for. */
  vector: Float32Array | undefined;
}

/** Text, vector and link-and-title lists in parallel, joined by weighted rank fusion. */
export async function hybridSearch(index: PassageIndex, embedder: Embedder, query: string, options: HybridOptions): Promise<HybridResult> {
  const { depth, filter, signal } = options;
  const wanted = new Set(options.lists);
  const range = { limit: depth, filter, signal };
  let queryVector: Float32Array | undefined;
  const vectorList = async (): Promise<ScoredPassage[]> => {
    queryVector = await embedder.embedQuery(query, signal);
    return index.vectorSearch(queryVector, range);
  };
  const words = textQuery(query);
  const keys = wanted.has('link') ? questionNameKeys(query) : [];
  const [text, vector, link] = await Promise.all([
    wanted.has('text') && words !== '' ? index.textSearch(words, range) : [],
    wanted.has('vector') ? vectorList() : undefined,
    keys.length > 0 ? index.findByName(keys, range) : [],
  ]);
  signal?.throwIfAborted();
  return { ranked: fuse({ text, vector, link }, options.weights), vector: queryVector };
}
