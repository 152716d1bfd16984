/**
 * Whether a round of learning pays: heads that have seen none of the questions learn from one half of each set as a user's product
 * would, and are tested on the other half.
 *
 *   npx tsx src/evaluation/training/measure-round.ts [--data ../shared/data] [--cache FOLDER] [--json]
 *
 * Three teachers, from none to all that can be known: `alone` (the product's own word: chain complete and evidence enough; no person),
 * `thumbs` (a person who likes answers whose trail was right, and nothing else), `gold` (right trails are told). Deterministic.
 */
import path from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openEmbedder } from '../../indexing/embedding/open-embedder.ts';
import type { Embedder } from '../../indexing/embedder.ts';
import { decideGate } from '../../reasoning/experience/gate.ts';
import type { ChainScorerWeights } from '../../retrieval/chain-heads.ts';
import { decide } from '../../retrieval/chain/beam-search.ts';
import { searchChains, type FoundChains } from '../../retrieval/chain/chain-search.ts';
import { PassageProfiles } from '../../retrieval/features/passage-profile.ts';
import { FeatureChainScorer } from '../../retrieval/feature-chain-scorer.ts';
import { createChainLearner, type LabelledTrail } from '../../retrieval/learning/chain-learner.ts';
import { readPassages } from '../../retrieval/reader/read-passages.ts';
import { readReaderWeights } from '../../retrieval/reader/reader-weights.ts';
import { seededRandom } from '../../retrieval/learning/random.ts';
import { CachingEmbedder } from './caching-embedder.ts';
import { scoreSearch } from './chain-metrics.ts';
import { foldsOf } from './cross-validate.ts';
import { learnChains } from './learn-chains.ts';
import { loadEvidenceSet, loadWikipediaSet, WIKIPEDIA_SETS, type QuestionSet, type TrainingQuestion } from './question-sets.ts';
import { STARTING_HEADS } from './starting-heads.ts';
import { CODE_SETS, loadWorkspaceSet } from './workspace-sets.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.HOPTRAIL_DATA ?? path.join(root, '..', 'shared', 'data') },
    cache: { type: 'string', default: path.join(tmpdir(), 'hoptrail-training') },
    evidence: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});
const SEED = 1;
/** What the product asks of evidence and chain before a run without a person's word counts as having ended well. */
const ENOUGH = 0.6;
const TEACHERS = ['alone', 'thumbs', 'gold'] as const;
const METRICS = ['recall@5', 'chainEM'] as const;

type Teacher = (typeof TEACHERS)[number];
interface Asked { question: TrainingQuestion; found: FoundChains }

const startedAt = performance.now();
const log = (line: string): void => { process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}\n`); };

async function main(): Promise<void> {
  const embedder = new CachingEmbedder(await openEmbedder({ kind: 'bundled' }, { modelsDir: path.join(root, 'models') }), path.join(values.cache, 'vectors.bin'));
  const start = await startingWeights(embedder);
  const results = [];
  for (const load of [...WIKIPEDIA_SETS.map((name) => () => loadWikipediaSet(values.data, name, embedder)), ...CODE_SETS.map((name) => () => loadWorkspaceSet(values.data, name, { embedder, cacheDir: values.cache, packageRoot: root }))]) {
    results.push(...(await measure(await load(), embedder, start)));
  }
  await embedder.close();
  if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

/** Heads from questions of another set, with no question of those that are asked here. */
async function startingWeights(embedder: Embedder): Promise<ChainScorerWeights> {
  const evidence = await loadEvidenceSet(values.data, embedder);
  evidence.questions = evidence.questions.slice(0, Number(values.evidence));
  const { heads } = await learnChains([evidence], [], STARTING_HEADS, foldsOf([evidence]), { seed: SEED }, { embedder, profiles: new PassageProfiles(50_000), log });
  return { version: 1, embedder: embedder.id, trainedOn: { evidence: evidence.questions.length }, prose: heads };
}

async function measure(set: QuestionSet, embedder: Embedder, start: ChainScorerWeights): Promise<unknown[]> {
  const profiles = new PassageProfiles(50_000);
  const ports = { index: set.index, embedder, profiles, now: () => performance.now() };
  const ask = async (questions: readonly TrainingQuestion[], weights: ChainScorerWeights): Promise<Asked[]> => {
    const asked: Asked[] = [];
    const scorer = new FeatureChainScorer(weights, undefined, profiles);
    for (const question of questions) asked.push({ question, found: await searchChains({ ...ports, scorer }, question.question, {}) });
    return asked;
  };
  const [studied, tested] = [set.questions.filter((_, i) => i % 2 === 0), set.questions.filter((_, i) => i % 2 === 1)];
  const studies = await ask(studied, start);
  const before = (await ask(tested, start)).map(scored);
  const results = [];
  for (const teacher of TEACHERS) {
    const trails = await taught(teacher, studies, set, ports);
    if (trails === undefined) continue;
    const weights = await createChainLearner(ports, new FeatureChainScorer(start, undefined, profiles), start).train(trails, SEED);
    const after = (await ask(tested, weights)).map(scored);
    const right = trails.filter((trail) => studies.some(({ question, found }) => question.id === trail.id && isRight(question, found))).length;
    for (const metric of METRICS) {
      const verdict = decideGate(before.map((row, i) => ({ id: String(i), before: row[metric] ?? 0, after: after[i]?.[metric] ?? 0 })), seededRandom(SEED));
      const [low, high] = verdict.ci95;
      log(`${set.name}, ${teacher}: ${trails.length} trails of ${studied.length} (${right} found right), ${metric} ${verdict.before.toFixed(3)} → ${verdict.after.toFixed(3)} on ${verdict.questions}, difference ${verdict.difference.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}], p ${verdict.p.toFixed(3)}`);
      results.push({ set: set.name, teacher, trails: trails.length, right, metric, ...verdict });
    }
  }
  return results;
}

/** The trails that a teacher gives; undefined where it cannot: of files it is known that they are right, not which of their passages. */
async function taught(teacher: Teacher, studies: readonly Asked[], set: QuestionSet, ports: { index: QuestionSet['index']; embedder: Embedder; profiles: PassageProfiles }): Promise<LabelledTrail[] | undefined> {
  if (teacher === 'gold') return set.questions[0]?.goldIs === 'files' ? undefined : studies.map(({ question }) => ({ id: question.id, question: question.question, passageIds: question.gold }));
  const reader = readReaderWeights(path.join(root, 'models', 'reader.json'));
  const trails: LabelledTrail[] = [];
  for (const { question, found } of studies) {
    const chain = decide(found.result.chains)[0];
    if (chain === undefined) continue;
    const passageIds = chain.passages.map((passage) => passage.id);
    const endedWell = teacher === 'thumbs' ? isRight(question, found) : (await readPassages(ports, reader, question.question, passageIds)).answerability >= ENOUGH;
    if (endedWell) trails.push({ id: question.id, question: question.question, passageIds });
  }
  return trails;
}

const scored = ({ question, found }: Asked): Record<string, number> => scoreSearch({ question, setting: 'pooled', found, groups: [] });
const isRight = (question: TrainingQuestion, found: FoundChains): boolean => scored({ question, found })['chainEM'] === 1;

await main();
