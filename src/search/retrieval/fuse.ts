import type { IndexedPassage, PassageRef } from '../store/passage-index.ts';
import type { SearchPart } from '../domain/passage-chain.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { languageOf } from '../text/words.ts';
import { FoldedList } from './same-text.ts';

/** A passage with its fused score and what each list said of it. */
export interface FusedPassage<P = IndexedPassage> {
  passage: P;
  score: number;
  /** The further query that ranked it highest; undefined where the question did. */
  query?: string;
  parts: Partial<Record<SearchPart, { rank: number; score: number }>>;
}

interface FusionWeights {
  /** Weight of each list. */
  text: number;
  vector: number;
  link: number;
  /** Of numbers, ids and their like that few passages hold; none where it is left out. */
  exact?: number;
  /** Dampens the first ranks: k of reciprocal rank fusion. */
  k: number;
}

/**
 * Tuned by grid on three Wikipedia question sets and two code repositories (figures in lab/EXPERIMENTS.md); between 0.3
 * and 0.6 for text the sets disagree by less than their confidence intervals.
 */
export const DEFAULT_WEIGHTS: FusionWeights = { text: 0.4, vector: 1, link: 0.25, exact: 1.5, k: 20 };

/**
 * Of questions in a language that the embedder did not learn: its vectors tell little there. Of 300 of XQuAD's
 * questions in German and 300 in Chinese the bundled model's vectors put the right paragraph first for 0.61 and 0.22,
 * words alone for 0.89 and 0.91; both joined by the weights for English for 0.74 (German), by these for 0.88 and 0.87.
 */
const FOREIGN_WEIGHTS: FusionWeights = { ...DEFAULT_WEIGHTS, text: 1, vector: 0.1 };

/** Weights of the lists for a question. */
export const weightsFor = (question: string, { language }: Pick<Embedder, 'language'>): FusionWeights =>
  language === 'en' && languageOf(question) !== 'en' ? FOREIGN_WEIGHTS : DEFAULT_WEIGHTS;

/**
 * Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): Σ wₗ / (k + rankₗ), best first, ties by id so
 * that runs repeat; `weightOf` a path says how much a file counts. A passage that has no vector yet is given its text
 * rank in the vector list too: while vectors are still being computed it would otherwise sink under every passage that
 * has one.
 */
export function fuse<P extends IndexedPassage | PassageRef>(
  lists: Partial<Record<'text' | 'vector' | 'link' | 'exact', readonly { passage: P; score: number }[]>>,
  weights: FusionWeights,
  weightOf: (path: string | undefined) => number = () => 1,
): FusedPassage<P>[] {
  const fused = new Map<string, FusedPassage<P>>();
  for (const part of ['text', 'vector', 'link', 'exact'] as const) {
    const list = lists[part] ?? [];
    let tied = 1; // the rank of the first with the same score
    list.forEach(({ passage, score }, i) => {
      const entry = fused.get(passage.id) ?? { passage, score: 0, parts: {} };
      // Lists may come with and without vectors: keep the richer row.
      if (!isEmbedded(entry.passage) && isEmbedded(passage)) entry.passage = passage;
      if (score !== list[i - 1]?.score) tied = i + 1;
      // Passages that match equally many names share the rank of the first of them.
      const rank = part === 'link' || part === 'exact' ? tied : i + 1;
      entry.parts[part] = { rank, score };
      entry.score += (weights[part] ?? 0) / (weights.k + rank);
      fused.set(passage.id, entry);
    });
  }
  for (const entry of fused.values()) {
    const text = entry.parts.text;
    if (text !== undefined && lists.vector !== undefined && !isEmbedded(entry.passage))
      entry.score += weights.vector / (weights.k + text.rank);
  }
  for (const entry of fused.values()) entry.score *= weightOf(entry.passage.path);
  return [...fused.values()].sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1));
}

const isEmbedded = (passage: IndexedPassage | PassageRef): boolean =>
  'embedded' in passage ? passage.embedded : passage.vector !== undefined;

/** A fused passage with those that say the same. */
interface FoldedPassage extends FusedPassage {
  folded: IndexedPassage[];
}

/**
 * Folds passages that overlap a better one in the same file, or say nearly the same anywhere, into it; order kept. No
 * more passages are taken than `limit` needs.
 */
export async function foldPassages(
  ranked: AsyncIterable<FusedPassage> | Iterable<FusedPassage>,
  limit: number,
): Promise<FoldedPassage[]> {
  const list = new FoldedList<FusedPassage>(limit);
  for await (const entry of ranked) if (!list.add(entry)) break;
  return list.entries;
}
