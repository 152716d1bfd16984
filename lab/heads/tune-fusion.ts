import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  DEFAULT_WEIGHTS,
  fuse,
  type FusionWeights,
  goldItemOf,
  openEmbedder,
  questionNameKeys,
  type ScoredPassage,
  textQuery,
} from '#search/lab';
import { mean } from '#base';
import { allAt, recallAt } from '../evaluation/retrieval-metrics.ts';
import { CachingEmbedder } from './caching-embedder.ts';
import { loadWikipediaSet, WIKIPEDIA_SETS, type QuestionSet, type TrainingQuestion } from './question-sets.ts';
import { CODE_SETS, loadWorkspaceSet } from './workspace-sets.ts';

/**
 * `node --import tsx lab/heads/tune-fusion.ts`: recall@5 of rank fusion over a grid of weights, one search per question
 * and list. Prints a Markdown table, and one with more metrics for words, vectors and both as they ship (weights in
 * rank-fusion.ts).
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.HOPTRAIL_DATA ?? path.join(root, '..', 'shared', 'data') },
    cache: { type: 'string', default: path.join(tmpdir(), 'hoptrail-training') },
  },
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

const embedder = new CachingEmbedder(
  await openEmbedder({ kind: 'bundled' }, { modelsDir: path.join(root, 'models') }),
  path.join(values.cache, 'vectors.bin'),
);
const sets: QuestionSet[] = [];
for (const name of WIKIPEDIA_SETS) sets.push(await loadWikipediaSet(values.data, name, embedder));
for (const name of CODE_SETS)
  sets.push(await loadWorkspaceSet(values.data, name, { embedder, cacheDir: values.cache, packageRoot: root }));

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
const row = (name: string, weights: FusionWeights): string =>
  `| ${name} | ${all.map((lists) => score(lists, weights, (ranked, gold) => recallAt(5, ranked, gold)).toFixed(3)).join(' | ')} |`;
const nameOf = ({ text, vector, link }: FusionWeights): string => `${text} / ${vector} / ${link}`;
const WORDS: FusionWeights = { text: 1, vector: 0, link: 0, k: DEFAULT_WEIGHTS.k };
const VECTORS: FusionWeights = { text: 0, vector: 1, link: 0, k: DEFAULT_WEIGHTS.k };
process.stdout.write(
  [
    `| text / vector / link | ${sets.map(({ name }) => name).join(' | ')} |`,
    `|---|${sets.map(() => '---').join('|')}|`,
    row('1 / 0 / 0', WORDS),
    ...GRID.map((weights) => row(nameOf(weights), weights)),
    '',
    '| set | list | recall@5 | recall@10 | all@5 | all@10 |',
    '|---|---|---|---|---|---|',
    ...sets.flatMap(({ name }, i) =>
      (
        [
          ['words', WORDS],
          ['vectors', VECTORS],
          ['hybrid', DEFAULT_WEIGHTS],
        ] as const
      ).map(([list, weights]) => {
        const of = (metric: Parameters<typeof score>[2]): string => score(all[i] ?? [], weights, metric).toFixed(3);
        return `| ${name} | ${list} | ${[of((r, g) => recallAt(5, r, g)), of((r, g) => recallAt(10, r, g)), of((r, g) => allAt(5, r, g)), of((r, g) => allAt(10, r, g))].join(' | ')} |`;
      }),
    ),
    '',
  ].join('\n'),
);
await embedder.close();
