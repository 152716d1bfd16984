import { decideGate, type GateVerdict, type ScoredPair } from '#learning/lab';
import { seededRandom } from '#base';
import { markdownTable } from '../statistics.ts';
import type { Teacher } from './round-teachers.ts';

const ROUND_METRICS = ['recall@5', 'chainEM'] as const;
type RoundMetric = (typeof ROUND_METRICS)[number];

/** One question's metrics before and after a round that did not learn from it. */
export interface TestedQuestion {
  id: string;
  before: Record<string, number>;
  after: Record<string, number>;
}

/**
 * What a teacher's trails did for a set, by one metric. `p` is one-sided, of a paired sign-flip test over all questions
 * of the set.
 */
export interface RoundResult extends GateVerdict {
  set: string;
  teacher: Teacher;
  /** Trails learnt from, in both halves together, and those of them that the heads before had found right. */
  trails: number;
  right: number;
  metric: RoundMetric;
}

/** Questions by turns: what one half teaches, the other is asked, both ways round. */
export const halvesOf = <T>(questions: readonly T[]): [T[], T[]] => [
  questions.filter((_, i) => i % 2 === 0),
  questions.filter((_, i) => i % 2 === 1),
];

export function judgeRound(
  round: Pick<RoundResult, 'set' | 'teacher' | 'trails' | 'right'>,
  tested: readonly TestedQuestion[],
  seed: number,
): RoundResult[] {
  return ROUND_METRICS.map((metric) => {
    const pairs = tested.map(({ id, before, after }): ScoredPair => ({
      id,
      before: before[metric] ?? 0,
      after: after[metric] ?? 0,
    }));
    return { ...round, metric, ...decideGate(pairs, seededRandom(seed)) };
  });
}

const WORDS: Record<RoundMetric, string> = { 'recall@5': 'recall@5', chainEM: 'exact chain' };

/** The results as a Markdown table, with the number of tests among which a small p is to be read. */
export function printRound(results: readonly RoundResult[]): string {
  const three = (value: number): string => value.toFixed(3);
  const signed = (value: number): string => `${value < 0 ? '' : '+'}${three(value)}`;
  const rows = results.map(
    ({ set, teacher, metric, trails, questions, before, after, difference, ci95: [low, high], p }) => {
      const interval = `${signed(difference)} [${signed(low)}, ${signed(high)}]`;
      const figures = [three(before), three(after), interval, p.toFixed(4), `${questions}`];
      return [set, teacher, `${trails}`, WORDS[metric], ...figures];
    },
  );
  return [
    markdownTable(['set', 'teacher', 'trails', 'metric', 'before', 'after', 'difference', 'p', 'questions'], rows),
    '',
    `${results.length} tests, each one-sided; with as many, the smallest p must be below ` +
      `${(0.05 / Math.max(1, results.length)).toFixed(4)} to be no chance at 0.05 (Bonferroni).`,
  ].join('\n');
}
