import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { jsonLines, mean } from '#base';
import {
  type BoostingOptions,
  DEFAULT_BOOSTING,
  foundIn,
  interpret,
  MOST_ENCODED,
  type Model,
  openJointEncoder,
  type PassageProfile,
  PassageProfiles,
  readReaderWeights,
  rankUnits,
  type ReaderWeights,
  type Reading,
  toGroupRows,
  trainTrees,
  unitFeatures,
} from '#search/lab';
import { abstainsBelow, BEST_UNITS, selectQuotes } from '#research/lab';
import { requireData } from '../evaluation/dataset.ts';
import { CachedUnits } from './cached-units.ts';
import { modelsDir } from '../places.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { casesOf, FOLDER_OPTIONS, type FolderSet, folderSets, learntSets, openFolderSet } from './folder-sets.ts';
import { MOST_READ, proseCases, type CasePorts, type UnitCase } from './unit-cases.ts';
import { figureOf, roundedFigure } from '../statistics.ts';

/**
 * `node --import tsx lab/heads/train-units.ts`: learns which units answer a question, from questions about folders with
 * the lines that answer them (`lab/questions`, `DATA/answers`) and from Wikipedia, and writes it into
 * `models/reader.json`. Each folder is indexed first (lab/questions/README.md says how): searches are the product's
 * own. All figures are of folders that the model had not seen, five times one fifth of them.
 */
const { values } = parseArgs({
  options: {
    ...FOLDER_OPTIONS,
    /** Folders of questions to learn from, separated by commas, in place of those of `learntSets`. */
    learn: { type: 'string' },
    /** The choosers stay as they ship: only what says whether there is an answer is trained, over their rankings. */
    'keep-choosers': { type: 'boolean', default: false },
    /** Folders of further questions that nothing is trained on, separated by commas. */
    aside: { type: 'string' },
    prose: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    /** Of the models, only these are written, separated by commas. */
    only: { type: 'string' },
    /** Nothing is trained: what stands aside is asked of the models that ship. */
    measure: { type: 'boolean', default: false },
    /** A models folder, whose joint encoder reads the units, too. */
    encoder: { type: 'string' },
    /**
     * In its place a folder of models folders, `fold0` and so on, each for the folders that its encoder never saw
     * (`folds.json` says which), and `all`, which reads what none of them learnt from.
     */
    encoders: { type: 'string' },
    /** Passages in which units are looked for. */
    found: { type: 'string', default: String(MOST_READ) },
    /** Passages of a question that the encoder reads. */
    read: { type: 'string', default: String(MOST_ENCODED) },
    /** A file for the questions that are led wrongly, with what leads and what should. */
    wrong: { type: 'string' },
  },
});
const PROSE = ['hotpotqa', '2wikimultihopqa', 'musique'];
/** Questions about Wikipedia that neither the trees nor the encoder learnt from. */
const UNSEEN = 'unseen prose';
const FOLDS = 5;
const seed = Number(values.seed);
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
/** What a question about Wikipedia counts beside one about a folder. */
const PROSE_SHARE = 0.5;
/** What an answered question counts in {@link trainFound}: so that nine of ten are kept. */
const ANSWERED_WEIGHT = 2;
/** Units that are shown. */
const SHOWN = 6;
const REFUSE_BELOW = 0.5;

const reader = readReaderWeights(path.join(modelsDir, 'reader.json'));

/** The models of units, and what says whether they answer. */
type UnitModels = Pick<ReaderWeights, 'unit' | 'encodedUnit' | 'found' | 'unreadFound'>;

/** Evidence is rare among units: each case's counts as much as its other units together count against it. */
function trainChooser(cases: readonly UnitCase[]): Model {
  const rows: Float64Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  let features: readonly string[] = [];
  for (const each of cases) {
    const evidence = each.labels.filter((label) => label === 1).length;
    if (evidence === 0) continue;
    const group = toGroupRows(unitFeatures(each.profile, each.units, each.chain));
    features = group.features;
    const share = each.set === 'prose' ? PROSE_SHARE : 1;
    group.rows.forEach((row, i) => {
      rows.push(row);
      labels.push(each.labels[i] ?? 0);
      weights.push(share * (each.labels[i] === 1 ? 4 / evidence : 10 / each.units.length));
    });
  }
  return trainTrees({ features: [...features], rows, labels, weights }, CHOOSER);
}

