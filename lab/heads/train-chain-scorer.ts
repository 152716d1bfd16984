import { seededRandom } from '#base';
import type { ChainHeads, HeadName, Model } from '#search/lab';
import { type BoostingOptions, DEFAULT_BOOSTING, type TrainingRows, trainTrees } from './gradient-boosting.ts';
import type { ExampleGroup } from './recording-scorer.ts';

export interface TrainingOptions {
  /** Boosting per head; unset values are the defaults. */
  boosting?: Partial<Record<HeadName, Partial<BoostingOptions>>>;
  /** Weight of each set of questions; 1 where unset. */
  setWeights?: Readonly<Record<string, number>>;
  /** Only these features, where given. */
  keepFeature?: (head: HeadName, name: string) => boolean;
  seed: number;
}

/** Boosting that cross-validation chose for each head. */
const HEAD_BOOSTING: Record<HeadName, BoostingOptions> = {
  first: { ...DEFAULT_BOOSTING, trees: 90 },
  next: { ...DEFAULT_BOOSTING, trees: 130 },
  complete: { ...DEFAULT_BOOSTING, trees: 100, depth: 3, leafWeight: 3 },
};

/**
 * Learns the heads of the chain scorer from groups of scored rivals. Equal examples and options give equal heads. A
 * head without examples is undefined in the result.
 */
export function trainChainScorer(examples: readonly ExampleGroup[], options: TrainingOptions): Partial<ChainHeads> {
  const heads: Partial<ChainHeads> = {};
  for (const head of ['first', 'next', 'complete'] as const) {
    const groups = examples.filter((group) => group.head === head && group.rows.length > 0);
    if (groups.length > 0) heads[head] = trainHead(head, groups, options);
  }
  return heads;
}

/** One head from its groups. */
function trainHead(head: HeadName, groups: readonly ExampleGroup[], options: TrainingOptions): Model {
  const all = groups[0]?.features ?? [];
  const features = all.filter((name) => options.keepFeature?.(head, name) ?? true);
  return trainTrees(
    sampledRows(features, groups, options.seed, ({ set }) => options.setWeights?.[set] ?? 1),
    { ...HEAD_BOOSTING[head], ...options.boosting?.[head], seed: options.seed },
  );
}

/** The rows of groups that are learnt from, in the order of these features; 0 for one that a group lacks. */
function sampledRows(
  features: readonly string[],
  groups: readonly ExampleGroup[],
  seed: number,
  weightOf: (group: ExampleGroup) => number = () => 1,
): TrainingRows {
  const random = seededRandom(seed);
  const rows: Float64Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const group of groups) {
    const columns = features.map((name) => group.features.indexOf(name));
    const isWhole = columns.length === group.features.length && columns.every((column, i) => column === i);
    for (const { at, weight } of sampleRivals(group, random)) {
      const row = group.rows[at];
      rows.push(isWhole && row ? row : Float64Array.from(columns, (column) => row?.[column] ?? 0));
      labels.push(group.labels[at] ?? 0);
      weights.push(weightOf(group) * (group.weight ?? 1) * weight);
    }
  }
  return { features, rows, labels, weights };
}

const HARD_RIVALS = 10;
const OTHER_RIVALS = 6;

/**
 * All right rows, the rivals nearest in meaning, and some of the others, which then stand for all of them by weight.
 */
function sampleRivals(group: ExampleGroup, random: () => number): { at: number; weight: number }[] {
  const by = Math.max(
    group.features.indexOf('residualCosine'),
    group.head === 'first' ? group.features.indexOf('cosine') : -1,
  );
  const right = group.labels.flatMap((label, at) => (label > 0 ? [{ at, weight: 1 }] : []));
  const rivals = group.labels.flatMap((label, at) => (label > 0 ? [] : [at]));
  if (by < 0 || rivals.length <= HARD_RIVALS + OTHER_RIVALS)
    return [...right, ...rivals.map((at) => ({ at, weight: 1 }))];
  rivals.sort((a, b) => (group.rows[b]?.[by] ?? 0) - (group.rows[a]?.[by] ?? 0));
  const others = rivals.slice(HARD_RIVALS);
  const weight = others.length / OTHER_RIVALS;
  const drawn = Array.from(
    { length: OTHER_RIVALS },
    () => others.splice(Math.floor(random() * others.length), 1)[0] ?? 0,
  );
  return [
    ...right,
    ...rivals.slice(0, HARD_RIVALS).map((at) => ({ at, weight: 1 })),
    ...drawn.map((at) => ({ at, weight })),
  ];
}
