import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Embedder, openEmbedder, PassageProfiles, readReaderWeights, type TrainingOptions } from '#search/lab';
import { requireData } from '../evaluation/dataset.ts';
import { CachingEmbedder } from './caching-embedder.ts';
import { summarise } from './chain-metrics.ts';
import { FOLDS, foldsOf, type CrossValidationPorts } from './cross-validate.ts';
import { learnChains, searchByFolds } from './learn-chains.ts';
import { learnReader } from './learn-reader.ts';
import { loadEvidenceSet, loadNewsSet, loadWikipediaSet, WIKIPEDIA_SETS, type QuestionSet } from './question-sets.ts';
import { simulateNotes } from './simulated-notes.ts';
import { singleSteps } from './single-steps.ts';
import { STARTING_HEADS } from './starting-heads.ts';
import { CODE_SETS, loadWorkspaceSet } from './workspace-sets.ts';

/**
 * `npm run train:scorer`: learns the chain scorer and the reader from the question sets and writes
 * `models/chain-scorer.json` and `models/reader.json`. Deterministic for a seed. All figures that it prints and writes
 * down are five-fold cross-validated by question.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.HOPTRAIL_DATA ?? path.join(root, '..', 'shared', 'data') },
    out: { type: 'string', default: path.join(root, 'models') },
    cache: { type: 'string', default: path.join(tmpdir(), 'hoptrail-training') },
    evidence: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
  },
});

const startedAt = performance.now();
const log = (line: string): void => {
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}\n`);
};
const METRICS = [
  'recall@1',
  'recall@2',
  'recall@5',
  'recall@10',
  'all@5',
  'all@10',
  'goldLengthEM',
  'chainEM',
  'chainF1',
  'hops',
];

async function main(): Promise<void> {
  requireData(values.data);
  const embedder = new CachingEmbedder(
    await openEmbedder({ kind: 'bundled' }, { modelsDir: path.join(root, 'models') }),
    path.join(values.cache, 'vectors.bin'),
  );
  const ports: CrossValidationPorts = { embedder, profiles: new PassageProfiles(50_000), log };
  const seed = Number(values.seed);

  const wikipedia = await loadWikipedia(embedder);
  const evidence = await loadEvidenceSet(values.data, embedder);
  evidence.questions = evidence.questions.slice(0, Number(values.evidence));
  const made = [
    ...wikipedia.flatMap((set) => (set.name === 'musique' ? [singleSteps(values.data, set)] : [])),
    ...(await simulateSets(embedder, seed)),
  ];
  const news = await loadNewsSet(values.data, embedder);
  const answered = { ...news, questions: news.questions.filter(({ gold }) => gold.length > 0) };
  const unanswered = { ...news, questions: news.questions.filter(({ gold }) => gold.length === 0) };
  const folds = foldsOf([...wikipedia, evidence, ...made, news]);
  const options: TrainingOptions = {
    seed,
    setWeights: Object.fromEntries([
      [evidence.name, 0.4],
      ...made.map(({ name }): [string, number] => [name, name.endsWith('-steps') ? 0.5 : 0.7]),
    ]),
    // To the heads for prose a link counts as naming (see namesPassage in candidate-features.ts). Numbers of links mean
    // something else in each collection of notes, so that these heads do not see them.
    keepFeature: (_, name) => name !== 'linksOut' && name !== 'linksBack',
  };
  const prose = await learnChains(wikipedia, [evidence, ...made], STARTING_HEADS, folds, options, ports);
  const proseFigures = summarise(prose.searches, METRICS);
  print('passage chains', proseFigures);

  const code: QuestionSet[] = [];
  for (const name of CODE_SETS)
    code.push(await loadWorkspaceSet(values.data, name, { embedder, cacheDir: values.cache, packageRoot: root }));
  const codeFolds = foldsOf(code);
  const transferred = summarise(
    await searchByFolds(
      code,
      Array.from({ length: FOLDS }, () => prose.heads),
      codeFolds,
      ports,
    ),
    METRICS,
  );
  print('code, by the heads for prose', transferred);
  const learnedCode = await learnChains(code, [], STARTING_HEADS, codeFolds, options, ports);
  const codeFigures = summarise(learnedCode.searches, METRICS);
  print('code, by its own heads', codeFigures);

  const withoutGold = await searchByFolds(wikipedia, prose.foldHeads, folds, ports, 'gold');
  const notes = made.filter(({ name }) => !name.endsWith('-steps'));
  const elsewhere = await searchByFolds(
    [...askEachOther(wikipedia), ...askEachOther(notes)],
    prose.foldHeads,
    folds,
    ports,
  );
  // Taking the evidence of a question about the news away leaves other articles that tell the same: only its own
  // unanswerable questions are that.
  const reader = await learnReader(
    [...wikipedia, evidence],
    [
      { searches: prose.searches, answerable: true },
      { searches: withoutGold, answerable: false },
      { searches: elsewhere, answerable: false, elsewhere: true },
      {
        searches: await searchByFolds([answered], prose.foldHeads, folds, ports),
        answerable: true,
        teaches: 'refusing',
      },
      {
        searches: await searchByFolds([unanswered], prose.foldHeads, folds, ports),
        answerable: false,
        teaches: 'refusing',
      },
    ],
    folds,
    seed,
    ports,
  );
  print('reader', reader.figures);

  const questions = Object.fromEntries(
    [...wikipedia, evidence, ...made, news, ...code].map((set) => [set.name, set.questions.length]),
  );
  write('chain-scorer.json', {
    version: 1,
    embedder: embedder.id,
    trainedOn: {
      questions,
      seed,
      crossValidation: { prose: proseFigures, codeByProseHeads: transferred, code: codeFigures },
    },
    prose: prose.heads,
    code: learnedCode.heads,
  });
  // What `train-units.ts` learnt stays: it rests on these heads, and is to be learnt again after them.
  const before = readReaderWeights(path.join(root, 'models', 'reader.json'));
  write('reader.json', {
    version: 1,
    trainedOn: { questions, seed, crossValidation: reader.figures, units: before.trainedOn['units'] },
    ...reader.models,
    unit: before.unit,
  });
  await embedder.close();
}

async function loadWikipedia(embedder: Embedder): Promise<QuestionSet[]> {
  const sets: QuestionSet[] = [];
  for (const name of WIKIPEDIA_SETS) sets.push(await loadWikipediaSet(values.data, name, embedder));
  return sets;
}

async function simulateSets(embedder: Embedder, seed: number): Promise<QuestionSet[]> {
  const sets: QuestionSet[] = [];
  for (const name of WIKIPEDIA_SETS) sets.push(await simulateNotes(values.data, name, embedder, seed + 10));
  return sets;
}

/** Each set's questions asked of the next set's corpus. */
function askEachOther(sets: readonly QuestionSet[]): QuestionSet[] {
  return sets.flatMap(({ name, questions }, i) => {
    const other = sets[(i + 1) % sets.length];
    return other === undefined
      ? []
      : [{ name, index: other.index, questions: questions.map((question) => ({ ...question, pool: undefined })) }];
  });
}

function write(name: string, value: unknown): void {
  const file = path.join(values.out, name);
  writeFileSync(file, `${JSON.stringify(value)}\n`);
  log(`wrote ${file}`);
}

function print(title: string, figures: ReturnType<typeof summarise>): void {
  process.stdout.write(`\n${title}\n`);
  for (const [set, row] of Object.entries(figures)) {
    const cells = Object.entries(row).map(
      ([name, { mean, ci95 }]) => `${name} ${mean.toFixed(3)} [${ci95.map((value) => value.toFixed(2)).join(', ')}]`,
    );
    process.stdout.write(`  ${set}: ${cells.join('  ')}\n`);
  }
}

await main();
