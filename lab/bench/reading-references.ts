/**
 * What references cost the indexing of a folder: the processor's time for reading its files with the patterns that find
 * definitions and uses, and without, in turns, beside that for embedding some of its passages. `node --import tsx
 * lab/bench/reading-references.ts [FOLDER]`; one line of JSON. Goal: throughput with them at least 0.9 of that without.
 */
import path from 'node:path';
import { CodeParser, codeLanguages, openEmbedder, type Passage, passageEmbeddingText } from '#search/lab';
import { modelsDir, root } from '../places.ts';
import { readFolder } from '../read-folder.ts';
import { rounded, worked } from '../statistics.ts';

const folder = path.resolve(process.argv[2] ?? path.join(root, 'src', 'search'));
const TURNS = 3;
const EMBEDDED = 120;
const plain = codeLanguages.map(({ references: _references, ...language }) => language);

/** Passages of the folder, and milliseconds of the processor for reading them. */
async function read(keeps: boolean): Promise<{ passages: Passage[]; milliseconds: number }> {
  const code = new CodeParser(root, () => undefined, keeps ? codeLanguages : plain);
  const before = worked();
  const passages = await readFolder(folder, { useGitignore: true, code });
  return { passages, milliseconds: worked() - before };
}

await read(true); // grammars load, and what is run often is compiled
const { passages } = await read(false);
const embedder = await openEmbedder({ kind: 'bundled' }, { modelsDir });
try {
  const step = Math.max(1, Math.floor(passages.length / EMBEDDED));
  const texts = passages.filter((_passage, i) => i % step === 0).map(passageEmbeddingText);
  await embedder.embedPassages(texts.slice(0, 4));
  const before = worked();
  await embedder.embedPassages(texts.sort((a, b) => a.length - b.length));
  const embedding = (worked() - before) / texts.length;
  const spent = { with: 0, without: 0 };
  for (let turn = 0; turn < TURNS; turn++)
    for (const name of turn % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
      spent[name] += (await read(name === 'with')).milliseconds / TURNS / passages.length;
  process.stdout.write(
    `${JSON.stringify({
      passages: passages.length,
      millisecondsPerPassage: {
        readingWith: rounded(spent.with, 3),
        readingWithout: rounded(spent.without, 3),
        embedding: rounded(embedding, 3),
      },
      throughputWithOverWithout: rounded((embedding + spent.without) / (embedding + spent.with), 3),
    })}\n`,
  );
} finally {
  await embedder.close();
}
