import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Embedder, type PackedQuestionMap, packQuestionMap, unpackQuestionMap } from '#search/lab';
import { addTo, mean, sum } from '#base';
import { requireData } from '../evaluation/dataset.ts';
import { bootstrapInterval } from '../statistics.ts';
import { modelsDir, PLACES, questionsDir } from '../places.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { writeFoldMaps } from './fold-maps.ts';
import { folderChains } from './folder-chains.ts';
import { AMONG, learnQuestionMap, recalls, type Vectors } from './learn-question-map.ts';
import { type FolderSet, folderSets, openFolderIndex } from './folder-sets.ts';
import { loadWikipediaSet, type QuestionSet, WIKIPEDIA_SETS } from './question-sets.ts';

/**
 * `npm run train:question-map`: learns where a question's vector is looked for (`QuestionMap`) from the questions of
 * lab/questions and lab/questions/more, each against all passages of its folder, and writes it beside the bundled
 * embedder. Printed is the share of places among the first passages by vectors alone, before and after, of folders
 * that stand aside and of Wikipedia's questions. Beside it lie, in the cache, a map for each fifth of the folders that
 * learnt from the others alone: heads learn with these (`readFoldMaps`).
 */
const { values } = parseArgs({
  options: {
    ...PLACES,
    out: { type: 'string', default: path.join(modelsDir, 'Xenova/bge-small-en-v1.5/question-map.json') },
    /** λ of λ‖W‖²: found by folds of folders among 0.003, 0.01, 0.03 and 0.1. */
    decay: { type: 'string', default: '0.03' },
    steps: { type: 'string', default: '40' },
  },
});
const decay = Number(values.decay);
/** Of folders, each with a map that learnt from the others alone: heads learn with it. */
const FOLDS = 5;

async function vectorsOf({ index, questions: asked }: QuestionSet, embedder: Embedder): Promise<Vectors> {
  const any = new Float32Array(embedder.dimensions).fill(1);
  const all = await index.vectorSearch(any, { limit: 1_000_000 });
  const rows = await index.get(all.map(({ passage }) => passage.id));
  const at = new Map(rows.map(({ id }, i) => [id, i]));
  const found: Vectors = { passages: rows.map(({ vector }) => vector ?? new Float32Array(any.length)), asked: [] };
  for (const { question, gold, places } of asked) {
    const touching = [...(places ?? gold.map((id): [string, string] => [id, id]))];
    const groups = gold.map((place) =>
      touching.flatMap(([id, touched]) => (touched === place ? [at.get(id) ?? -1] : [])).filter((row) => row >= 0),
    );
    if (groups.some((group) => group.length > 0))
      found.asked.push({ vector: await embedder.embedQuery(question), places: groups });
  }
  return found;
}

async function main(): Promise<void> {
  requireData(values.data);
  const embedder = await openCachingEmbedder(values.cache);
  const open = async (set: FolderSet): Promise<Vectors[]> => {
    const index = await openFolderIndex(set.name, { indexes: values.indexes, embedder });
    return index ? [await vectorsOf(await folderChains(set, index), embedder)] : [];
  };
  const learnt = new Map<string, Vectors>();
  for (const set of folderSets([questionsDir, path.join(questionsDir, 'more')]))
    for (const folder of await open(set)) learnt.set(set.name, folder);
  const learn = (folders: readonly Vectors[]): PackedQuestionMap => {
    const options = { size: embedder.dimensions, steps: Number(values.steps), decay, log };
    const { weights, bias } = learnQuestionMap(folders, options);
    const asked = sum(folders.map((folder) => folder.asked.length));
    return packQuestionMap(weights, bias, { embedder: embedder.id, folders: folders.length, questions: asked, decay });
  };
  const folds = Object.fromEntries([...learnt.keys()].map((name, i) => [name, i % FOLDS]));
  const others = (fold: number): Vectors[] => [...learnt].flatMap(([name, own]) => (folds[name] === fold ? [] : [own]));
  writeFoldMaps(
    values.cache,
    folds,
    Array.from({ length: FOLDS }, (_, fold) => learn(others(fold))),
  );
  const packed = learn([...learnt.values()]);

  const move = unpackQuestionMap(packed);
  const aside = new Map<string, Vectors[]>();
  for (const part of ['aside', 'later'])
    for (const set of folderSets([path.join(questionsDir, part)]))
      for (const folder of await open(set)) addTo(aside, `${set.kind}, ${part}`, folder);
  for (const name of WIKIPEDIA_SETS)
    aside.set(name, [await vectorsOf(await loadWikipediaSet(values.data, name, embedder), embedder)]);
  const measured: Record<string, unknown> = {};
  for (const [name, folders] of aside) {
    const before = folders.flatMap((folder) => recalls(folder, (vector) => vector));
    const after = folders.flatMap((folder) => recalls(folder, move));
    const row = AMONG.map((most, i) => {
      const [then, now] = [before, after].map((all) => all.map((each) => each[i] ?? 0)) as [number[], number[]];
      const [low, high] = bootstrapInterval(
        now.map((each, j) => each - (then[j] ?? 0)),
        1,
      );
      const cell = `${mean(then).toFixed(3)} → ${mean(now).toFixed(3)} [${signed(low)}, ${signed(high)}]`;
      return [`recall@${most}`, cell] as const;
    });
    measured[name] = { questions: before.length, ...Object.fromEntries(row) };
    process.stdout.write(`${name}, ${before.length}: ${row.map(([key, cell]) => `${key} ${cell}`).join(', ')}\n`);
  }
  const trainedOn = { ...packed.trainedOn, keptAside: measured };
  writeFileSync(values.out, `${JSON.stringify({ ...packed, trainedOn })}\n`);
  await embedder.close();
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

await main();
