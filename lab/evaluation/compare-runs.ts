import { mean } from '#base';
import type { EvaluationRecord } from './records.ts';
import { figureOf, pairedPermutationTest } from '../statistics.ts';

interface MetricComparison {
  metric: string;
  n: number;
  a: number;
  b: number;
  /** b − a with its 95 % interval. */
  difference: number;
  ci95: [number, number];
  /** Two-sided p of the paired permutation test. */
  p: number;
  better: number;
  worse: number;
}

/** Compares two runs question by question, over the questions that both hold. */
export function compareRuns(
  a: readonly EvaluationRecord[],
  b: readonly EvaluationRecord[],
  seed: number,
): MetricComparison[] {
  const others = new Map(b.map((record) => [record.id, record]));
  const pairs = a.flatMap((record) => {
    const other = others.get(record.id);
    return other ? [[record, other] as const] : [];
  });
  const names = new Set(
    pairs.flatMap(([first, second]) => Object.keys(first.metrics).filter((name) => name in second.metrics)),
  );
  return [...names].map((metric) => {
    const values = pairs.flatMap(([first, second]) => {
      const x = first.metrics[metric];
      const y = second.metrics[metric];
      return x === undefined || y === undefined ? [] : [[x, y] as const];
    });
    const differences = values.map(([x, y]) => y - x);
    const { mean: difference, ci95 } = figureOf(differences, seed);
    return {
      metric,
      n: values.length,
      a: mean(values.map(([x]) => x)),
      b: mean(values.map(([, y]) => y)),
      difference,
      ci95,
      p: pairedPermutationTest(differences, seed),
      better: differences.filter((d) => d > 0).length,
      worse: differences.filter((d) => d < 0).length,
    };
  });
}
