import { type ChainHeads, FeatureChainScorer, searchChains } from '#search/lab';
import type { ExampleGroup } from './recording-scorer.ts';
import { trainChainScorer, type TrainingOptions } from './train-chain-scorer.ts';
import {
  FOLDS,
  goldGuide,
  HOPS,
  headsGuide,
  log,
  searchAll,
  trainFolds,
  type CrossValidationPorts,
} from './cross-validate.ts';
import type { QuestionSet } from './question-sets.ts';
import { asking, settingsOf, type RecordedSearch } from './recorded-search.ts';

export interface LearnedChains {
  /** Heads trained on every question. */
  heads: ChainHeads;
  /** Heads of each fold, which saw none of its questions. */
  foldHeads: ChainHeads[];
  /** Every question searched by the heads of its fold, with their own stopping: what the figures are made of. */
  searches: RecordedSearch[];
}

/** Heads that only lead the next round of searches: fewer trees, and two halves instead of folds. */
const SCOUTING: TrainingOptions['boosting'] = { first: { trees: 50 }, next: { trees: 70 } };
const HALVES = 2;

/**
 * Learns heads from searches: first led by the right answers, then by heads that have not seen the question, so that
 * the states learnt from are those that heads get into by themselves (dataset aggregation, Ross, Gordon and Bagnell
 * 2011). The completeness model learns from a third round, as it reads the heads' logits.
 *
 * @param sets Questions that are learnt from and scored, each only by heads that did not see it.
 * @param extra Questions that are only learnt from.
 * @param validate False: no question is scored by heads that did not see it, which halves the time. Folders that stand
 *   aside tell what the heads are worth (measure-folders.ts).
 */
export async function learnChains(
  sets: readonly QuestionSet[],
  extra: readonly QuestionSet[],
  start: ChainHeads,
  folds: ReadonlyMap<string, number>,
  options: TrainingOptions,
  ports: CrossValidationPorts,
  validate = true,
): Promise<LearnedChains> {
  const foldOf = (id: string): number => folds.get(id) ?? 0;
  const hopsOnly = (searches: readonly RecordedSearch[]): ExampleGroup[] =>
    searches.flatMap((search) => search.groups).filter((group) => group.head !== 'complete');

  log('round 1: led by the right answers');
  const groups = hopsOnly(await searchAll([...sets, ...extra], (question) => goldGuide(start, question), ports));
  const scouts = trainFolds(groups, folds, { ...options, boosting: SCOUTING }, HALVES);
  log('round 2: led by heads that have not seen the question');
  groups.push(
    ...hopsOnly(await searchAll(sets, (question) => headsGuide(scouts[foldOf(question.id) % HALVES] ?? {}), ports)),
  );
  const parts = validate ? FOLDS : HALVES;
  const foldHops = trainFolds(groups, folds, options, parts);
  log('round 3: chains of the trained heads, for the completeness model');
  // All are led to the same length: a model that saw only chains near the gold length would not know what to make of
  // others.
  const judged = await searchAll(
    [...sets, ...extra],
    (question) => headsGuide(foldHops[foldOf(question.id) % parts] ?? {}),
    ports,
    () => HOPS,
  );
  const complete = balanceLengths(judged);
  const heads = asHeads({ ...trainChainScorer(groups, options), ...trainChainScorer(complete, options) });
  if (!validate) return { heads, foldHeads: [], searches: [] };
  const foldComplete = trainFolds(complete, folds, options);
  const foldHeads = Array.from({ length: FOLDS }, (_, fold) => asHeads({ ...foldHops[fold], ...foldComplete[fold] }));
  log('scoring every question by the heads of its fold');
  const searches = await searchByFolds(sets, foldHeads, folds, ports);
  return { heads, foldHeads, searches };
}

/** Every question as the product would search it, by the heads of its fold. */
export async function searchByFolds(
  sets: readonly QuestionSet[],
  foldHeads: readonly ChainHeads[],
  folds: ReadonlyMap<string, number>,
  ports: CrossValidationPorts,
  without: 'nothing' | 'gold' = 'nothing',
): Promise<RecordedSearch[]> {
  const { embedder, profiles } = ports;
  const searches: RecordedSearch[] = [];
  const scorers = foldHeads.map((heads) => new FeatureChainScorer({ prose: heads }, profiles));
  for (const set of sets) {
    for (const question of set.questions) {
      const scorer = scorers[folds.get(question.id) ?? 0];
      if (scorer === undefined) continue;
      for (const setting of settingsOf(question)) {
        const filter = {
          ...(setting === 'distractor' && { ids: [...(question.pool ?? [])] }),
          ...(without === 'gold' && { excludeIds: [...question.gold] }),
        };
        const found = await searchChains(
          { index: set.index, embedder: asking(embedder, set), scorer, profiles, now: () => performance.now() },
          question.question,
          { filter },
        );
        searches.push({ question, setting, found, groups: [] });
      }
    }
  }
  return searches;
}

/**
 * Completeness examples in which each gold length weighs by the root of its frequency: that most questions of the sets
 * need two passages says nothing about the questions that people ask. Those that one place answers, of which folders
 * have the most, weigh no more than all others together: a trail that always ends at once is none.
 */
function balanceLengths(searches: readonly RecordedSearch[]): ExampleGroup[] {
  const counts = new Map<number, number>();
  for (const { question } of searches) counts.set(question.gold.length, (counts.get(question.gold.length) ?? 0) + 1);
  const usual = searches.length / Math.max(1, counts.size);
  const alone = counts.get(1) ?? 0;
  const ofAlone = Math.min(1, (searches.length - alone) / Math.max(1, alone));
  const weightOf = (length: number): number =>
    Math.min(3, Math.sqrt(usual / (counts.get(length) ?? 1))) * (length === 1 ? ofAlone : 1);
  return searches.flatMap(({ question, groups }) =>
    groups
      .filter((group) => group.head === 'complete')
      .map((group) => ({ ...group, weight: weightOf(question.gold.length) })),
  );
}

function asHeads({ first, next, complete }: Partial<ChainHeads>): ChainHeads {
  if (first === undefined || next === undefined || complete === undefined)
    throw new RangeError('Every head needs examples: the sets hold no question with gold passages.');
  return { first, next, complete };
}
