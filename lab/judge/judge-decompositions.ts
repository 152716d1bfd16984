import {
  type Decomposition,
  type Dimension,
  DIMENSIONS,
  mapDimensions,
  type PairJudge,
  type PairVerdict,
  type Preference,
  type Preferences,
} from './model-judge.ts';
import { sum } from '#base';
import { figureOf } from '../statistics.ts';

interface DimensionReport {
  first: number;
  second: number;
  ties: number;
  /** Share of wins of the second over the first, ties counted half; 0.5 is no difference. With its 95 % interval. */
  preference: number;
  ci95: [number, number];
  /** Share of pairs for which both orders said the same: what the judge's word is worth. */
  agreement: number;
}

interface JudgeReport {
  pairs: number;
  /** Pairs that were equal and were not shown to the judge; they count as ties. */
  equal: number;
  dimensions: Record<Dimension, DimensionReport>;
  tokens: number;
}

interface JudgedPair {
  question: string;
  /** undefined: both were equal. */
  verdict: PairVerdict | undefined;
}

/** Compares decompositions of the same questions pair by pair; questions that only one side has are left out. */
export async function judgeDecompositions(
  first: readonly Decomposition[],
  second: readonly Decomposition[],
  judge: PairJudge,
  signal: AbortSignal,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<JudgedPair[]> {
  const others = new Map(second.map((decomposition) => [keyOf(decomposition), decomposition]));
  const pairs = first.flatMap((a) => {
    const b = others.get(keyOf(a));
    return b ? [{ a, b }] : [];
  });
  const judged: JudgedPair[] = [];
  for (const { a, b } of pairs) {
    signal.throwIfAborted();
    const equal =
      a.steps.length === b.steps.length &&
      a.steps.every((step, i) => step.trim().toLowerCase() === b.steps[i]?.trim().toLowerCase());
    judged.push({
      question: a.question,
      verdict: equal ? undefined : await judge(a.question, a.steps, b.steps, signal),
    });
    progress(judged.length, pairs.length);
  }
  return judged;
}

export function reportJudged(judged: readonly JudgedPair[], seed: number): JudgeReport {
  const verdicts = judged.flatMap((pair) => pair.verdict ?? []);
  return {
    pairs: judged.length,
    equal: judged.length - verdicts.length,
    tokens: sum(verdicts.map(({ tokens }) => tokens)),
    dimensions: mapDimensions((dimension) => {
      const preferences = judged.map((pair): Preference => pair.verdict?.preferences[dimension] ?? 'tie');
      const points = preferences.map((preference) => (preference === 'second' ? 1 : preference === 'tie' ? 0.5 : 0));
      const { mean: preference, ci95 } = figureOf(points, seed);
      const count = (preference: Preference): number => preferences.filter((one) => one === preference).length;
      return {
        first: count('first'),
        second: count('second'),
        ties: count('tie'),
        preference,
        ci95,
        agreement:
          verdicts.length === 0
            ? 1
            : verdicts.filter(({ orders: [straight, swapped] }) => straight[dimension] === swapped[dimension]).length /
              verdicts.length,
      };
    }),
  };
}

/**
 * Cohen's κ (1960) of two judges' preferences over the same pairs and all dimensions: 1 full agreement, 0 what chance
 * would give.
 */
export function judgesAgreement(one: readonly Preferences[], other: readonly Preferences[]): number {
  const pairs = one.flatMap((preferences, i) =>
    DIMENSIONS.flatMap((dimension) => {
      const second = other[i]?.[dimension];
      return second ? [[preferences[dimension], second] as const] : [];
    }),
  );
  if (pairs.length === 0) return 0;
  const observed = pairs.filter(([a, b]) => a === b).length / pairs.length;
  const share = (side: 0 | 1, preference: Preference): number =>
    pairs.filter((pair) => pair[side] === preference).length / pairs.length;
  const expected = (['first', 'second', 'tie'] as const).reduce(
    (sum, preference) => sum + share(0, preference) * share(1, preference),
    0,
  );
  return expected === 1 ? 1 : (observed - expected) / (1 - expected);
}

const keyOf = ({ question }: Decomposition): string => question.trim().toLowerCase();
