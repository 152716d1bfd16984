import path from 'node:path';
import { parseArgs } from 'node:util';
import { mean, remembered, seededRandom } from '#base';
import {
  FeatureChainScorer,
  type FoundChains,
  goldItemOf,
  type Passage,
  type PassageIndex,
  PassageProfiles,
  rankHits,
  readChainScorerWeights,
  searchChains,
} from '#search/lab';
import { retrievalMetrics } from '../evaluation/retrieval-metrics.ts';
import { modelsDir, PLACES, questionsDir } from '../places.ts';
import { markdownTable, quantile } from '../statistics.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { cellOf, CODE_PARTS, withoutPart } from './code-report.ts';
import { folderChains } from './folder-chains.ts';
import { type FolderSet, folderSets, openFolderIndex } from './folder-sets.ts';
import type { TrainingQuestion } from './question-sets.ts';

/**
 * `node --import tsx lab/heads/measure-folders.ts [FOLDER_OF_QUESTIONS]…`: how well searches find the places that
 * answer the questions about folders that stand aside (lab/questions/aside and later): vectors alone, words and
 * vectors, and chains by the heads in `models/` and, with `--than FILE`, by others. With `--without calls,types,…`,
 * chains of programs without each of these parts of their references, too (`CODE_PARTS`). Every other way to chains
 * stands beside with what it lacks, question by question. Then, by language, all files among five and places among ten:
 * chains ÷ the better of vectors and hybrid, with its interval. `--every N` asks each Nth question.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    indexes: PLACES.indexes,
    cache: PLACES.cache,
    heads: { type: 'string', default: path.join(modelsDir, 'chain-scorer.json') },
    than: { type: 'string' },
    without: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    depth: { type: 'string', default: '60' },
  },
});
const METRICS = [
  'recall@1',
  'recall@5',
  'recall@10',
  'recall@20',
  'recall@60',
  'all@5',
  'files all@5',
  'files recall@10',
];
const depth = Number(values.depth);
const parts = CODE_PARTS.filter((part) => values.without.split(',').includes(part));

/** Of notes, and of what stands beside a program. */
const PAGES = new Set(['', '.md', '.mdx', '.rst', '.adoc', '.txt', '.html', '.json', '.toml', '.yml', '.yaml']);

type Row = Record<string, number>;

const embedder = await openCachingEmbedder(values.cache);
const profiles = new PassageProfiles(50_000);
const scorerFrom = (file: string): FeatureChainScorer => new FeatureChainScorer(readChainScorerWeights(file), profiles);
const scorer = scorerFrom(values.heads);
const otherScorer = values.than === undefined ? undefined : scorerFrom(values.than);

/** What each search finds for a question, best first. */
async function rankings(question: string, index: PassageIndex): Promise<Record<string, readonly Passage[]>> {
  const search = (by: FeatureChainScorer, over = index): Promise<FoundChains> =>
    searchChains({ index: over, embedder, scorer: by, profiles, now: () => performance.now() }, question, {});
  const passagesOf = (hits: readonly { passage: Passage }[]): Passage[] => hits.map(({ passage }) => passage);
  const vector = await embedder.embedQuery(question);
  const found = await search(scorer);
  const lacking: Record<string, Passage[]> = {};
  for (const part of parts)
    lacking[`chains without ${part}`] = passagesOf(rankHits(await search(scorer, withoutPart(index, part)), depth));
  return {
    vectors: passagesOf(await index.vectorSearch(vector, { limit: depth })),
    hybrid: passagesOf(found.ranked), // chains begin with it
    chains: passagesOf(rankHits(found, depth)),
    ...(otherScorer && { 'chains, by the others': passagesOf(rankHits(await search(otherScorer), depth)) }),
    ...lacking,
  };
}

function score(question: TrainingQuestion, ranked: readonly Passage[]): Row {
  const distinct = (items: readonly string[]): string[] => [...new Set(items)];
  const places = retrievalMetrics(distinct(ranked.map((each) => goldItemOf(question, each))), undefined, question.gold);
  const files = retrievalMetrics(distinct(ranked.map((each) => each.path)), undefined, question.files ?? []);
  return { ...places, 'files all@5': files['all@5'] ?? 0, 'files recall@10': files['recall@10'] ?? 0 };
}

