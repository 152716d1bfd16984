import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bootstrapInterval, mean } from '#base';
import {
  answerabilityFeatures,
  type BoostingOptions,
  createIndexLayout,
  createRetriever,
  DEFAULT_BOOSTING,
  evidenceFeatures,
  expectedAnswer,
  FeatureChainScorer,
  FeatureTable,
  type Model,
  openEmbedder,
  openStore,
  PassageProfiles,
  predict,
  readChainScorerWeights,
  readReaderWeights,
  scoreSpans,
  scoreSupport,
  scoreUnits,
  sigmoid,
  toGroupRows,
  trainTrees,
  unitFeatures,
} from '#search/lab';
import { CachingEmbedder } from './caching-embedder.ts';
import {
  elsewhereCases,
  folderCases,
  MOST_READ,
  proseCases,
  type CasePorts,
  type FoundIds,
  type UnitCase,
} from './unit-cases.ts';

/**
 * `node --import tsx lab/heads/train-units.ts`: learns which units answer a question and whether they answer it at all,
 * from questions about folders with the lines that answer them and from Wikipedia, and writes both into
 * `models/reader.json`. Each folder is unpacked and indexed first, by `hoptrail index DIR --index INDEXES/NAME`: searches
 * are the product's own. All figures are of corpora that the models had not seen.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.HOPTRAIL_DATA ?? path.join(root, '..', 'shared', 'data') },
    indexes: { type: 'string', default: path.join(tmpdir(), 'hoptrail-training', 'indexes') },
    cache: { type: 'string', default: path.join(tmpdir(), 'hoptrail-training') },
    prose: { type: 'string', default: '60' },
    elsewhere: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const FOLDERS = ['electron-governance', 'nitro'];
const PROSE = ['hotpotqa', '2wikimultihopqa', 'musique'];
const seed = Number(values.seed);
const models = path.join(root, 'models');
const SMALL: BoostingOptions = {
  ...DEFAULT_BOOSTING,
  trees: 80,
  depth: 3,
  learningRate: 0.08,
  featureShare: 0.5,
  rowShare: 0.7,
  seed,
};
const TINY: BoostingOptions = { ...SMALL, trees: 50, depth: 2 };
/** Units that are shown. */
const SHOWN = 6;
const REFUSE_BELOW = 0.5;

const reader = readReaderWeights(path.join(models, 'reader.json'));

/** Evidence is rare among units: each case's counts as much as its other units together count against it. */
function trainUnits(cases: readonly UnitCase[]): Model {
  const rows: Float64Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  let features: readonly string[] = [];
  for (const each of cases) {
    const evidence = each.labels.filter((label) => label === 1).length;
    if (evidence === 0) continue;
    const group = toGroupRows(unitFeatures(each.profile, each.units, each.chain));
    features = group.features;
    const share = each.set === 'prose' ? 0.5 : 1;
    group.rows.forEach((row, i) => {
      rows.push(row);
      labels.push(each.labels[i] ?? 0);
      weights.push(share * (each.labels[i] === 1 ? 4 / evidence : 10 / each.units.length));
    });
  }
  return trainTrees({ features: [...features], rows, labels, weights }, SMALL);
}

function evidenceRow(each: UnitCase, unit: Model): Record<string, number> {
  const chain = each.passages.slice(0, each.chain);
  const own = each.units.filter(({ hop }) => hop < each.chain);
  const supported = scoreSupport(each.profile, chain, own, reader);
  const [span] = scoreSpans(each.profile, expectedAnswer(each.profile), chain, supported, reader);
  const carried = answerabilityFeatures(
    each.profile,
    chain,
    supported.map(({ support }) => support),
    span?.score ?? 0,
  );
  const scored = scoreUnits(each.profile, each.units, each.chain, unit);
  const before = chain.length === 0 ? 0 : sigmoid(predict(reader.answerable, carried));
  return evidenceFeatures(each.profile, each.passages, scored, each.chain, before);
}

/** The unit model that each case is seen by must not have seen it: folds by corpus, then within by question. */
function trainEvidence(cases: readonly UnitCase[], unitFor: (each: UnitCase) => Model): Model {
  const decided = cases.filter(({ answerable }) => answerable !== undefined);
  const yes = decided.filter(({ answerable }) => answerable === true).length;
  const groups = decided.map((each) => {
    const table = new FeatureTable(1);
    table.set(0, evidenceRow(each, unitFor(each)));
    return toGroupRows(table);
  });
  return trainTrees(
    {
      features: [...(groups[0]?.features ?? [])],
      rows: groups.flatMap((group) => group.rows),
      labels: decided.map(({ answerable }) => Number(answerable)),
      weights: decided.map(({ answerable }) => decided.length / 2 / (answerable ? yes : decided.length - yes)),
    },
    TINY,
  );
}

const shown = (each: UnitCase, unit: Model): string =>
  scoreUnits(each.profile, each.units, each.chain, unit)
    .sort((a, b) => b.support - a.support)
    .slice(0, SHOWN)
    .map(({ text, context }) => `${context?.text ?? ''}\n${text}`)
    .join('\n');

