import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { remembered } from '#base';
import {
  answerFeatures,
  type FeatureTable,
  interpret,
  MOST_ENCODED,
  type Model,
  openJointEncoder,
  PassageProfiles,
  predictTable,
  rankUnits,
  readReaderWeights,
  type ReaderWeights,
  unitFeatures,
} from '#search/lab';
import { type BoostingOptions, DEFAULT_BOOSTING, trainTrees } from './gradient-boosting.ts';
import { toGroupRows } from './recording-scorer.ts';
import { requireData } from '../evaluation/dataset.ts';
import { modelsDir } from '../places.ts';
import { figureOf, roundedFigure } from '../statistics.ts';
import { CachedUnits } from './cached-units.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { casesOf, FOLDER_OPTIONS, type FolderSet, folderSets, openFolderSet } from './folder-sets.ts';
import { type CasePorts, MOST_READ, proseCases, type UnitCase } from './unit-cases.ts';

/**
 * `node --import tsx lab/heads/train-units.ts --learn FOLDER,…`: learns which units answer a question, and whether any
 * does, from folders of questions with their places (`lab/questions/README.md`); `--write` puts the models into
 * `models/reader.json`. Folders are indexed first: searches are the product's own. All figures are of folders that the
 * models have not seen, in as many folds as `--folds` says. The joint encoder must not have seen the folders either.
 */
const { values } = parseArgs({
  options: {
    ...FOLDER_OPTIONS,
    /** Folders of questions to learn from, separated by commas. */
    learn: { type: 'string', default: '' },
    /** Folders of questions that nothing is trained on, separated by commas. */
    aside: { type: 'string', default: '' },
    /** Questions of each Wikipedia set that are measured. */
    prose: { type: 'string', default: '60' },
    folds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    /** The models folder whose joint encoder reads the units. */
    encoder: { type: 'string', default: modelsDir },
    /** The choosers stay as they ship: only what says whether there is an answer is trained, over their rankings. */
    'keep-choosers': { type: 'boolean', default: false },
    /** A reader's weights to compare with, on the same cases. */
    than: { type: 'string' },
  },
});
const WIKIPEDIA = ['hotpotqa', '2wikimultihopqa', 'musique'];
const FOLDS = Number(values.folds);
const seed = Number(values.seed);
/** Units that are shown. */
const SHOWN = 6;
const REFUSE_BELOW = 0.5;
const CHOOSER: BoostingOptions = {
  ...DEFAULT_BOOSTING,
  trees: 150,
  depth: 3,
  learningRate: 0.06,
  featureShare: 0.5,
  rowShare: 0.7,
  seed,
};
const FOUND: BoostingOptions = { ...CHOOSER, trees: 120, depth: 2, learningRate: 0.05 };
/** What an answered question counts in {@link trainFound}: so that nine of ten are kept. */
const ANSWERED_WEIGHT = 3;

type Models = Pick<ReaderWeights, 'unit' | 'encodedUnit' | 'found'>;
type Choosers = Omit<Models, 'found'>;

const tables = new WeakMap<UnitCase, FeatureTable>();

/** Worked out once: features depend on no model. */
const featuresOf = (each: UnitCase): FeatureTable =>
  remembered(tables, each, () => unitFeatures(each.profile, each.units));

/** Evidence is rare among units: each case's counts as much as its other units together count against it. */
function trainChooser(cases: readonly UnitCase[]): Model {
  const rows: Float64Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  let features: readonly string[] = [];
  for (const each of cases) {
    const evidence = each.labels.filter((label) => label === 1).length;
    if (evidence === 0) continue;
    const group = toGroupRows(featuresOf(each));
    features = group.features;
    group.rows.forEach((row, i) => {
      rows.push(row);
      labels.push(each.labels[i] ?? 0);
      weights.push(each.labels[i] === 1 ? 4 / evidence : 10 / each.units.length);
    });
  }
  return trainTrees({ features: [...features], rows, labels, weights }, CHOOSER);
}

const trainChoosers = (cases: readonly UnitCase[]): Choosers => ({
  unit: trainChooser(cases.map(withoutEncoder)),
  encodedUnit: trainChooser(cases.filter(({ units }) => units.some(({ encoded }) => encoded))),
});

