import type { IndexedPassage, PassageIndex } from '../../store/passage-index.ts';
import type { SearchHit } from '../../domain/passage-chain.ts';
import { weightByRole } from '../anchors.ts';
import { readFused } from '../hybrid-search.ts';
import { toPassage } from '../passages.ts';
import { sigmoid } from '../heads/model.ts';
import type { FoundChains } from './chain-search.ts';

/**
 * The beam as a reranker: the chosen chain's passages first, then the rest by the best that any kept chain said of
 * them, weighted by how likely that chain is; the head of the hybrid list fills what is left.
 */
export function rankHits(
  { question, ranked, others, result }: Pick<FoundChains, 'question' | 'ranked' | 'others' | 'result'>,
  limit: number,
): SearchHit[] {
  const chosen = result.chains[0]?.passages ?? [];
  const inChain = new Set(chosen.map((passage) => passage.id));
  const weightOf = weightByRole(question.text);
  const rest = [...marginals(result)]
    .map(([id, { passage, score }]) => [id, { passage, score: score * weightOf(passage.path) }] as const)
    .filter(([id]) => !inChain.has(id))
    .sort((a, b) => b[1].score - a[1].score || (a[0] < b[0] ? -1 : 1));
  const order: { passage: IndexedPassage; score: number }[] = [
    ...chosen.map((passage, i) => ({ passage, score: 1 + (chosen.length - i) })),
    ...rest.map(([, entry]) => entry),
  ];
  const listed = new Set(order.map(({ passage }) => passage.id));
  for (const { passage } of ranked) if (!listed.has(passage.id)) order.push({ passage, score: 0 });
  const parts = new Map([...ranked, ...others].map((entry) => [entry.passage.id, entry.parts]));
  return order.slice(0, limit).map(({ passage, score }, i) => ({
    passage: toPassage(passage),
    score,
    folded: [],
    parts: { ...parts.get(passage.id), ...(score > 0 ? { beam: { rank: i + 1, score } } : {}) },
  }));
}

/** As {@link rankHits}; where even those are fewer than `limit`, the rest of the hybrid list follows. */
export async function rankAllHits(
  index: PassageIndex,
  found: Pick<FoundChains, 'question' | 'ranked' | 'others' | 'result'>,
  limit: number,
): Promise<SearchHit[]> {
  const hits = rankHits(found, limit);
  const listed = new Set(hits.map(({ passage }) => passage.id));
  const missing = found.others.filter(({ passage }) => !listed.has(passage.id)).slice(0, limit - hits.length);
  const rows = missing.length === 0 ? [] : await readFused(index, missing, { vectors: false });
  return [
    ...hits,
    ...rows.map(({ passage, parts }): SearchHit => ({ passage: toPassage(passage), score: 0, folded: [], parts })),
  ];
}

/**
 * Per passage the largest probability that some chain with it is right: that of the chain before it times that of the
 * hop.
 */
function marginals({ extensions }: FoundChains['result']): Map<string, { passage: IndexedPassage; score: number }> {
  const best = new Map<string, { passage: IndexedPassage; score: number }>();
  for (const { passage, logit, chainScore } of extensions) {
    const score = sigmoid(logit) * Math.exp(chainScore);
    const known = best.get(passage.id);
    if (known === undefined || known.score < score) best.set(passage.id, { passage, score });
  }
  return best;
}
