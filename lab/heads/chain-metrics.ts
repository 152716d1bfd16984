import { type BeamChain, decide, goldItemOf, type Passage, rankHits } from '#search/lab';
import { mean } from '#base';
import { retrievalMetrics } from '../evaluation/retrieval-metrics.ts';
import type { RecordedSearch } from './recorded-search.ts';
import { bootstrapInterval } from '../statistics.ts';

/** Metrics of one recorded search, its own stopping replayed from the completeness that each chain was given. */
export function scoreSearch({ question, found }: RecordedSearch): Record<string, number> {
  const chains = decide(found.result.chains);
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
export function summarise(
  searches: readonly RecordedSearch[],
  names: readonly string[],
): Record<string, Record<string, { mean: number; ci95: [number, number] }>> {
  const rows = new Map<string, Record<string, number>[]>();
  for (const search of searches) {
    const key = `${search.question.set} ${search.setting}`;
    rows.set(key, [...(rows.get(key) ?? []), scoreSearch(search)]);
  }
  return Object.fromEntries(
    [...rows].map(([key, values]) => [
      key,
      Object.fromEntries(
        names.map((name) => {
          const column = values.map((value) => value[name] ?? 0);
          return [
            name,
            { mean: round(mean(column)), ci95: bootstrapInterval(column, 1).map(round) as [number, number] },
          ];
        }),
      ),
    ]),
  );
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