function report(title: string, cases: readonly UnitCase[], unit: Model, evidence?: Model): Record<string, unknown> {
  const figures: Record<string, unknown> = {};
  const add = (name: string, numbers: number[]): void => {
    if (numbers.length === 0) return;
    const [low, high] = bootstrapInterval(numbers, seed);
    figures[name] = { n: numbers.length, mean: round(mean(numbers)), ci95: [round(low), round(high)] };
    process.stdout.write(
      `${title.padEnd(30)} ${name.padEnd(10)} ${mean(numbers).toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}] of ${numbers.length}\n`,
    );
  };
  const asked = cases.filter(({ shows }) => shows !== undefined);
  add(
    'seen',
    asked.map((each) => Number(each.shows?.(shown(each, unit)) ?? false)),
  );
  add(
    'findable',
    asked.map((each) =>
      Number(
        each.shows?.(each.units.map(({ text, context }) => `${context?.text ?? ''}\n${text}`).join('\n')) ?? false,
      ),
    ),
  );
  if (evidence) {
    const kept = (each: UnitCase): number =>
      Number(sigmoid(predict(evidence, evidenceRow(each, unit))) >= REFUSE_BELOW);
    add('kept', asked.map(kept));
    add(
      'refused',
      cases.filter(({ answerable }) => answerable === false).map((each) => 1 - kept(each)),
    );
    const nulls = cases.filter(({ id, answerable }) => answerable === false && !id.includes('elsewhere'));
    add(
      'nulls',
      nulls.map((each) => 1 - kept(each)),
    );
  }
  return figures;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

async function main(): Promise<void> {
  const embedder = new CachingEmbedder(
    await openEmbedder({ kind: 'bundled' }, { modelsDir: models }),
    path.join(values.cache, 'vectors.bin'),
  );
  const profiles = new PassageProfiles(50_000);
  const ports: Record<string, CasePorts> = {};
  for (const name of FOLDERS) ports[name] = await portsOf(name, embedder, profiles);
  const questionsOf = (name: string): string[] =>
    readFileSync(path.join(values.data, 'answers', `${name}.jsonl`), 'utf8')
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [(JSON.parse(line) as { question: string }).question]));
  const cases: UnitCase[] = [];
  for (const [i, name] of FOLDERS.entries()) {
    const own = ports[name];
    if (!own) continue;
    cases.push(...(await folderCases(path.join(values.data, 'answers', `${name}.jsonl`), name, own)));
    const others = questionsOf(FOLDERS[(i + 1) % FOLDERS.length] ?? name).slice(0, Number(values.elsewhere));
    cases.push(...(await elsewhereCases(others, name, own)));
    process.stderr.write(`${name}: ${cases.length} cases, ${embedder.inferences} inferences\n`);
  }
  for (const name of PROSE)
    cases.push(...(await proseCases(values.data, name, Number(values.prose), { embedder, profiles })));

  const figures: Record<string, unknown> = {};
  for (const aside of [...FOLDERS, 'prose']) {
    const known = cases.filter(({ set }) => set !== aside);
    const unit = trainUnits(known);
    figures[aside] = report(
      `${aside}, kept aside`,
      cases.filter(({ set }) => set === aside),
      unit,
      trainEvidence(known, unseen(known)),
    );
  }
  const unit = trainUnits(cases);
  const evidence = trainEvidence(cases, unseen(cases));
  for (const set of [...FOLDERS, 'prose'])
    report(
      `${set}, seen in training`,
      cases.filter((each) => each.set === set),
      unit,
      evidence,
    );
  if (values.write) {
    const trainedOn = { ...reader.trainedOn, units: { questions: cases.length, seed, keptAside: figures } };
    writeFileSync(path.join(models, 'reader.json'), `${JSON.stringify({ ...reader, trainedOn, unit, evidence })}\n`);
  }
  await embedder.close();
}

/** For each case a unit model that has not seen its question. */
function unseen(cases: readonly UnitCase[]): (each: UnitCase) => Model {
  const FOLDS = 3;
  const foldOf = new Map(cases.map(({ id }, i) => [id, i % FOLDS]));
  const byFold = Array.from({ length: FOLDS }, (_, fold) =>
    trainUnits(cases.filter(({ id }) => foldOf.get(id) !== fold)),
  );
  return ({ id }) => byFold[foldOf.get(id) ?? 0] as Model;
}

async function portsOf(name: string, embedder: CasePorts['embedder'], profiles: PassageProfiles): Promise<CasePorts> {
  const folder = path.join(values.indexes, name);
  const layout = createIndexLayout(folder);
  const current = existsSync(folder) ? await layout.current() : undefined;
  const store =
    current &&
    (await openStore(await layout.open(current, { following: true }), {
      dimensions: embedder.dimensions,
      writable: false,
      now: Date.now,
    }));
  if (!store)
    throw new Error(
      `There is no index in ${folder}. Unpack ${name}.tar.gz and run: hoptrail index DIR --index ${folder}`,
    );
  const scorer = new FeatureChainScorer(
    readChainScorerWeights(path.join(models, 'chain-scorer.json')),
    undefined,
    profiles,
  );
  const { index } = store;
  const retriever = createRetriever({ index, embedder, scorer, reader, now: () => performance.now(), profiles });
  // Searches are kept, as vectors are: training again costs neither.
  const file = path.join(values.cache, `searches-${name}.json`);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, FoundIds>) : {};
  const search = async (question: string): Promise<FoundIds> => {
    const before = known[question];
    if (before) return before;
    const { chains, hits } = await retriever.chains(question, {});
    const found = {
      chain: (chains[0]?.hops ?? []).map(({ passage }) => passage.id),
      hits: hits.slice(0, 2 * MOST_READ).map(({ passage }) => passage.id),
    };
    known[question] = found;
    writeFileSync(file, JSON.stringify(known));
    return found;
  };
  return { embedder, profiles, index, search };
}

await main();
