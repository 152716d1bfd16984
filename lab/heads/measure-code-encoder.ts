import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { addTo, mean } from '#base';
import {
  candidateOf,
  createRetriever,
  DEFAULT_BOOSTING,
  FeatureChainScorer,
  FeatureTable,
  type JointEncoder,
  type Model,
  openJointEncoder,
  type Passage,
  PassageProfiles,
  predictTable,
  readChainScorerWeights,
  readReaderWeights,
  trainTrees,
} from '#search/lab';
import { type DatasetQuestion, requireData } from '../evaluation/dataset.ts';
import { rangesAt } from '../evaluation/retrieval-metrics.ts';
import { modelsDir, PLACES } from '../places.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { type FoundMetrics, foundMetrics, waysTable } from './code-report.ts';
import { codeTrees, loadTree } from './workspace-sets.ts';

/**
 * `node --import tsx lab/heads/measure-code-encoder.ts [--trees N]`: what the joint encoder's word on the first
 * passages that chains find would gain for code, over the N smallest repositories with a single question and gold
 * lines. The passages are ordered anew by the encoder alone, by both orders joined, and by trees that see the place
 * alone or the encoder as well; what is learnt is learnt from other repositories.
 */
const { values } = parseArgs({
  options: { data: PLACES.data, cache: PLACES.cache, trees: { type: 'string', default: '56' } },
});
const READ = 24;
const FOLDS = 8;
/** Of reciprocal rank fusion, as beside a chain. */
const K = 10;
const WEIGHTS = [0, 0.125, 0.25, 0.5, 1, 2];
const SAYS = ['extends', 'complete', 'span', 'support'] as const;
const PLACE = ['place', 'score'];
const ALL = [...PLACE, ...SAYS.flatMap((name) => [name, `${name}.z`, `${name}.rank`, `${name}.gap`])];
type Said = Record<(typeof SAYS)[number], number>;

/** What was found for a question, best first, with what the encoder says of the first ones. */
interface Case {
  question: DatasetQuestion;
  found: Passage[];
  said: Said[];
  table: FeatureTable;
  labels: number[];
}

async function readBy(encoder: JointEncoder, question: string, passage: Passage): Promise<Said> {
  const candidate = candidateOf(passage);
  const reading = await encoder.read({ question, candidate });
  return {
    extends: reading.extends,
    complete: reading.complete,
    span: reading.spans.find(({ inHeader }) => !inHeader)?.score ?? -20,
    support: reading.support(0, candidate.text.length) ?? -10,
  };
}

function tableOf(scores: readonly number[], said: readonly Said[]): FeatureTable {
  const table = new FeatureTable(said.length);
  said.forEach((each, i) => table.set(i, { place: Math.log2(i + 1), score: scores[i] ?? 0, ...each }));
  table.addStandings(SAYS);
  return table;
}

/** The read passages by a value, the highest first; the others behind. */
function ordered({ found, said }: Case, value: readonly number[]): Passage[] {
  const order = [...said.keys()].sort((a, b) => (value[b] ?? 0) - (value[a] ?? 0) || a - b);
  return [...order.flatMap((i) => found[i] ?? []), ...found.slice(said.length)];
}

function joined(each: Case, weight: number): Passage[] {
  const leads = each.table.column('extends.rank'); // logarithm of the place, from 1
  return ordered(
    each,
    each.said.map((_, i) => 1 / (K + i + 1) + weight / (K + Math.exp(leads[i] ?? 0))),
  );
}

/** The weight that serves some cases best, by all figures together. */
const bestWeight = (cases: readonly Case[]): number => {
  const worth = (weight: number): number =>
    mean(cases.map((each) => mean(Object.values(foundMetrics(each.question, joined(each, weight))))));
  return WEIGHTS.map((weight) => ({ weight, worth: worth(weight) })).reduce((a, b) => (b.worth > a.worth ? b : a))
    .weight;
};

const learn = (cases: readonly Case[], features: readonly string[]): Model =>
  trainTrees(
    {
      features,
      rows: cases.flatMap(({ table }) => table.rows(features)),
      labels: cases.flatMap(({ labels }) => labels),
      weights: cases.flatMap(({ labels }) => labels.map(() => 1)),
    },
    { ...DEFAULT_BOOSTING, trees: 60, depth: 2, rowShare: 0.8, featureShare: 0.7 },
  );

const embedder = await openCachingEmbedder(values.cache);
const profiles = new PassageProfiles(50_000);
const scorer = new FeatureChainScorer(readChainScorerWeights(path.join(modelsDir, 'chain-scorer.json')), profiles);
const reader = readReaderWeights(path.join(modelsDir, 'reader.json'));
const encoder = await openJointEncoder(modelsDir);
if (!encoder) throw new Error(`There is no joint encoder in ${modelsDir}.`);
/** What the encoder said before, by question and passage. */
const readings = path.join(values.cache, 'code-readings.json');
const known = existsSync(readings) ? (JSON.parse(readFileSync(readings, 'utf8')) as Record<string, Said>) : {};

const cases: Case[] = [];
requireData(values.data);
for (const tree of codeTrees(values.data, Number(values.trees)).filter(({ questions }) => questions.length === 1)) {
  const { index } = await loadTree(tree, { embedder, cacheDir: values.cache });
  const retriever = createRetriever({ index, embedder, scorer, reader, now: () => performance.now(), profiles });
  for (const question of tree.questions) {
    const { hits } = await retriever.chains(question.question, {});
    const found = hits.map(({ passage }) => passage);
    const said: Said[] = [];
    for (const passage of found.slice(0, READ))
      said.push((known[`${question.id} ${passage.id}`] ??= await readBy(encoder, question.question, passage)));
    const labels = found.slice(0, READ).map((passage) => (rangesAt(1, [passage], question.lines ?? []) > 0 ? 1 : 0));
    cases.push({
      question,
      found,
      said,
      labels,
      table: tableOf(
        hits.map(({ score }) => score),
        said,
      ),
    });
  }
  writeFileSync(readings, JSON.stringify(known));
  process.stderr.write(`${tree.name}: ${cases.length} questions\n`);
}
await encoder.close();
await embedder.close();

const ways = new Map<string, FoundMetrics[]>();
const weights: number[] = [];
for (const [i, each] of cases.entries()) {
  const others = cases.filter((_, other) => other % FOLDS !== i % FOLDS);
  const weight = bestWeight(others);
  weights.push(weight);
  const ranked = {
    'as found': each.found,
    'the encoder alone': ordered(each, [...each.table.column('extends')]),
    'both orders joined': joined(each, weight),
    'trees, place alone': ordered(each, predictTable(learn(others, PLACE), each.table)),
    'trees, place and encoder': ordered(each, predictTable(learn(others, ALL), each.table)),
  };
  for (const [name, passages] of Object.entries(ranked)) addTo(ways, name, foundMetrics(each.question, passages));
}
process.stdout.write(`${waysTable(Object.fromEntries(ways))}\n`);
process.stdout.write(`weights of the encoder's order: ${[...new Set(weights)].join(', ')}\n`);
