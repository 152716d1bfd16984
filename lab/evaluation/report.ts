import type { EvaluationRecord } from './records.ts';
import { figureOf, roundedFigure, timesOf } from '../statistics.ts';

export type EvaluationTask = 'retrieval' | 'answer' | 'classify' | 'abstain';

/** What `hoptrail eval` prints. Metrics from 0 to 1, except those under `costs`, which are per question. */
export interface EvaluationReport {
  task: EvaluationTask;
  data: string;
  setting: string;
  retriever: string;
  n: number;
  metrics: Record<string, number>;
  /** 95 % bootstrap intervals, of costs, too. */
  ci95: Record<string, [number, number]>;
  /** Model calls, tokens, seconds per question. */
  costs?: Record<string, number>;
  /** Counts by gold and predicted type. */
  confusion?: Record<string, Record<string, number>>;
  ms: { p50: number; p95: number };
  /** Language-model tokens over all questions. */
  tokens: number;
  config: Record<string, unknown>;
}

/** Keys of record metrics that are costs, not shares. */
const COSTS = new Set(['calls', 'tokens', 'seconds']);

export function summarise(
  records: readonly EvaluationRecord[],
  about: Omit<EvaluationReport, 'n' | 'metrics' | 'ci95' | 'ms' | 'tokens' | 'costs'>,
  seed: number,
): EvaluationReport {
  const names = [...new Set(records.flatMap((record) => Object.keys(record.metrics)))];
  const metrics: Record<string, number> = {};
  const ci95: Record<string, [number, number]> = {};
  const costs: Record<string, number> = {};
  for (const name of names) {
    const values = records.flatMap((record) => record.metrics[name] ?? []);
    const figure = roundedFigure(figureOf(values, seed), 4);
    (COSTS.has(name) ? costs : metrics)[name] = figure.mean;
    ci95[name] = figure.ci95;
  }
  return {
    ...about,
    n: records.length,
    metrics,
    ci95,
    ...(Object.keys(costs).length > 0 ? { costs } : {}),
    ms: timesOf(records.map((record) => record.ms)),
    tokens: records.reduce((sum, record) => sum + record.tokens, 0),
  };
}
