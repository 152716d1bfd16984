import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '#base';
import {
  createIndexLayout,
  createRetriever,
  FeatureChainScorer,
  openStore,
  type PassageIndex,
  type PassageProfiles,
  readChainScorerWeights,
  type ReaderWeights,
} from '#search/lab';
import { modelsDir, PLACES, questionsDir } from '../places.ts';
import type { CachedUnits } from './cached-units.ts';
import {
  type CasePorts,
  elsewhereCases,
  folderCases,
  type FolderQuestion,
  type FoundIds,
  MOST_READ,
  readFolderQuestions,
  type UnitCase,
} from './unit-cases.ts';

/** What a program over folders is told on its command line: where they lie, and how many questions go elsewhere. */
export const FOLDER_OPTIONS = {
  ...PLACES,
  elsewhere: { type: 'string', default: '6' },
  /** Of the questions in lab/questions/more, every so-manieth; 0: none. */
  every: { type: 'string', default: '1' },
} as const;

/** Questions about one folder. */
export interface FolderSet {
  /** Of the file of questions, and of the folder's index. */
  name: string;
  kind: 'notes' | 'code';
  questions: FolderQuestion[];
}

/** The sets of questions in some folders: a file `NAME.jsonl` each. */
export const folderSets = (folders: readonly string[]): FolderSet[] =>
  folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.jsonl'))
      .sort()
      .map((file) => {
        const questions = readFolderQuestions(path.join(folder, file));
        return { name: file.slice(0, -'.jsonl'.length), kind: questions[0]?.dataset ?? 'notes', questions };
      }),
  );

/**
 * What is learnt from: questions about a handbook and a program (`DATA/answers`), about the folders of lab/questions,
 * and every so-manieth of those in lab/questions/more.
 */
export const learntSets = (data: string, every: number): FolderSet[] => [
  ...folderSets([path.join(data, 'answers'), questionsDir]),
  ...(every > 0 ? folderSets([path.join(questionsDir, 'more')]) : []).map((set) => ({
    ...set,
    questions: set.questions.filter((_, i) => i % every === 0),
  })),
];

interface FolderPorts extends Pick<CasePorts, 'embedder' | 'profiles' | 'encode' | 'found'> {
  /** Folder of the indexes, one below it for each set. */
  indexes: string;
  /** What was found for a question is kept here: training again costs no searches. */
  cache: string;
  /** Judges what is found, as in the product; left out: searches do without. */
  encoder?: Pick<CachedUnits, 'joint' | 'network'> | undefined;
}

/** The index of a folder, to be read; where there is none, that is said. */
export async function openFolderIndex(
  name: string,
  { indexes, embedder }: Pick<FolderPorts, 'indexes' | 'embedder'>,
): Promise<PassageIndex | undefined> {
  const folder = path.join(indexes, name);
  const { dimensions } = embedder;
  const layout = createIndexLayout(folder);
  const current = existsSync(folder) ? await layout.current() : undefined;
  if (!current) {
    process.stderr.write(`${name} is left out: lab/questions/index-folders.ts has made no index of it in ${indexes}\n`);
    return undefined;
  }
  const place = await layout.open(current, { following: true });
  return (await openStore(place, { dimensions, writable: false, now: Date.now }))?.index;
}

/**
 * Where it is kept what was found for a folder's questions: another place for other heads, another map of questions,
 * another joint encoder or none, or an index of other passages. Who changes how the product searches takes the files
 * away.
 */
export async function searchesFile(
  name: string,
  {
    embedder,
    cache,
    encoder,
    models = modelsDir,
  }: Pick<FolderPorts, 'embedder' | 'cache' | 'encoder'> & { models?: string },
  index: Pick<PassageIndex, 'coverage'>,
): Promise<string> {
  const { id, dimensions, moveQuestion } = embedder;
  const some = new Float32Array(dimensions).fill(dimensions ** -0.5);
  const about = JSON.stringify([
    id,
    [...(moveQuestion?.(some) ?? some)],
    (await index.coverage()).passages,
    encoder?.network,
  ]);
  return path.join(cache, `searches-${name}-${hashOf([readFileSync(headsFile(models)), about], 12)}.json`);
}

const headsFile = (models: string): string => path.join(models, 'chain-scorer.json');

/** Nothing is read here. */
const NO_MODEL = { kind: 'linear' as const, features: [], weights: [], bias: 0 };
const NO_READER: ReaderWeights = { version: 2, trainedOn: {}, unit: NO_MODEL, encodedUnit: NO_MODEL, found: NO_MODEL };

/** A clock that stands still: no stage is late, however busy the machine is. */
const IN_TIME = (): number => 0;

/** What a folder's questions are asked of: its index, searched as the product does. Undefined without an index. */
export async function openFolderSet(name: string, ports: FolderPorts): Promise<CasePorts | undefined> {
  const { embedder, profiles, encoder } = ports;
  const index = await openFolderIndex(name, ports);
  if (!index) return undefined;
  const scorer = new FeatureChainScorer(readChainScorerWeights(headsFile(modelsDir)), profiles as PassageProfiles);
  const retriever = createRetriever({
    index,
    embedder,
    scorer,
    reader: NO_READER,
    profiles,
    now: IN_TIME,
    ...(encoder && { encoder: async () => encoder.joint }),
  });
  mkdirSync(ports.cache, { recursive: true });
  const file = await searchesFile(name, ports, index);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, FoundIds>) : {};
  const search = async (question: string): Promise<FoundIds> => {
    const before = known[question];
    if (before) return before;
    const { chains, hits, absent = [] } = await retriever.chains(question, {});
    const found = {
      chain: (chains[0]?.hops ?? []).map(({ passage }) => passage.id),
      hits: hits.slice(0, 2 * MOST_READ).map(({ passage }) => passage.id),
      decides: absent.some(({ decides }) => decides),
    };
    known[question] = found;
    writeFileSync(file, JSON.stringify(known));
    return found;
  };
  return { embedder, profiles, index, search, found: ports.found, ...(ports.encode && { encode: ports.encode }) };
}

/** A folder's own questions, and the first ones of the set after it, which nothing here answers. */
export async function casesOf(
  set: FolderSet,
  others: readonly FolderSet[],
  elsewhere: number,
  ports: CasePorts,
): Promise<UnitCase[]> {
  const other = others[(others.indexOf(set) + 1) % others.length] ?? set;
  const questions = other.questions.slice(0, elsewhere).map(({ question }) => question);
  return [
    ...(await folderCases(set.questions, set.name, ports)),
    ...(await elsewhereCases(questions, set.name, ports)),
  ];
}
