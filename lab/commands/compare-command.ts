import { compareRuns } from '../evaluation/compare-runs.ts';
import { requireRecords } from '../evaluation/records.ts';
import { type Output, UsageError } from '#cli/lab';
import { signed } from '../statistics.ts';

/** `hoptrail eval compare A B`: two record files, question by question. */
export function compareCommand(
  first: string,
  second: string,
  options: { seed: number; json?: boolean },
  output: Output,
): void {
  const comparisons = compareRuns(requireRecords(first), requireRecords(second), options.seed);
  if (comparisons.length === 0)
    throw new UsageError(`${first} and ${second} have no question and metric in common.`, {
      advice: 'Name two files that `hoptrail eval … --out` wrote for the same data and task.',
    });
  if (options.json) {
    output.json(comparisons);
    return;
  }
  for (const { metric, n, a, b, difference, ci95, p, better, worse } of comparisons) {
    output.out(
      `${metric.padEnd(16)} ${a.toFixed(3)} → ${b.toFixed(3)}  ${signed(difference)} (95 % ${signed(ci95[0])} ` +
        `to ${signed(ci95[1])}), p ${p.toFixed(4)}; ${better} better, ${worse} worse of ${n}`,
    );
  }
}
