import { type ChainHeads, type Embedder, type PassageProfiles, predictTable } from '#search/lab';
import { type ExampleGroup, goldItemOf, type Guide } from './recording-scorer.ts';
import { trainChainScorer, type TrainingOptions } from './train-chain-scorer.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';
import { recordSearch, settingsOf, type RecordedSearch } from './recorded-search.ts';

export interface CrossValidationPorts {
  embedder: Embedder;
  profiles: PassageProfiles;
}

const startedAt = performance.now();
/** A line of what a program is at, with the seconds since it began. */
export const log = (line: string): void => {
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}\n`);
};

export const FOLDS = 5;
/** Longest chain that training looks at: one more than the longest gold chain. */
export const HOPS = 5;

/**
 * Fold of every question, by its place in its set: each fold holds a fifth of every set. What was made from a question
 * goes where that is.
 */
export function foldsOf(sets: readonly QuestionSet[]): Map<string, number> {
  const folds = new Map<string, number>();
  for (const set of sets)
    set.questions.forEach(({ id, partOf }, i) =>
      folds.set(id, (partOf === undefined ? undefined : folds.get(partOf)) ?? i % FOLDS),
    );
  return folds;
}

/**
 * Heads for questions of each fold (or of the folds with one remainder, where there are to be fewer `parts`) that saw
 * none of them.
 */
export function trainFolds(
  groups: readonly ExampleGroup[],
  folds: ReadonlyMap<string, number>,
  options: TrainingOptions,
  parts = FOLDS,
): Partial<ChainHeads>[] {
  return Array.from({ length: parts }, (_, part) =>
    trainChainScorer(
      groups.filter((group) => (folds.get(group.question) ?? 0) % parts !== part),
      options,
    ),
  );
}

/**
 * Asks every question in every setting, led by the guide that `guideFor` gives; chains grow to the length that `hopsOf`
 * gives, at most {@link HOPS}.
 */
export async function searchAll(
  sets: readonly QuestionSet[],
  guideFor: (question: TrainingQuestion) => Guide,
  ports: CrossValidationPorts,
  hopsOf = (question: TrainingQuestion): number => question.gold.length + 1,
): Promise<RecordedSearch[]> {
  const searches: RecordedSearch[] = [];
  for (const set of sets) {
    for (const question of set.questions) {
      for (const setting of settingsOf(question))
        searches.push(
          await recordSearch(set, question, setting, guideFor(question), Math.min(HOPS, hopsOf(question)), ports),
        );
    }
    log(`${set.name}: ${searches.length} searches so far`);
  }
  return searches;
}

/**
 * Led by the right answers: hand-set weights, and a lift for gold passages, so that the first states seen are mostly
 * those of good chains. The lift never reaches a feature.
 */
export function goldGuide(start: ChainHeads, question: TrainingQuestion): Guide {
  const gold = new Set(question.gold);
  return (head, table, passages) =>
    predictTable(start[head], table).map(
      (logit, i) => logit + (passages[i] !== undefined && gold.has(goldItemOf(question, passages[i])) ? 4 : 0),
    );
}

/** Led by trained heads. */
export const headsGuide =
  (heads: Partial<ChainHeads>): Guide =>
  (head, table) => {
    const model = heads[head];
    return model === undefined ? Array.from({ length: table.size }, () => 0) : predictTable(model, table);
  };
