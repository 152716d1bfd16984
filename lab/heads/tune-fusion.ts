import { parseArgs } from 'node:util';
import {
  DEFAULT_WEIGHTS,
  fuse,
  type FusionWeights,
  goldItemOf,
  questionNameKeys,
  type ScoredPassage,
  textQuery,
} from '#search/lab';
import { mean } from '#base';
import { allAt, recallAt } from '../evaluation/retrieval-metrics.ts';
import { requireData } from '../evaluation/dataset.ts';
import { PLACES } from '../places.ts';
import { markdownTable } from '../statistics.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { loadWikipediaSet, WIKIPEDIA_SETS, type QuestionSet, type TrainingQuestion } from './question-sets.ts';
import { CODE_SETS, loadWorkspaceSet } from './workspace-sets.ts';

/**
 * `node --import tsx lab/heads/tune-fusion.ts`: recall@5 of rank fusion over a grid of weights, one search per question
 * and list. Prints a Markdown table, and one with more metrics for words, vectors and both as they ship (weights in
 * rank-fusion.ts).
 */
const { values } = parseArgs({
  options: { data: PLACES.data, cache: PLACES.cache },
});
const DEPTH = 60;
const GRID: readonly FusionWeights[] = [0, 0.2, 0.3, 0.4, 0.6, 1].flatMap((text) =>
  [0, 0.25, 0.5].map((link) => ({ text, vector: 1, link, k: DEFAULT_WEIGHTS.k })),
);

interface Lists {
  question: TrainingQuestion;
  text: ScoredPassage[];
  vector: ScoredPassage[];
  link: ScoredPassage[];
}

const embedder = await openCachingEmbedder(values.cache);
const sets: QuestionSet[] = [];
requireData(values.data);
for (const name of WIKIPEDIA_SETS) sets.push(await loadWikipediaSet(values.data, name, embedder));
for (const name of CODE_SETS)
  sets.push(await loadWorkspaceSet(values.data, name, { embedder, cacheDir: values.cache }));

async function searchLists({ index, questions }: QuestionSet): Promise<Lists[]> {
  const lists: Lists[] = [];
  for (const question of questions) {
    const words = textQuery(question.question);
    const keys = questionNameKeys(question.question);
    lists.push({
      question,
      text: words === '' ? [] : await index.textSearch(words, { limit: DEPTH }),
      vector: await index.vectorSearch(await embedder.embedQuery(question.question), { limit: DEPTH }),
      link: keys.length === 0 ? [] : await index.findByName(keys, { limit: DEPTH }),
    });
  }
  return lists;
}

function score(
  lists: readonly Lists[],
  weights: FusionWeights,
  metric: (ranked: readonly string[], gold: ReadonlySet<string>) => number,
): number {
  return mean(
    lists.map(({ question, text, vector, link }) => {
      const ranked = fuse(
        {
          text: weights.text > 0 ? text : [],
          vector: weights.vector > 0 ? vector : [],
          link: weights.link > 0 ? link : [],
        },
        weights,
      ).map(({ passage }) => goldItemOf(question, passage));
      return metric([...new Set(ranked)], new Set(question.gold));
    }),
  );
}

const all = await Promise.all(sets.map(searchLists));
const row = (name: string, weights: FusionWeights): string[] => [
  name,
  ...all.map((lists) => score(lists, weights, (ranked, gold) => recallAt(5, ranked, gold)).toFixed(3)),
];
const nameOf = ({ text, vector, link }: FusionWeights): string => `${text} / ${vector} / ${link}`;
const WORDS: FusionWeights = { text: 1, vector: 0, link: 0, k: DEFAULT_WEIGHTS.k };
const VECTORS: FusionWeights = { text: 0, vector: 1, link: 0, k: DEFAULT_WEIGHTS.k };
const grid = [row('1 / 0 / 0', WORDS), ...GRID.map((weights) => row(nameOf(weights), weights))];
const shipped = sets.flatMap(({ name }, i) =>
  Object.entries({ words: WORDS, vectors: VECTORS, hybrid: DEFAULT_WEIGHTS }).map(([list, weights]) => {
    const of = (at: typeof recallAt, k: number): string =>
      score(all[i] ?? [], weights, (ranked, gold) => at(k, ranked, gold)).toFixed(3);
    return [name, list, of(recallAt, 5), of(recallAt, 10), of(allAt, 5), of(allAt, 10)];
  }),
);
console.log(markdownTable(['text / vector / link', ...sets.map(({ name }) => name)], grid));
console.log(`\n${markdownTable(['set', 'list', 'recall@5', 'recall@10', 'all@5', 'all@10'], shipped)}`);
await embedder.close();