/** Both choosers: with what the joint encoder read, and without it. */
function trainChoosers(cases: readonly UnitCase[]): Pick<UnitModels, 'unit' | 'encodedUnit'> {
  const read = cases.filter(({ units }) => units.some(({ encoded }) => encoded));
  return {
    unit: trainChooser(cases.map(withoutEncoder)),
    ...(read.length > 0 && { encodedUnit: trainChooser(read) }),
  };
}

/**
 * Whether there is an answer, by how units stand that were ranked by choosers that had not seen the folder. What
 * nothing answers that is asked about the folder itself counts twice: it is what people ask.
 */
function trainFound(cases: readonly UnitCase[], choosersOf: (each: UnitCase) => UnitModels): Model {
  const decided = cases.filter(
    ({ answerable, units, set }) => answerable !== undefined && units.length > 0 && set !== 'prose',
  );
  const rows = decided.map((each) => foundRow(each, choosersOf(each)));
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

function foundRow(each: UnitCase, choosers: UnitModels): Record<string, number> {
  const ranking = rankUnits(each.profile, each.units, each.chain, choosers);
  if (!ranking) throw new Error('units are ranked by trained models');
  return foundIn(each.profile, each.passages, each.units, each.chain, ranking, { ...reader, ...choosers });
}

const isElsewhere = ({ id }: UnitCase): boolean => id.includes('-elsewhere-');

/** As the product reads what was found. */
const readingOf = (each: UnitCase, models: UnitModels): Reading =>
  interpret(each.profile, each.passages, each.units, { ...reader, ...models }, each.chain);

/** As the product refuses: nothing speaks of it, it names what no file has, or no unit answers. */
const isRefused = ({ absent }: UnitCase, { answerability }: Reading): boolean =>
  !absent.speaks || absent.decides || answerability < abstainsBelow(absent.absent);

const textOf = (unit: { text: string; context?: { text: string } } | undefined): string =>
  `${unit?.context?.text ?? ''}\n${unit?.text ?? ''}`;

const shown = ({ sentences }: Reading): string => sentences.slice(0, SHOWN).map(textOf).join('\n');

/** What stands large in the answer, as the product chooses it. */
function leading({ passages, chain }: UnitCase, reading: Reading): string {
  const read = passages.map(({ passage }) => passage);
  const good = new Set(reading.sentences.slice(0, BEST_UNITS).map(({ passageId }) => passageId));
  const shownOf = read.filter(({ id }, i) => i < chain || good.has(id));
  return textOf(selectQuotes(reading, shownOf, 'answer', 1).find(({ leads }) => leads));
}

/** Shares of the questions that get a short answer, the surest first. */
const OFFERED = [0.05, 0.1, 0.2, 0.3];

/**
 * How often a short answer would be right: what the encoder takes for it in the unit that leads, where it is surest.
 * Questions without an answer are asked, too.
 */
function reportOffers(title: string, readings: ReadonlyMap<UnitCase, Reading>): void {
  const offers = [...readings].flatMap(([each, reading]) => {
    const [first] = reading.sentences;
    const unit = each.units.find(
      ({ profile, sentence }) =>
        profile.passage.id === first?.passageId && sentence.start <= first.start && first.start < sentence.end,
    );
    const says = unit?.encoded?.says;
    if (!first || !unit || !says || reading.answerability < REFUSE_BELOW) return [];
    const right = each.is?.(unit.profile.passage.text.slice(says.start, says.end)) ?? false;
    return [{ margin: unit.encoded?.span ?? 0, both: (unit.encoded?.span ?? 0) + 4 * first.score, right }];
  });
  for (const by of ['margin', 'both'] as const) {
    const ordered = [...offers].sort((a, b) => b[by] - a[by]);
    const shares = OFFERED.map((share) => {
      const surest = ordered.slice(0, Math.round(share * readings.size));
      const from = surest.at(-1)?.[by].toFixed(1) ?? '-';
      return `${share}: ${mean(surest.map(({ right }) => Number(right))).toFixed(2)} from ${from}`;
    });
    process.stdout.write(`${title.padEnd(30)} short answers by ${by}: ${shares.join(', ')}\n`);
  }
}

/** Passages that one look shows to a language model. */
const SHOWN_TO_A_MODEL = 5;

const holdsEvidence = ({ units, labels }: UnitCase, passages: readonly PassageProfile[]): boolean =>
  units.some(({ profile }, i) => labels[i] === 1 && passages.includes(profile));

/** All passages by what the encoder says of them alone; those that it did not read behind. */
function readOrder({ passages, units }: UnitCase, from = 0): PassageProfile[] {
  const leadsOn = (passage: PassageProfile): number =>
    units.find(({ profile }) => profile === passage)?.encoded?.leadsOn ?? -Infinity;
  return [...passages.slice(0, from), ...passages.slice(from).sort((a, b) => leadsOn(b) - leadsOn(a) || 0)];
}

/** As the product orders them: those of the chain stay in front. */
const readBehind = (each: UnitCase): PassageProfile[] => readOrder(each, each.chain);

function report(
  title: string,
  cases: readonly UnitCase[],
  modelsOf: (each: UnitCase) => UnitModels,
): Record<string, unknown> {
  const figures: Record<string, unknown> = {};
  const add = (name: string, numbers: number[]): void => {
    if (numbers.length === 0) return;
    const figure = figureOf(numbers, seed);
    const [low, high] = figure.ci95;
    figures[name] = { n: numbers.length, ...roundedFigure(figure, 3) };
    process.stdout.write(
      `${title.padEnd(30)} ${name.padEnd(10)} ${figure.mean.toFixed(3)} [${low.toFixed(2)}, ` +
        `${high.toFixed(2)}] of ${numbers.length}\n`,
    );
  };
  const readings = new Map(cases.map((each) => [each, readingOf(each, modelsOf(each))]));
  if (cases.some(({ is }) => is)) reportOffers(title, readings);
  const asked = [...readings].filter(([{ shows }]) => shows !== undefined);
  const share = (name: string, holds: (each: UnitCase, reading: Reading) => boolean): void =>
    add(
      name,
      asked.map(([each, reading]) => Number(holds(each, reading))),
    );
  share('found', ({ labels }) => labels.includes(1));
  share('findable', ({ shows, units }) => shows?.(units.map(textOf).join('\n')) ?? false);
  share('seen', ({ shows }, reading) => shows?.(shown(reading)) ?? false);
  share('leads', (each, reading) => each.shows?.(leading(each, reading)) ?? false);
  share('leads right', (each, reading) => {
    const led = leading(each, reading);
    return (
      (each.shows?.(led) ?? false) || each.units.some((unit, i) => each.labels[i] === 1 && led.includes(unit.text))
    );
  });
  share('first', ({ shows }, { sentences }) => shows?.(textOf(sentences[0])) ?? false);
  for (const most of [1, SHOWN_TO_A_MODEL, 8]) {
    share(`as found ${most}`, (each) => holdsEvidence(each, each.passages.slice(0, most)));
    share(`read ${most}`, (each) => holdsEvidence(each, readOrder(each).slice(0, most)));
    share(`behind ${most}`, (each) => holdsEvidence(each, readBehind(each).slice(0, most)));
  }
  share('kept', (each, reading) => !isRefused(each, reading));
  const refused = (elsewhere: boolean): number[] =>
    [...readings]
      .filter(([each]) => each.answerable === false && isElsewhere(each) === elsewhere)
      .map(([each, reading]) => Number(isRefused(each, reading)));
  add('refused', refused(false));
  add('elsewhere', refused(true));
  return figures;
}

/** Questions that are led wrongly. */
function ledWrongly(cases: readonly UnitCase[], modelsOf: (each: UnitCase) => UnitModels): object[] {
  return cases
    .filter(({ shows }) => shows)
    .flatMap((each) => {
      const reading = readingOf(each, modelsOf(each));
      const led = leading(each, reading);
      if (each.shows?.(led)) return [];
      const places = reading.sentences.map(textOf);
      const right = each.units.filter((_, i) => each.labels[i] === 1).map(textOf);
      const place = places.findIndex((text) => each.shows?.(text));
      return [{ set: each.set, question: each.profile.text, led, place, first: places[0], right }];
    });
}

async function main(): Promise<void> {
  requireData(values.data);
  const embedder = await openCachingEmbedder(values.cache);
  const profiles = new PassageProfiles(50_000);
  const encoders = await openEncoders();
  const ports = { embedder, profiles, reader, indexes: values.indexes, cache: values.cache };
  const learnt = values.measure ? [] : setsToLearnFrom();
  const aside = values.aside === undefined ? [] : folderSets(values.aside.split(','));
  const cases: UnitCase[] = [];
  const sets: FolderSet[] = [];
  for (const set of [...learnt, ...aside]) {
    if (encoders && !encoders.of(set.name)) {
      process.stderr.write(`${set.name} is left out: each encoder has seen it\n`);
      continue;
    }
    const own = await openFolderSet(set.name, {
      ...ports,
      encoder: encoders?.of(set.name),
      encode: encodeFor(encoders, set.name),
      found: Number(values.found),
    });
    if (!own) continue;
    const before = embedder.inferences;
    cases.push(...(await casesOf(set, learnt.length > 0 ? learnt : aside, Number(values.elsewhere), own)));
    sets.push(set);
    process.stderr.write(`${set.name}: ${cases.length} cases, ${embedder.inferences - before} inferences\n`);
  }
  const prosePorts = { embedder, profiles, encode: encodeFor(encoders, 'prose') };
  for (const name of PROSE) {
    const learntFrom = path.join(values.data, 'train', `${name}.chains.jsonl`);
    // The encoder has learnt from these questions: what it says of them is worth more than it will be of others.
    const unread = { ...prosePorts, encode: undefined };
    if (!values.measure) cases.push(...(await proseCases(learntFrom, 'prose', Number(values.prose), unread)));
    cases.push(
      ...(await proseCases(path.join(values.data, `${name}.jsonl`), UNSEEN, Number(values.prose), prosePorts)),
    );
  }

  const asideNames = new Set(aside.map(({ name }) => name));
  const kindOf = new Map(sets.map(({ name, kind }) => [name, kind]));
  const foldOf = new Map(
    [...sets.filter(({ name }) => !asideNames.has(name)).map(({ name }) => name), 'prose'].map((name, i) => [
      name,
      i % FOLDS,
    ]),
  );
  const trained = values.measure
    ? undefined
    : trainAll(
        cases.filter(({ set }) => foldOf.has(set)),
        foldOf,
      );
  const figures: Record<string, unknown> = {};
  const groups: [string, (each: UnitCase) => boolean][] = [
    ['notes', ({ set }) => !asideNames.has(set) && kindOf.get(set) === 'notes'],
    ['code', ({ set }) => !asideNames.has(set) && kindOf.get(set) === 'code'],
    ['prose', ({ set }) => set === UNSEEN],
    ['notes aside', ({ set }) => asideNames.has(set) && kindOf.get(set) === 'notes'],
    ['code aside', ({ set }) => asideNames.has(set) && kindOf.get(set) === 'code'],
  ];
  for (const [name, belongs] of groups) {
    const own = cases.filter(belongs);
    if (own.length === 0) continue;
    report(`${name}, as it ships`, own, () => ({}));
    if (!trained) continue;
    if (encoders) report(`${name}, no encoder`, own.map(withoutEncoder), trained.modelsOf);
    figures[name] = report(name, own, trained.modelsOf);
    if (values.wrong !== undefined) appendFileSync(values.wrong, jsonLines(ledWrongly(own, trained.modelsOf)));
  }
  if (values.write && trained) {
    const only = values.only?.split(',') ?? Object.keys(trained.all);
    const from = { cases: cases.length, from: values.learn, seed, keptAside: figures };
    const trainedOn = { ...reader.trainedOn, [values.only ?? 'units']: from };
    const written = Object.entries(trained.all).filter(([name]) => only.includes(name));
    if (written.length < only.length) throw new Error(`--only ${values.only ?? ''}: not all of these were trained`);
    const file = path.join(modelsDir, 'reader.json');
    writeFileSync(file, `${JSON.stringify({ ...reader, ...Object.fromEntries(written), trainedOn })}\n`);
  }
  await encoders?.close();
  await embedder.close();
}

const setsToLearnFrom = (): FolderSet[] =>
  values.learn === undefined ? learntSets(values.data, Number(values.every)) : folderSets(values.learn.split(','));

/** Models of all cases, and for each case those that learnt from no case of its fold. */
function trainAll(
  learnable: readonly UnitCase[],
  foldOf: ReadonlyMap<string, number>,
): { all: UnitModels; modelsOf(each: UnitCase): UnitModels } {
  const choosersFrom = values['keep-choosers'] ? (): UnitModels => reader : trainChoosers;
  const choosersByFold = Array.from({ length: FOLDS }, (_, fold) =>
    choosersFrom(learnable.filter(({ set }) => foldOf.get(set) !== fold)),
  );
  const choosers = choosersFrom(learnable);
  const choosersOf = ({ set }: UnitCase): UnitModels => choosersByFold[foldOf.get(set) ?? -1] ?? choosers;
  const foundOf = (cases: readonly UnitCase[]): Pick<UnitModels, 'found' | 'unreadFound'> => ({
    ...(choosers.encodedUnit && { found: trainFound(cases, choosersOf) }),
    unreadFound: trainFound(cases.map(withoutEncoder), choosersOf),
  });
  const foundByFold = choosersByFold.map((_, fold) => foundOf(learnable.filter(({ set }) => foldOf.get(set) !== fold)));
  const found = foundOf(learnable);
  return {
    all: { ...choosers, ...found },
    modelsOf: (each) => ({ ...choosersOf(each), ...(foundByFold[foldOf.get(each.set) ?? -1] ?? found) }),
  };
}

const withoutEncoder = (each: UnitCase): UnitCase => ({
  ...each,
  units: each.units.map((read) => ({ ...read, encoded: undefined })),
});

async function encoderOf(folder: string): Promise<CachedUnits> {
  const encoder = await openJointEncoder(folder);
  if (!encoder) throw new Error(`There is no joint encoder in ${folder}.`);
  return new CachedUnits(encoder, values.cache, path.join(folder, 'joint-encoder/onnx/model_quantized.onnx'));
}

interface Encoders {
  /** The encoder that never saw a set; undefined where each has seen it: nothing can be learnt from the set then. */
  of(set: string): CachedUnits | undefined;
  close(): Promise<void>;
}

async function openEncoders(): Promise<Encoders | undefined> {
  if (values.encoder !== undefined) {
    const encoder = await encoderOf(values.encoder);
    return { of: () => encoder, close: () => encoder.close() };
  }
  const folder = values.encoders;
  if (folder === undefined) return undefined;
  const folds = z
    .record(z.string(), z.number())
    .parse(JSON.parse(readFileSync(path.join(folder, 'folds.json'), 'utf8')));
  const names = ['all', ...new Set(Object.values(folds).map((fold) => `fold${fold}`))];
  const opened = new Map<string, CachedUnits>();
  for (const name of names)
    if (existsSync(path.join(folder, name))) opened.set(name, await encoderOf(path.join(folder, name)));
  return {
    of(set) {
      const fold = folds[set];
      return opened.get(fold === undefined ? 'all' : `fold${fold}`);
    },
    close: async () => {
      for (const encoder of opened.values()) await encoder.close();
    },
  };
}

/** What the encoder says of the passages that the product has it read. */
function encodeFor(encoders: Encoders | undefined, set: string): CasePorts['encode'] {
  const encoder = encoders?.of(set);
  if (!encoder) return undefined;
  return async (question, units, chain) => {
    const worth = rankUnits(question, units, chain, { unit: reader.unit })?.logits ?? [];
    return encoder.read(question.text, units, worth, Number(values.read));
  };
}

await main();
