import { type BeamChain, decide, type Passage, rankHits } from '#search/lab';
import { goldItemOf } from './recording-scorer.ts';
import { retrievalMetrics } from '../evaluation/retrieval-metrics.ts';
import type { RecordedSearch } from './recorded-search.ts';
import { type Figures, figuresOf } from '../statistics.ts';

/**
 * Metrics of one recorded search.
 * @param chains The choice first; left out: its own stopping replayed from the completeness that each chain was given.
 */
function scoreSearch(
  { question, found }: RecordedSearch,
  chains: readonly BeamChain[] = decide(found.result.chains),
): Record<string, number> {
  const itemOf = (passage: Passage): string => goldItemOf(question, passage);
  const distinct = (passages: readonly Passage[]): string[] => [...new Set(passages.map(itemOf))];
  const hits = rankHits({ ...found, result: { ...found.result, chains } }, 60);
  const chain = distinct(chains[0]?.passages ?? []);
  const atLength = distinct(bestOfLength(found.result.chains, question.gold.length)?.passages ?? []);
  const gold = new Set(question.gold);
  const metrics = retrievalMetrics(distinct(hits.map((hit) => hit.passage)), chain, question.gold);
  return {
    ...metrics,
    goldLengthEM: Number(atLength.length === gold.size && atLength.every((id) => gold.has(id))),
    hops: chain.length,
  };
}

function bestOfLength(chains: readonly BeamChain[], length: number): BeamChain | undefined {
  return chains.filter((chain) => chain.passages.length === length).sort((a, b) => b.score - a.score)[0];
}

/** Means with 95 % intervals per set, setting and metric. */
export function summarise(searches: readonly RecordedSearch[], names: readonly string[]): Figures {
  const told = searches.flatMap((search) => {
    const metrics = scoreSearch(search);
    return names.map((name) => [`${search.question.set} ${search.setting}`, name, metrics[name] ?? 0] as const);
  });
  return figuresOf(told, 1);
}
