import type { IndexedPassage, PassageRef } from '../../indexing/passage-index.ts';
import type { SearchPart } from '../../model/passage-chain.ts';

/** A passage with its fused score and what each list said of it. */
export interface FusedPassage<P = IndexedPassage> {
  passage: P;
  score: number;
  parts: Partial<Record<SearchPart, { rank: number; score: number }>>;
}

export interface FusionWeights {
  /** Weight of each list. */
  text: number;
  vector: number;
  link: number;
  /** Dampens the first ranks: k of reciprocal rank fusion. */
  k: number;
}

/**
 * Tuned by grid on three Wikipedia question sets and two code repositories (figures in docs/evaluation.md); between 0.3 and 0.6 for text the
 * sets disagree by less than their confidence intervals.
 */
export const DEFAULT_WEIGHTS: FusionWeights = { text: 0.4, vector: 1, link: 0.25, k: 20 };

/**
 * Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): Σ wₗ / (k + rankₗ), best first, ties by id so that runs repeat.
 * A passage that has no vector yet is given its text rank in the vector list too: while vectors are still being computed it would otherwise
 * sink under every passage that has one.
 */
export function fuse<P extends IndexedPassage | PassageRef>(lists: Partial<Record<'text' | 'vector' | 'link', readonly { passage: P; score: number }[]>>, weights: FusionWeights): FusedPassage<P>[] {
  const fused = new Map<string, FusedPassage<P>>();
  for (const part of ['text', 'vector', 'link'] as const) {
    const list = lists[part] ?? [];
    list.forEach(({ passage, score }, i) => {
      const entry = fused.get(passage.id) ?? { passage, score: 0, parts: {} };
      // Lists may come with and without vectors: keep the richer row.
      if (!isEmbedded(entry.passage) && isEmbedded(passage)) entry.passage = passage;
      const rank = part === 'link' ? rankWithTies(list, i) : i + 1;
      entry.parts[part] = { rank, score };
      entry.score += weights[part] / (weights.k + rank);
      fused.set(passage.id, entry);
    });
  }
  for (const entry of fused.values()) {
    const text = entry.parts.text;
    if (text !== undefined && lists.vector !== undefined && !isEmbedded(entry.passage)) entry.score += weights.vector / (weights.k + text.rank);
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1));
}

const isEmbedded = (passage: IndexedPassage | PassageRef): boolean => ('embedded' in passage ? passage.embedded : passage.vector !== undefined);

/** Passages that match equally many names share the rank of the first of them. */
function rankWithTies(list: readonly { score: number }[], at: number): number {
  const score = list[at]?.score;
  let first = at;
  while (first > 0 && list[first - 1]?.score === score) first--;
  return first + 1;
}
