import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  FeatureChainScorer,
  type Passage,
  type PassageIndex,
  PassageProfiles,
  rankAllHits,
  readChainScorerWeights,
  searchChains,
} from '#search/lab';
import { modelsDir, PLACES, questionsDir } from '../places.ts';
import { figureOf, markdownTable } from '../statistics.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { type FolderQuestion, touches } from './unit-cases.ts';
import { folderSets, openFolderIndex } from './folder-sets.ts';

/**
 * `node --import tsx lab/heads/measure-folders.ts [FOLDER_OF_QUESTIONS]…`: which of the places that answer are among
 * the first hits, for questions about folders (lab/questions/aside and later): by vectors alone, by hybrid search, by
 * beam and, with `--than FILE`, by beam with other heads. Behind each figure its difference to hybrid search, question
 * by question, with 95 % intervals.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    indexes: PLACES.indexes,
    cache: PLACES.cache,
    heads: { type: 'string', default: path.join(modelsDir, 'chain-scorer.json') },
    than: { type: 'string' },
  },
});
/** Share of questions of which any place, or every place, is among so many hits. */
const METRICS = ['any@5', 'any@12', 'all@12', 'all@60'] as const;
const MOST = 60;

const embedder = await openCachingEmbedder(values.cache);
const profiles = new PassageProfiles(50_000);
const scorerFrom = (file: string): FeatureChainScorer => new FeatureChainScorer(readChainScorerWeights(file), profiles);
const scorer = scorerFrom(values.heads);
const otherScorer = values.than === undefined ? undefined : scorerFrom(values.than);

/** What each way finds for a question, best first. */
async function rankings(question: string, index: PassageIndex): Promise<Record<string, readonly Passage[]>> {
  const ports = { index, embedder, profiles, now: () => performance.now() };
  const found = await searchChains({ ...ports, scorer }, question, {});
  const beam = async (by: typeof found): Promise<Passage[]> =>
    (await rankAllHits(index, by, MOST)).map(({ passage }) => passage);
  const vector = await embedder.embedQuery(question);
  const hybrid = await index.read(
    [...found.ranked, ...found.others].map(({ passage: { id } }) => ({ id, embedded: true })),
    { vectors: false },
  );
  return {
    hybrid: hybrid.slice(0, MOST),
    vector: (await index.vectorSearch(vector, { limit: MOST })).map(({ passage }) => passage),
    beam: await beam(found),
    ...(otherScorer && {
      'beam, other heads': await beam(await searchChains({ ...ports, scorer: otherScorer }, question, {})),
    }),
  };
}

function score({ evidence }: FolderQuestion, ranked: readonly Passage[]): Record<string, number> {
  const among = (most: number): boolean[] =>
    evidence.map((place) => ranked.slice(0, most).some((passage) => touches(passage, place)));
  return Object.fromEntries(
    METRICS.map((metric) => {
      const [which, most] = metric.split('@');
      const found = among(Number(most));
      return [metric, Number(which === 'any' ? found.some(Boolean) : found.every(Boolean))];
    }),
  );
}

const cellOf = (numbers: readonly number[]): string => {
  const { mean, ci95 } = figureOf([...numbers], 1);
  return `${mean.toFixed(2)} [${ci95.map((end) => end.toFixed(2)).join(', ')}]`;
};

const given = positionals.length > 0 ? positionals : ['aside', 'later'].map((each) => path.join(questionsDir, each));
const scores = new Map<string, Map<string, Record<string, number>[]>>();
for (const set of folderSets(given)) {
  const index = await openFolderIndex(set.name, { indexes: values.indexes, embedder });
  if (!index) continue;
  for (const question of set.questions.filter(({ type }) => type !== 'null'))
    for (const [way, ranked] of Object.entries(await rankings(question.question, index))) {
      const ways = scores.get(set.kind) ?? new Map<string, Record<string, number>[]>();
      ways.set(way, [...(ways.get(way) ?? []), score(question, ranked)]);
      scores.set(set.kind, ways);
    }
  process.stderr.write(`${set.name}: ${set.questions.length} questions\n`);
}
for (const [kind, ways] of scores) {
  const hybrid = ways.get('hybrid') ?? [];
  const rows = [...ways].map(([way, own]) => [
    way,
    ...METRICS.map((metric) => {
      const all = own.map((each) => each[metric] ?? 0);
      const less = all.map((value, i) => value - (hybrid[i]?.[metric] ?? 0));
      return way === 'hybrid' ? cellOf(all) : `${cellOf(all)}; ${cellOf(less)}`;
    }),
  ]);
  process.stdout.write(`\n${markdownTable([`${kind}, ${hybrid.length} questions`, ...METRICS], rows)}\n`);
}
await embedder.close();