/**
 * Whether there is an answer, from units ranked by choosers that had not seen the folder; each case with what the
 * encoder read and without. What nothing answers that is asked about the folder itself counts twice.
 */
function trainFound(cases: readonly UnitCase[], choosersOf: (each: UnitCase) => Choosers): Model {
  const decided = cases
    .filter(({ answerable, units }) => answerable !== undefined && units.length > 0)
    .flatMap((each) => [each, withoutEncoder(each)]);
  const rows = decided.map((each) => {
    const { unit, encodedUnit } = choosersOf(each);
    const table = featuresOf(each);
    const logits = predictTable(each.units.some(({ encoded }) => encoded) ? encodedUnit : unit, table);
    return answerFeatures(each.profile, each.passages, { table, logits });
  });
  const features = Object.keys(rows[0] ?? {});
  return trainTrees(
    {
      features,
      rows: rows.map((row) => Float64Array.from(features, (name) => row[name] ?? 0)),
      labels: decided.map(({ answerable }) => Number(answerable)),
      weights: decided.map((each) => (each.answerable ? ANSWERED_WEIGHT : isElsewhere(each) ? 1 : 2)),
    },
    FOUND,
  );
}

const isElsewhere = ({ id }: UnitCase): boolean => id.includes('-elsewhere-');

const unread = new WeakMap<UnitCase, UnitCase>();

const withoutEncoder = (each: UnitCase): UnitCase =>
  remembered(unread, each, () => ({ ...each, units: each.units.map((unit) => ({ ...unit, encoded: undefined })) }));

const textOf = (unit: { text: string; context?: { text: string } } | undefined): string =>
  `${unit?.context?.text ?? ''}\n${unit?.text ?? ''}`;

/** What each question is worth by some models; undefined where a metric is none of it. */
function measure(each: UnitCase, models: Models): Record<string, number> {
  const { sentences, answerability } = interpret(each.profile, each.passages, each.units, {
    version: 2,
    trainedOn: {},
    ...models,
  });
  const isRefused = Number(each.decides || answerability < REFUSE_BELOW);
  if (each.shows) {
    const best = sentences.slice(0, SHOWN).map(textOf).join('\n');
    return {
      found: Number(each.labels.includes(1)),
      seen: Number(each.shows(best)),
      first: Number(each.shows(textOf(sentences[0]))),
      kept: 1 - isRefused,
    };
  }
  return { [isElsewhere(each) ? 'elsewhere' : 'refused']: isRefused };
}

/** Figures of some models; behind them the difference to other ones, question by question. */
function report(
  title: string,
  cases: readonly UnitCase[],
  modelsOf: (each: UnitCase) => Models,
  than?: (each: UnitCase) => Models,
): Record<string, unknown> {
  const told = new Map<string, { own: number[]; difference: number[] }>();
  for (const each of cases) {
    const own = measure(each, modelsOf(each));
    const other = than ? measure(each, than(each)) : own;
    for (const [name, value] of Object.entries(own)) {
      const into = told.get(name) ?? { own: [], difference: [] };
      into.own.push(value);
      into.difference.push(value - (other[name] ?? 0));
      told.set(name, into);
    }
  }
  const inWords = (numbers: number[]): string => {
    const { mean, ci95 } = figureOf(numbers, seed);
    return `${mean.toFixed(3)} [${ci95.map((end) => end.toFixed(2)).join(', ')}]`;
  };
  const figures: Record<string, unknown> = {};
  for (const [name, { own, difference }] of told) {
    figures[name] = { n: own.length, ...roundedFigure(figureOf(own, seed), 3) };
    const less = than ? `   difference ${inWords(difference)}` : '';
    process.stdout.write(`${title.padEnd(26)} ${name.padEnd(10)} ${inWords(own)} of ${own.length}${less}\n`);
  }
  return figures;
}

async function openEncoder(folder: string): Promise<CachedUnits> {
  const encoder = await openJointEncoder(folder);
  if (!encoder) throw new Error(`There is no joint encoder in ${folder}.`);
  return new CachedUnits(encoder, values.cache, path.join(folder, 'joint-encoder/onnx/model_quantized.onnx'));
}

