import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mean } from '#base';
import {
  type BoostingOptions,
  createIndexLayout,
  createRetriever,
  DEFAULT_BOOSTING,
  FeatureChainScorer,
  interpret,
  type Model,
  openEmbedder,
  openJointEncoder,
  openStore,
  PassageProfiles,
  readChainScorerWeights,
  readReaderWeights,
  scoreUnits,
  toGroupRows,
  trainTrees,
  unitFeatures,
  withEncoded,
} from '#search/lab';
import { BEST_UNITS, selectQuotes } from '#research/lab';
import { CachedUnits } from './cached-units.ts';
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
import { bootstrapInterval } from '../statistics.ts';

/**
 * `node --import tsx lab/heads/train-units.ts`: learns which units answer a question, from questions about folders with
 * the lines that answer them and from Wikipedia, and writes it into `models/reader.json`. Each folder is unpacked and
 * indexed first, by `hoptrail index DIR --index INDEXES/NAME`: searches are the product's own. All figures are of
 * corpora that the model had not seen.
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
    /** A models folder, whose joint encoder reads the units, too. */
    encoder: { type: 'string' },
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

/** Probability of an answer, as the product has it. */
const answerability = ({ profile, passages, units, chain }: UnitCase, unit: Model): number =>
  interpret(profile, passages, units, { ...reader, unit }, chain).answerability;

const shown = (each: UnitCase, unit: Model): string =>
  withEncoded(scoreUnits(each.profile, each.units, each.chain, unit))
    .sort((a, b) => b.support - a.support)
    .slice(0, SHOWN)
    .map(({ text, context }) => `${context?.text ?? ''}\n${text}`)
    .join('\n');

/** What stands large in the answer, as the product chooses it. */
function leading(each: UnitCase, unit: Model): string {
  const reading = interpret(each.profile, each.passages, each.units, { ...reader, unit }, each.chain);
  const passages = each.passages.map(({ passage }) => passage);
  const good = new Set(reading.sentences.slice(0, BEST_UNITS).map(({ passageId }) => passageId));
  const shownOf = passages.filter(({ id }, i) => i < each.chain || good.has(id));
  const lead = selectQuotes(reading, shownOf, 'answer', 1, passages[each.chain - 1]?.id).find(({ leads }) => leads);
  return `${lead?.context?.text ?? ''}\n${lead?.text ?? ''}`;
}

function report(title: string, cases: readonly UnitCase[], unit: Model): Record<string, unknown> {
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
  add(
    'leads',
    asked.map((each) => Number(each.shows?.(leading(each, unit)) ?? false)),
  );
  const kept = (each: UnitCase): number => Number(answerability(each, unit) >= REFUSE_BELOW);
  add('kept', asked.map(kept));
  const refused = (elsewhere: boolean): number[] =>
    cases
      .filter(({ id, answerable }) => answerable === false && id.includes('-elsewhere-') === elsewhere)
      .map((each) => 1 - kept(each));
  add('refused', refused(false));
  add('elsewhere', refused(true));
  return figures;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

async function main(): Promise<void> {
  const embedder = new CachingEmbedder(
    await openEmbedder({ kind: 'bundled' }, { modelsDir: models }),
    path.join(values.cache, 'vectors.bin'),
  );
  const profiles = new PassageProfiles(50_000);
  const encoder = values.encoder === undefined ? undefined : await encoderOf(values.encoder);
  const encode: CasePorts['encode'] =
    encoder &&
    ((question, units, chain) => {
      const worth = reader.unit ? scoreUnits(question, units, chain, reader.unit) : [];
      return encoder.read(
        question.text,
        units,
        worth.map(({ support }) => support),
      );
    });
  const ports: Record<string, CasePorts> = {};
  for (const name of FOLDERS) ports[name] = { ...(await portsOf(name, embedder, profiles)), encode };
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
    cases.push(...(await proseCases(values.data, name, Number(values.prose), { embedder, profiles, encode })));

  const figures: Record<string, unknown> = {};
  for (const aside of [...FOLDERS, 'prose']) {
    const unit = trainUnits(cases.filter(({ set }) => set !== aside));
    const own = cases.filter(({ set }) => set === aside);
    const features = own.map((each) => ({
      ...each,
      units: each.units.map((read) => ({ ...read, encoded: undefined })),
    }));
    figures[aside] = report(aside, features, unit);
    if (encoder) figures[`${aside}, read by the joint encoder`] = report(`${aside}, encoder`, own, unit);
  }
  if (values.write) {
    const trainedOn = { ...reader.trainedOn, units: { cases: cases.length, seed, keptAside: figures } };
    const file = path.join(models, 'reader.json');
    writeFileSync(file, `${JSON.stringify({ ...reader, trainedOn, unit: trainUnits(cases) })}\n`);
  }
  await encoder?.close();
  await embedder.close();
}

async function encoderOf(folder: string): Promise<CachedUnits> {
  const encoder = await openJointEncoder(folder);
  if (!encoder) throw new Error(`There is no joint encoder in ${folder}.`);
  return new CachedUnits(encoder, values.cache, path.join(folder, 'joint-encoder/onnx/model_quantized.onnx'));
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
  const scorer = new FeatureChainScorer(readChainScorerWeights(path.join(models, 'chain-scorer.json')), profiles);
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