/** What of most of the answering files is written in, by their ending; pages beside programs do not count. */
function languageOf({ questions }: FolderSet): string | undefined {
  const endings = questions.flatMap(({ evidence }) => evidence.map(({ path: file }) => path.extname(file)));
  const counts = new Map<string, number>();
  for (const ending of endings.filter((each) => !PAGES.has(each))) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The ratio of means, and its interval over questions drawn anew; `–` where the others find nothing. */
function ratioOf(by: Record<string, Row[]>, metric: string): string {
  const of = (name: string): number[] => (by[name] ?? []).map((each) => each[metric] ?? 0);
  const [chains, others] = [of('chains'), [of('vectors'), of('hybrid')]];
  const random = seededRandom(1);
  const ratio = (drawn: readonly number[]): number => {
    const sum = (values: readonly number[]): number => drawn.reduce((total, i) => total + (values[i] ?? 0), 0);
    return sum(chains) / Math.max(...others.map(sum));
  };
  const whole = ratio(chains.map((_, i) => i));
  const drawn = Array.from({ length: 2000 }, () => ratio(chains.map(() => Math.floor(random() * chains.length))));
  const bounds = [0.025, 0.975].map((q) => quantile(drawn, q).toFixed(2));
  const means = [chains, ...others].map((values) => mean(values).toFixed(2)).join(' / ');
  return Number.isFinite(whole) ? `${whole.toFixed(2)} [${bounds.join(', ')}] (${means})` : '–';
}

const given = positionals.length > 0 ? positionals : ['aside', 'later'].map((each) => path.join(questionsDir, each));
const grouped = new Map<string, Record<string, Row[]>>();
for (const set of folderSets(given)) {
  const index = await openFolderIndex(set.name, { indexes: values.indexes, embedder });
  if (!index) continue;
  const asked = await folderChains(set, index);
  const groups = [set.kind, ...(set.kind === 'code' ? [languageOf(set) ?? 'other'] : [])];
  const scores = groups.map((group) => remembered(grouped, group, (): Record<string, Row[]> => ({})));
  for (const question of asked.questions.filter((_, i) => i % Number(values.every) === 0))
    for (const [name, ranked] of Object.entries(await rankings(question.question, index)))
      for (const into of scores) (into[name] ??= []).push(score(question, ranked));
  process.stderr.write(`${set.name}: ${asked.questions.length} questions\n`);
}
for (const [kind, by] of [...grouped].filter(([group]) => !group.startsWith('.'))) {
  const n = Object.values(by)[0]?.length ?? 0;
  const cells = (rowOf: (metric: string) => number[]): string[] => METRICS.map((metric) => cellOf(rowOf(metric)));
  const mine = by['chains'] ?? [];
  const ways = Object.entries(by);
  const others = ways.filter(([name, theirs]) => name.startsWith('chains') && theirs !== mine);
  const lines = [
    ...ways.map(([name, scores]) => [name, ...cells((metric) => scores.map((each) => each[metric] ?? 0))]),
    ...others.map(([name, theirs]) => [
      `chains less ${name}`,
      ...cells((metric) => mine.map((each, i) => (each[metric] ?? 0) - (theirs[i]?.[metric] ?? 0))),
    ]),
  ];
  process.stdout.write(`\n${markdownTable([`${kind}, ${n} questions`, ...METRICS], lines)}\n`);
}
const RATIOS = ['files all@5', 'recall@10'];
const ratios = [...grouped].map(([group, by]) => [
  group,
  String(by['chains']?.length ?? 0),
  ...RATIOS.map((metric) => ratioOf(by, metric)),
]);
process.stdout.write(`\n${markdownTable(['chains ÷ the better of vectors and hybrid', 'n', ...RATIOS], ratios)}\n`);
await embedder.close();
