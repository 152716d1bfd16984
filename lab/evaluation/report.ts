import { sum } from '#base';
import type { EvaluationRecord } from './records.ts';
import { figureOf, markdownTable, roundedFigure, timesOf } from '../statistics.ts';

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

const percent = (value: number): string => `${(100 * value).toFixed(1).padStart(5)} %`;

/** The report for people, one metric a line. */
export function printReport(report: EvaluationReport): string {
  const { task, data, setting, retriever, n, metrics, costs = {}, ci95, ms, confusion = {} } = report;
  const lines = [`${task} on ${data}, ${setting}${task === 'retrieval' ? `, ${retriever}` : ''}: ${n} questions`];
  const row = (name: string, value: number, shown: (value: number) => string): string => {
    const [low, high] = ci95[name] ?? [value, value];
    return `  ${name.padEnd(16)} ${shown(value)}   95 % ${shown(low)} to ${shown(high)}`;
  };
  for (const [name, value] of Object.entries(metrics)) lines.push(row(name, value, percent));
  const cost = (value: number): string => value.toFixed(1).padStart(7);
  for (const [name, value] of Object.entries(costs)) lines.push(`${row(name, value, cost)} per question`);
  lines.push(`  time             ${ms.p50} ms median, ${ms.p95} ms p95`);
  for (const [gold, counts] of Object.entries(confusion)) {
    const told = Object.entries(counts).map(([type, count]) => `${type} ${count}`);
    lines.push(`  ${gold.padEnd(12)} → ${told.join(', ')}`);
  }
  return lines.join('\n');
}

/** Retrievers as columns, metrics as rows, each with its interval. */
export function retrieverTable(reports: readonly EvaluationReport[]): string {
  const names = [...new Set(reports.flatMap(({ metrics }) => Object.keys(metrics)))];
  const cell = ({ metrics, ci95 }: EvaluationReport, name: string): string => {
    const [value, [low, high] = [0, 0]] = [metrics[name], ci95[name]];
    return value === undefined ? '–' : `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  };
  const rows = names.map((name) => [name, ...reports.map((report) => cell(report, name))]);
  const times = ['milliseconds, p50; p95', ...reports.map(({ ms }) => `${ms.p50}; ${ms.p95}`)];
  const head = [`${reports[0]?.n ?? 0} questions`, ...reports.map(({ retriever }) => retriever)];
  return markdownTable(head, [...rows, times]);
}
