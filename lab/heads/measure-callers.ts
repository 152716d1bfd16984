import { parseArgs } from 'node:util';
import { cosine } from '#base';
import { type IndexedPassage, passageEmbeddingText, type ReferenceGraph, type ScoredPassage } from '#search/lab';
import { requireData } from '../evaluation/dataset.ts';
import { PLACES } from '../places.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { type FoundMetrics, foundMetrics, waysTable } from './code-report.ts';
import { codeTrees, loadTree } from './workspace-sets.ts';

/**
 * `node --import tsx lab/heads/measure-callers.ts [--trees N]`: what a sentence made by rule gains for vectors of code,
 * over the N smallest repositories with a single question and gold lines. Each passage is embedded as the product does
 * it, and with a sentence below its title: who calls what it defines, and that behind what its doc comment says first.
 */
const { values } = parseArgs({
  options: { data: PLACES.data, cache: PLACES.cache, trees: { type: 'string', default: '56' } },
});
const MOST_CALLERS = 5;

/** Python's, on the lines below a head. */
const DOC_COMMENT = /^\s*[rRuU]?(?:"""|''')\s*([^"'\n.]{3,160})/mu;

const WAYS = ['who calls', 'what it does, and who calls'] as const;
type Way = (typeof WAYS)[number];

/** `Validates the bearer token, called by login, refresh.` Undefined where nobody is known to call anything here. */
function sentencesOf({ id, text }: IndexedPassage, graph: ReferenceGraph): Record<Way, string> | undefined {
  const defined = graph.program.fileOf.get(id)?.definitions.filter(({ passageId }) => passageId === id) ?? [];
  const edges = graph.usesOf(defined, 'calls').filter(({ confidence }) => confidence >= 0.5);
  const callers = new Set(edges.flatMap(({ from, to }) => (from && from !== to ? from.name : [])));
  if (callers.size === 0) return undefined;
  const called = `called by ${[...callers].slice(0, MOST_CALLERS).join(', ')}.`;
  const says = DOC_COMMENT.exec(text)?.[1]?.trim();
  return { 'who calls': called, 'what it does, and who calls': says ? `${says}, ${called}` : called };
}

/** What is embedded with the sentence on a line of its own, below file and title. */
function textWith(sentence: string, passage: IndexedPassage): string {
  const text = passageEmbeddingText(passage);
  const head = text.indexOf('\n') + 1;
  return `${text.slice(0, head)}${sentence}\n${text.slice(head)}`;
}

const embedder = await openCachingEmbedder(values.cache);
const AS_NOW = 'as now';
const scores: Record<typeof AS_NOW | Way, FoundMetrics[]> = {
  [AS_NOW]: [],
  'who calls': [],
  'what it does, and who calls': [],
};
const counts = { passages: 0, sentences: 0 };
requireData(values.data);
for (const tree of codeTrees(values.data, Number(values.trees)).filter(({ questions }) => questions.length === 1)) {
  const { index } = await loadTree(tree, { embedder, cacheDir: values.cache });
  const graph = await index.references();
  for (const question of tree.questions) {
    const asked = await embedder.embedQuery(question.question);
    const vector = embedder.moveQuestion?.(asked) ?? asked;
    const now = await index.vectorSearch(vector, { limit: Infinity });
    const rankings: Record<keyof typeof scores, ScoredPassage[]> = {
      [AS_NOW]: now,
      'who calls': [],
      'what it does, and who calls': [],
    };
    for (const { passage, score } of now) {
      const sentences = graph && sentencesOf(passage, graph);
      if (sentences) counts.sentences += 1;
      for (const way of WAYS) {
        const [told] = sentences ? await embedder.embedPassages([textWith(sentences[way], passage)]) : [];
        rankings[way].push({ passage, score: told ? cosine(vector, told) : score });
      }
    }
    counts.passages += now.length;
    for (const [way, found] of Object.entries(rankings) as [keyof typeof scores, ScoredPassage[]][]) {
      const ranked = found.sort((a, b) => b.score - a.score).map(({ passage }) => passage);
      scores[way].push(foundMetrics(question, ranked));
    }
  }
  process.stderr.write(`${tree.name}: ${counts.sentences} of ${counts.passages} passages with a sentence\n`);
}
await embedder.close();

process.stdout.write(`${waysTable(scores)}\n`);
process.stdout.write(`${counts.sentences} of ${counts.passages} passages with a sentence\n`);
