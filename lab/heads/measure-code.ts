import path from 'node:path';
import { parseArgs } from 'node:util';
import { PassageProfiles, readChainScorerWeights, readReaderWeights } from '#search/lab';
import { requireData } from '../evaluation/dataset.ts';
import { modelsDir, PLACES } from '../places.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { askCode, CODE_PARTS, codeDifferences, type CodeOutcome, type CodeSearch, codeTable } from './code-report.ts';
import { CODE_SETS, codeTrees, loadTree } from './workspace-sets.ts';

/**
 * `node --import tsx lab/heads/measure-code.ts [--trees N] [--only A,B]`: searches code by what ships, and without each
 * of its parts, over repositories with questions about them. Chains are asked only where the heads have not seen the
 * repository. `--trees` takes so many of those with a single question, the smallest archives first.
 */
const { values } = parseArgs({
  options: {
    data: PLACES.data,
    cache: PLACES.cache,
    trees: { type: 'string', default: '30' },
    only: { type: 'string' },
  },
});

const SEARCHES: readonly CodeSearch[] = [
  { name: 'vector', retriever: 'vector' },
  { name: 'hybrid', retriever: 'hybrid' },
  { name: 'hybrid without anchors', retriever: 'hybrid', without: 'anchors' },
  { name: 'hybrid without roles', retriever: 'hybrid', without: 'roles' },
  { name: 'beam', retriever: 'beam' },
  ...CODE_PARTS.map((part) => ({ name: `beam without ${part}`, retriever: 'beam', without: part }) as const),
];
const SEEN: ReadonlySet<string> = new Set(CODE_SETS);

const embedder = await openCachingEmbedder(values.cache);
const ports = {
  embedder,
  profiles: new PassageProfiles(50_000),
  reader: readReaderWeights(path.join(modelsDir, 'reader.json')),
  heads: readChainScorerWeights(path.join(modelsDir, 'chain-scorer.json')),
  signal: new AbortController().signal,
};
const outcomes: CodeOutcome[] = [];
const only = values.only?.split(',');
requireData(values.data);
for (const tree of codeTrees(values.data, Number(values.trees))) {
  if (only !== undefined && !only.includes(tree.name)) continue;
  const { index } = await loadTree(tree, { embedder, cacheDir: values.cache });
  const group = tree.questions.length > 1 ? tree.name : 'one question each';
  for (const question of tree.questions) {
    if (!question.files?.length) continue;
    for (const search of SEARCHES)
      if (search.retriever !== 'beam' || !SEEN.has(tree.name))
        outcomes.push(await askCode(question, group, index, search, ports));
  }
  process.stderr.write(`${tree.name}: ${tree.questions.length} questions\n`);
}
process.stdout.write(`${codeTable(outcomes)}\n\n${codeDifferences(outcomes, 'hybrid')}\n`);
if (outcomes.some(({ search }) => search === 'beam')) process.stdout.write(`\n${codeDifferences(outcomes, 'beam')}\n`);
await embedder.close();
