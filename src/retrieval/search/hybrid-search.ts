import type { Embedder } from '../../indexing/embedder.ts';
import type { PassageIndex, PassageRef, RankedPassage } from '../../indexing/passage-index.ts';
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

/** What a hybrid search found: the fused list, whose rows are still to be read, and the query's vector, for those that go on from here. */
export interface HybridResult {
  ranked: FusedPassage<PassageRef>[];
  /** Undefined when the vector list was not asked for. */
  vector: Float32Array | undefined;
}

/** Text, vector and link-and-title lists in parallel, joined by weighted rank fusion. */
export async function hybridSearch(index: PassageIndex, embedder: Embedder, query: string, options: HybridOptions): Promise<HybridResult> {
  const { depth, filter, signal } = options;
  const wanted = new Set(options.lists);
  const range = { limit: depth, filter, signal };
  let queryVector: Float32Array | undefined;
  const vectorList = async (): Promise<RankedPassage[]> => {
    queryVector = await embedder.embedQuery(query, signal);
    return index.rank({ vector: queryVector }, range);
  };
  const words = textQuery(query);
  const keys = wanted.has('link') ? questionNameKeys(query) : [];
  const [text, vector, link] = await Promise.all([
    wanted.has('text') && words !== '' ? index.rank({ words }, range) : [],
    wanted.has('vector') ? vectorList() : undefined,
    keys.length > 0 ? index.rank({ names: keys }, range) : [],
  ]);
  signal?.throwIfAborted();
  return { ranked: fuse({ text, vector, link }, options.weights), vector: queryVector };
}

/** Rows read at once beyond those that are wanted: few fold into others. */
const SPARE = 5;

/** The rows of a fused list in its order, without vectors, read as far as somebody asks for them; those that are gone by now are passed over. */
export async function* readInTurn(index: PassageIndex, ranked: readonly FusedPassage<PassageRef>[], wanted: number): AsyncGenerator<FusedPassage> {
  for (let from = 0; from < ranked.length; from += wanted + SPARE) yield* await readFused(index, ranked.slice(from, from + wanted + SPARE), { vectors: false });
}

/** The rows of a fused list; those that are gone by now are left out. */
export async function readFused(index: PassageIndex, ranked: readonly FusedPassage<PassageRef>[], options: { vectors: boolean }): Promise<FusedPassage[]> {
  const rows = new Map((await index.read(ranked.map(({ passage }) => passage), options)).map((passage) => [passage.id, passage]));
  return ranked.flatMap((entry) => {
    const passage = rows.get(entry.passage.id);
    return passage ? [{ ...entry, passage }] : [];
  });
}
