/**
 * Whether a round of learning pays: heads that have seen none of the questions learn from one half of each set as a
 * user's product would, and are tested on the other half, both ways round.
 *
 * npx tsx lab/heads/measure-round.ts [--data ../shared/data] [--cache FOLDER] [--json]
 *
 * With each of the teachers of round-teachers.ts. Prints the table of lab/EXPERIMENTS.md. Deterministic.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type ChainScorerWeights,
  createChainLearner,
  HeadsInUse,
  type Embedder,
  FeatureChainScorer,
  PassageProfiles,
  readReaderWeights,
  searchChains,
} from '#search/lab';
import { modelsDir, PLACES } from '../places.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { foldsOf, log } from './cross-validate.ts';
import { learnChains } from './learn-chains.ts';
import {
  loadEvidenceSet,
  loadWikipediaSet,
  WIKIPEDIA_SETS,
  type QuestionSet,
  type TrainingQuestion,
} from './question-sets.ts';
import { halvesOf, judgeRound, printRound, type RoundResult, type TestedQuestion } from './round-report.ts';
import { isRight, scored, teachersOf, trailsBy, type Asked } from './round-teachers.ts';
import { STARTING_HEADS } from './starting-heads.ts';
import { CODE_SETS, loadWorkspaceSet } from './workspace-sets.ts';

const { values } = parseArgs({
  options: {
    data: PLACES.data,
    cache: PLACES.cache,
    evidence: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});
const SEED = 1;

async function main(): Promise<void> {
  const embedder = await openCachingEmbedder(values.cache);
  const start = await startingWeights(embedder);
  const results: RoundResult[] = [];
  for (const load of [
    ...WIKIPEDIA_SETS.map((name) => () => loadWikipediaSet(values.data, name, embedder)),
    ...CODE_SETS.map((name) => () => loadWorkspaceSet(values.data, name, { embedder, cacheDir: values.cache })),
  ]) {
    results.push(...(await measure(await load(), embedder, start)));
  }
  await embedder.close();
  process.stdout.write(`${values.json ? JSON.stringify(results) : printRound(results)}\n`);
}

/** Heads from questions of another set, with no question of those that are asked here. */
async function startingWeights(embedder: Embedder): Promise<ChainScorerWeights> {
  const evidence = await loadEvidenceSet(values.data, embedder);
  evidence.questions = evidence.questions.slice(0, Number(values.evidence));
  const { heads } = await learnChains(
    [evidence],
    [],
    STARTING_HEADS,
    foldsOf([evidence]),
    { seed: SEED },
    { embedder, profiles: new PassageProfiles(50_000) },
  );
  return { version: 1, embedder: embedder.id, trainedOn: { evidence: evidence.questions.length }, prose: heads };
}

/** Each half teaches, and the other is asked. */
async function measure(set: QuestionSet, embedder: Embedder, start: ChainScorerWeights): Promise<RoundResult[]> {
  const profiles = new PassageProfiles(50_000);
  const ports = { index: set.index, embedder, profiles, now: () => performance.now() };
  const ask = async (questions: readonly TrainingQuestion[], weights: ChainScorerWeights): Promise<Asked[]> => {
    const asked: Asked[] = [];
    const scorer = new FeatureChainScorer(weights, profiles);
    for (const question of questions)
      asked.push({ question, found: await searchChains({ ...ports, scorer }, question.question, {}) });
    return asked;
  };
  const [even, odd] = halvesOf(await ask(set.questions, start));
  const reader = readReaderWeights(path.join(modelsDir, 'reader.json'));
  const results: RoundResult[] = [];
  for (const teacher of teachersOf(set)) {
    const tested: TestedQuestion[] = [];
    const learnt = { trails: 0, right: 0 };
    for (const [studied, asked] of [
      [even, odd],
      [odd, even],
    ] as const) {
      const trails = await trailsBy(teacher, studied, { ...ports, reader });
      const weights = await createChainLearner(
        ports,
        new HeadsInUse(start, new FeatureChainScorer(start, profiles)),
      ).train(trails, SEED);
      const after = await ask(
        asked.map(({ question }) => question),
        weights,
      );
      asked.forEach((before, i) =>
        tested.push({ id: before.question.id, before: scored(before), after: scored(after[i] as Asked) }),
      );
      learnt.trails += trails.length;
      learnt.right += studied.filter(
        (one) => isRight(one) && trails.some((trail) => trail.id === one.question.id),
      ).length;
    }
    const judged = judgeRound({ set: set.name, teacher, ...learnt }, tested, SEED);
    for (const { metric, before, after, p } of judged)
      log(
        `${set.name}, ${teacher}: ${learnt.trails} trails (${learnt.right} found right), ${metric} ` +
          `${before.toFixed(3)} → ${after.toFixed(3)}, p ${p.toFixed(3)}`,
      );
    results.push(...judged);
  }
  return results;
}

await main();
