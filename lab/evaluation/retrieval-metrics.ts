import { setF1 } from './answer-metrics.ts';
import type { GoldRange } from './dataset.ts';

/** Share of gold found among the first k. */
function recallAt(k: number, ranked: readonly string[], gold: ReadonlySet<string>): number {
  const found = new Set(ranked.slice(0, k).filter((id) => gold.has(id)));
  return gold.size === 0 ? 0 : found.size / gold.size;
}

/** 1 if every gold item is among the first k. */
const allAt = (k: number, ranked: readonly string[], gold: ReadonlySet<string>): number =>
  recallAt(k, ranked, gold) === 1 ? 1 : 0;

/**
 * Metrics of one question from 0 to 1, up to rank `most`. Chain metrics only where the retriever chose a chain.
 */
export function retrievalMetrics(
  ranked: readonly string[],
  chain: readonly string[] | undefined,
  goldItems: readonly string[],
  most = Infinity,
): Record<string, number> {
  const gold = new Set(goldItems);
  const metrics: Record<string, number> = {};
  for (const k of [1, 2, 5, 10, 20, 60]) if (k <= most) metrics[`recall@${k}`] = recallAt(k, ranked, gold);
  for (const k of [5, 10]) metrics[`all@${k}`] = allAt(k, ranked, gold);
  metrics['goldLengthEM'] = setF1(new Set(ranked.slice(0, gold.size)), gold) === 1 ? 1 : 0;
  if (chain) {
    const chosen = new Set(chain);
    metrics['chainF1'] = setF1(chosen, gold);
    metrics['chainEM'] = metrics['chainF1'] === 1 ? 1 : 0;
  }
  return metrics;
}

/** Lines of a file that were retrieved. */
interface RetrievedLines {
  path: string;
  startLine: number;
  endLine: number;
}

/** Share of the gold ranges that one of the first k passages touches, there or `instead`; 0 where there are none. */
export function rangesAt(k: number, ranked: readonly RetrievedLines[], gold: readonly GoldRange[]): number {
  const first = ranked.slice(0, k);
  const touches = ({ path, start, end }: GoldRange): boolean =>
    first.some((passage) => path === passage.path && passage.startLine <= end && passage.endLine >= start);
  const touched = gold.filter((range) => [range, ...(range.instead ?? [])].some(touches));
  return gold.length === 0 ? 0 : touched.length / gold.length;
}

/**
 * For questions whose evidence is known to the line. `lines any@k`: one of the first k passages touches a gold range;
 * `lines all@k`: every range is touched. A prompt shows 12 passages whole and lists 60.
 */
export function rangeMetrics(
  ranked: readonly RetrievedLines[],
  gold: readonly GoldRange[] | undefined,
): Record<string, number> {
  if (!gold?.length) return {};
  const at = (k: number): number => rangesAt(k, ranked, gold);
  return {
    'ranges@5': at(5),
    'ranges@10': at(10),
    'lines any@12': Number(at(12) > 0),
    'lines all@12': Number(at(12) === 1),
    'lines all@60': Number(at(60) === 1),
  };
}