/** Models of all cases, and for each case those that learnt from no case of its fold. */
function trainAll(
  cases: readonly UnitCase[],
  foldOf: ReadonlyMap<string, number>,
  kept?: Choosers,
): { all: Models; modelsOf(each: UnitCase): Models } {
  const rest = (fold: number): UnitCase[] => cases.filter(({ set }) => foldOf.get(set) !== fold);
  const choosersFrom = (some: readonly UnitCase[]): Choosers =>
    kept ? { unit: kept.unit, encodedUnit: kept.encodedUnit } : trainChoosers(some);
  const choosers = Array.from({ length: FOLDS }, (_, fold) => choosersFrom(rest(fold)));
  const allChoosers = choosersFrom(cases);
  const choosersOf = ({ set }: UnitCase): Choosers => choosers[foldOf.get(set) ?? -1] ?? allChoosers;
  const found = choosers.map((_, fold) => trainFound(rest(fold), choosersOf));
  const all = { ...allChoosers, found: trainFound(cases, choosersOf) };
  return {
    all,
    modelsOf: (each) => ({ ...choosersOf(each), found: found[foldOf.get(each.set) ?? -1] ?? all.found }),
  };
}

const shipped = z
  .looseObject({ version: z.number(), trainedOn: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(path.join(modelsDir, 'reader.json'), 'utf8')));

async function main(): Promise<void> {
  requireData(values.data);
  const embedder = await openCachingEmbedder(values.cache);
  const profiles = new PassageProfiles(50_000);
  const encoder = await openEncoder(values.encoder);
  const reader = shipped.version === 2 ? readReaderWeights(path.join(modelsDir, 'reader.json')) : undefined;
  const encode: CasePorts['encode'] = (question, units) => {
    // A first training has no model yet: the passages found first are read.
    const worth = reader ? rankUnits(question, units, reader).logits : units.map(({ hop }) => -hop);
    return encoder.read(question.text, units, worth, MOST_ENCODED);
  };
  const listOf = (folders: string): FolderSet[] => folderSets(folders.split(',').filter(Boolean));
  const [learnt, aside] = [listOf(values.learn), listOf(values.aside)];
  const cases: UnitCase[] = [];
  for (const set of [...learnt, ...aside]) {
    const ports = { embedder, profiles, indexes: values.indexes, cache: values.cache, encoder, encode };
    const own = await openFolderSet(set.name, { ...ports, found: MOST_READ });
    if (!own) continue;
    cases.push(...(await casesOf(set, learnt.length > 0 ? learnt : aside, Number(values.elsewhere), own)));
    process.stderr.write(`${set.name}: ${cases.length} cases\n`);
  }
  const prose: UnitCase[] = [];
  for (const name of WIKIPEDIA)
    prose.push(
      ...(await proseCases(path.join(values.data, `${name}.jsonl`), 'prose', Number(values.prose), {
        embedder,
        profiles,
        encode,
      })),
    );
  const foldOf = new Map(learnt.map(({ name }, i) => [name, i % FOLDS]));
  const kindOf = new Map([...learnt, ...aside].map(({ name, kind }) => [name, kind]));
  const trained =
    learnt.length > 0
      ? trainAll(
          cases.filter(({ set }) => foldOf.has(set)),
          foldOf,
          values['keep-choosers'] ? reader : undefined,
        )
      : undefined;
  const other = values.than === undefined ? reader : readReaderWeights(values.than);
  const modelsOf = trained?.modelsOf ?? ((): Models => other as Models);
  const than = trained && other ? (): Models => other : undefined;
  const figures: Record<string, unknown> = {};
  for (const kind of ['notes', 'code'] as const)
    for (const isAside of [false, true]) {
      const own = cases.filter(({ set }) => kindOf.get(set) === kind && foldOf.has(set) !== isAside);
      const title = isAside ? `${kind} aside` : kind;
      if (own.length > 0) figures[title] = report(title, own, modelsOf, than);
    }
  if (prose.length > 0) figures['prose'] = report('prose', prose, modelsOf, than);
  if (values.write && trained) {
    const units = { cases: cases.length, from: values.learn, seed, keptAside: figures };
    const file = path.join(modelsDir, 'reader.json');
    writeFileSync(file, `${JSON.stringify({ version: 2, trainedOn: { units }, ...trained.all })}\n`);
  }
  await encoder.close();
  await embedder.close();
}

await main();
