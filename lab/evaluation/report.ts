import { sum } from '#base';
import type { EvaluationRecord } from './records.ts';
import { figureOf, roundedFigure, timesOf } from '../statistics.ts';

export type EvaluationTask = 'retrieval' | 'answer' | 'classify' | 'abstain';

/** What `hoptrail eval` prints. */
export interface EvaluationReport extends EvaluationFigures {
  task: EvaluationTask;
  data: string;
  setting: string;
  retriever: string;
  config: Record<string, unknown>;
  /** Counts by gold and predicted type. */
  confusion?: Record<string, Record<string, number>>;
}

/** Metrics from 0 to 1, except those under `costs`, which are per question. */
export interface EvaluationFigures {
  n: number;
  metrics: Record<string, number>;
  /** 95 % bootstrap intervals, of costs, too. */
  ci95: Record<string, [number, number]>;
  /** Model calls, tokens, seconds per question. */
  costs?: Record<string, number>;
  ms: { p50: number; p95: number };
  /** Language-model tokens over all questions. */
  tokens: number;
}

/** Keys of record metrics that are costs, not shares. */
const COSTS = new Set(['calls', 'tokens', 'seconds']);

export function summarise(records: readonly EvaluationRecord[], seed: number): EvaluationFigures {
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
    n: records.length,
    metrics,
    ci95,
    ...(Object.keys(costs).length > 0 ? { costs } : {}),
    ms: timesOf(records.map((record) => record.ms)),
    tokens: sum(records.map(({ tokens }) => tokens)),
  };
}
