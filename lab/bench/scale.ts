/**
 * How an index grows, on real text: `node --import tsx lab/bench/scale.ts [--text DIR] [--vectors free|short|full]
 * [--keep FILE] [PASSAGES…]`; 5,000 and 60,000 passages when none are named (200,000 take an hour of a quiet machine).
 * One table: first hits while vectors are written and once they are, writing over embedding, an edit until it is
 * searchable, hybrid search over a bare LanceDB vector query with the same settings, in turns, right after 200 edits
 * and once tidied, recall of the vector index, disk; and below it what misses its goal.
 *
 * DIR holds files, or archives of them (.tar.gz); without it: this repository. Where the files do not reach, they come
 * again with changed words. Vectors: `free` are hashed words, a millisecond each; `short` are the bundled model's of
 * each passage's first 64 characters (a few minutes at 60,000), `full` its vectors of whole passages (half an hour).
 * FILE keeps the model's vectors for the next run.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Table } from '@lancedb/lancedb';
import { seededRandom } from '#base';
import { createIndexLayout, type Embedder, openEmbedder, openStore } from '#search/lab';
import { modelsDir, root } from '../places.ts';
import { benchIndex, benchRetriever, benchService, FreeEmbedder, passagesTable } from './bench-index.ts';
import { CachingEmbedder } from '../heads/caching-embedder.ts';
import { instead } from '../instead.ts';
import { markdownTable, quantile } from '../statistics.ts';
import { fillWithText } from './real-text.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    text: { type: 'string', default: root },
    vectors: { type: 'string', default: 'free' },
    keep: { type: 'string' },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [5_000, 60_000];
const QUERIES = 60;
const WARM_UP = 10;
const EDITS = 200;
const FIRST_HITS = 5;
/** Of the list that a search shows. */
const RECALLED = 10;
const SHORT = 64;
/** The bundled model is timed on so many passages, to know what embedding all of them takes. */
const TIMED_TEXTS = 60;
/** After this long without work the index tidies itself up; how long that is given at most, and how it is told. */
const IDLE_MILLISECONDS = 60_000;
const TIDY_MILLISECONDS = 900_000;
const FEW_VERSIONS = 8;
const random = seededRandom(1);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** What is aimed at, by the name of a row: at most so much, or at least. */
const GOALS: Readonly<Record<string, { most: number } | { least: number }>> = {
  'first hits while vectors are written, p95 ms': { most: 300 },
  'first hits right after opening again, ms': { most: 300 },
  'first hits once they are, p95 ms': { most: 300 },
  'writing vectors ÷ embedding them': { most: 0.05 },
  'edit to searchable, p95 ms': { most: 1_000 },
  'hybrid p95 ÷ bare vector p95, right after 200 edits': { most: 1.5 },
  'hybrid p95 ÷ bare vector p95, tidied': { most: 1.3 },
  'recall@10 of the vector search against an exact one': { least: 0.97 },
};

/** The model, of the first characters of what it is given. */
const shortened = (inner: Embedder): Embedder =>
  instead(inner, {
    id: `${inner.id}/first-${SHORT}`,
    embedPassages: (texts, signal) =>
      inner.embedPassages(
        texts.map((text) => text.slice(0, SHORT)),
        signal,
      ),
    embedQuery: (text, signal) => inner.embedQuery(text.slice(0, SHORT), signal),
  });

const openModel = (): Promise<Embedder> =>
  openEmbedder({ kind: 'bundled' }, { modelsDir, workerFile: path.join(root, 'dist', 'model-thread.cjs') });

async function openBenchEmbedder(): Promise<Embedder> {
  if (options.vectors === 'free') return new FreeEmbedder(1);
  const model = await openModel();
  const embedder = options.vectors === 'short' ? shortened(model) : model;
  return options.keep === undefined ? embedder : new CachingEmbedder(embedder, options.keep);
}

/** Seconds that the bundled model takes for a passage. */
async function secondsPerPassage(texts: readonly string[]): Promise<number> {
  const model = await openModel();
  try {
    await model.embedPassages(['warm', 'warm too']);
    const began = performance.now();
    await model.embedPassages(texts.toSorted((a, b) => a.length - b.length));
    return (performance.now() - began) / 1_000 / texts.length;
  } finally {
    await model.close();
  }
}

const round = (value: number): number => Number(value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0));

async function measure(passages: number): Promise<Record<string, number>> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-scale-'));
  const folder = path.join(scratch, 'files');
  const indexUri = path.join(scratch, 'index');
  /** Of commits of vectors. */
  let writing = 0;
  const service = benchService(openBenchEmbedder, {
    idleMs: IDLE_MILLISECONDS,
    openStore: async (...given) => {
      const store = await openStore(...given);
      const table = store?.passages;
      if (table) {
        const write = table.setVectors.bind(table);
        table.setVectors = async (entries) => {
          const began = performance.now();
          await write(entries).finally(() => (writing += (performance.now() - began) / 1_000));
        };
      }
      return store;
    },
  });
  /** Six words of a passage: of a name, a line, a comment. */
  const questionOf = async (): Promise<string> => {
    for (;;) {
      const found = await service.index.passagesOf(pick(paths));
      const words = pick(found)?.text.match(/[A-Za-z_]{4,}/g) ?? [];
      if (words.length >= 12) return Array.from({ length: 6 }, () => pick(words)).join(' ');
    }
  };
  let paths: readonly string[] = [];
  let asked: readonly string[] = [];

  try {
    const files = fillWithText(folder, path.resolve(options.text), passages, scratch);
    await service.open(benchIndex(indexUri, folder));
    const began = performance.now();
    const updating = service.update({});
    let isDone = false;
    updating.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    // From here on everything can be found by its words, and vectors are written.
    while (!isDone && (await service.state()).phase !== 'embedding') await wait(20);
    const readSeconds = (performance.now() - began) / 1_000;
    paths = (await service.report()).files.map((file) => file.path);
    const retriever = benchRetriever(service);
    const firstHits = async (): Promise<number> => {
      const question = await questionOf();
      const started = performance.now();
      await retriever.search(question, { retriever: 'hybrid', limit: FIRST_HITS, soon: true });
      return performance.now() - started;
    };
    const first = await firstHits();
    const whileWriting: number[] = [first];
    while (!isDone) {
      whileWriting.push(await firstHits());
      await wait(50); // a person does not ask without a pause
    }
    const report = await updating;
    const table = await passagesTable(indexUri);
    const rows = await service.index.passagesOf(pick(paths));
    while (rows.length < TIMED_TEXTS) rows.push(...(await service.index.passagesOf(pick(paths))));
    const embedding = (await secondsPerPassage(rows.slice(0, TIMED_TEXTS).map(({ text }) => text))) * report.passages;
    const bytes = (await createIndexLayout(indexUri).bytes()) ?? 0;
    const afterwards: number[] = [];
    for (let i = 0; i < QUERIES; i++) afterwards.push(await firstHits());

    const questions: string[] = [];
    for (let i = 0; i < WARM_UP + QUERIES; i++) questions.push(await questionOf());
    asked = questions;
    const edits: number[] = [];
    for (let i = 0; i < EDITS; i++) edits.push(await timeEdit(pick(files), `edited${i}mark`));

    /** Both timed in turns, so that other work on the machine meets both. */
    const timeQueries = async (): Promise<{ hybrid: number[]; bare: number[] }> => {
      const times = { hybrid: [] as number[], bare: [] as number[] };
      for (const [i, question] of questions.entries()) {
        const vector = await service.embedder.embedQuery(question);
        await table.checkoutLatest(); // the files of the version before are gone once the index was tidied
        let started = performance.now();
        await nearest(table, vector, 40).toArrow();
        if (i >= WARM_UP) times.bare.push(performance.now() - started);
        started = performance.now();
        await retriever.search(question, { retriever: 'hybrid', limit: 10 });
        if (i >= WARM_UP) times.hybrid.push(performance.now() - started);
      }
      return times;
    };
    await table.checkoutLatest();
    const afterEdits = await timeQueries();
    const tidyFrom = performance.now();
    // Tidying joins the edits' fragments and drops their versions.
    while ((await table.listVersions()).length > FEW_VERSIONS && performance.now() - tidyFrom < TIDY_MILLISECONDS) {
      await wait(1_000);
      await table.checkoutLatest();
    }
    const tidySeconds = (performance.now() - tidyFrom) / 1_000;
    const tidied = await timeQueries();
    const of = ({ hybrid, bare }: { hybrid: number[]; bare: number[] }, when: string): Record<string, number> => ({
      [`hybrid p95 ÷ bare vector p95, ${when}`]: quantile(hybrid, 0.95) / quantile(bare, 0.95),
      [`hybrid p50 ÷ bare vector p50, ${when}`]: quantile(hybrid, 0.5) / quantile(bare, 0.5),
      [`hybrid p95 ms, ${when}`]: quantile(hybrid, 0.95),
      [`bare vector p95 ms, ${when}`]: quantile(bare, 0.95),
    });
    const found = await recall(table, questions);
    await service.close();
    const again = { soon: await firstAfterOpening(true), waiting: await firstAfterOpening(false) };
    return {
      files: report.files,
      passages: report.passages,
      'words searchable after, s': readSeconds,
      'first hits while vectors are written, p95 ms': quantile(whileWriting, 0.95),
      'first hits while vectors are written, p50 ms': quantile(whileWriting, 0.5),
      'the very first of them, ms': first,
      'searches timed meanwhile': whileWriting.length,
      'first hits once they are, p95 ms': quantile(afterwards, 0.95),
      'writing vectors ÷ embedding them': writing / embedding,
      'writing vectors, s': writing,
      'embedding them with the bundled model, s': embedding,
      'edit to searchable, p95 ms': quantile(edits, 0.95),
      'edit to searchable, p50 ms': quantile(edits, 0.5),
      ...of(afterEdits, `right after ${EDITS} edits`),
      ...of(tidied, 'tidied'),
      'tidied after, s': tidySeconds,
      'first hits right after opening again, ms': again.soon,
      'the same, waiting for the references, ms': again.waiting,
      'recall@10 of the vector search against an exact one': found,
      'vectors in its index': (await table.indexStats('vector_idx'))?.numIndexedRows ?? 0,
      'disk, MB per 100,000 passages': bytes / 1e6 / (report.passages / 1e5),
      'memory of this process, MB': process.memoryUsage.rss() / 1e6,
    };
  } finally {
    await service.close();
    rmSync(scratch, { recursive: true, force: true });
  }

  /** Milliseconds of the first search of a process that opens the index; `soon` as the first hits of a question. */
  async function firstAfterOpening(soon: boolean): Promise<number> {
    const other = benchService(openBenchEmbedder);
    try {
      await other.open(benchIndex(indexUri, folder));
      await other.embedder.embedQuery('warm');
      const started = performance.now();
      await benchRetriever(other).search(pick(asked), { retriever: 'hybrid', limit: FIRST_HITS, soon });
      return performance.now() - started;
    } finally {
      await other.close();
    }
  }

  /** Milliseconds until a line that is put into a file is found. */
  async function timeEdit(file: string, mark: string): Promise<number> {
    const lines = readFileSync(file, 'utf8').split('\n');
    lines.splice(
      Math.floor(random() * lines.length),
      0,
      `${/\.(?:md|rst|txt|py|rb)$/.test(file) ? '#' : '//'} ${mark}`,
    );
    writeFileSync(file, lines.join('\n'));
    const started = performance.now();
    await service.filesChanged([pathToFileURL(file).href]);
    const found = await service.index.textSearch(mark, { limit: 1 });
    if (found.length !== 1) throw new Error(`the edit ${mark} of ${file} is not found`);
    return performance.now() - started;
  }

  /** Of the best by exact comparison, the share that the search finds; 1 where it compares exactly itself. */
  async function recall(table: Table, questions: readonly string[]): Promise<number> {
    let shared = 0;
    let all = 0;
    for (const question of questions) {
      const vector = await service.embedder.embedQuery(question);
      const exact = await nearest(table, vector, RECALLED).bypassVectorIndex().select(['id', '_distance']).toArray();
      const found = await nearest(table, vector, RECALLED).select(['id', '_distance']).toArray();
      // By distance: texts that are there twice are as good as one another.
      const worst = Math.max(...exact.map((row: { _distance: number }) => row._distance));
      shared += found.filter((row: { _distance: number }) => row._distance <= worst + 1e-6).length;
      all += exact.length;
    }
    return shared / all;
  }
}

/** As the index searches by meaning. */
const nearest = (table: Table, vector: Float32Array, limit: number) =>
  table.query().nearestTo(vector).distanceType('cosine').nprobes(20).refineFactor(10).limit(limit);

const columns: Record<string, number>[] = [];
for (const passages of sizes) columns.push(await measure(passages));
const vectors = { free: 'hashed words', short: `of the first ${SHORT} characters`, full: 'of whole passages' };
console.log(
  `${new Date().toISOString().slice(0, 16)}, vectors: ${vectors[options.vectors as keyof typeof vectors] ?? options.vectors}, text: ${path.basename(path.resolve(options.text))}\n`,
);
const sizesShown = columns.map(({ passages = 0 }) => passages.toLocaleString('en'));
const misses: string[] = [];
const rows = Object.keys(columns[0] ?? {}).map((row) => {
  const goal = GOALS[row];
  const says = goal && ('most' in goal ? `≤ ${goal.most.toLocaleString('en')}` : `≥ ${goal.least}`);
  const cells = columns.map((column, i) => {
    const value = column[row] ?? Number.NaN;
    const isMissed = goal !== undefined && !('most' in goal ? value <= goal.most : value >= goal.least);
    if (isMissed) misses.push(`${row}: ${round(value)} at ${sizesShown[i]}, ${says} wanted`);
    return isMissed ? `**${round(value)}**` : `${round(value)}`;
  });
  return [row, says ?? '', ...cells];
});
console.log(markdownTable(['', 'goal', ...sizesShown], rows));
console.log(misses.length === 0 ? '\nNothing misses.' : `\nWhat misses:\n\n- ${misses.join('\n- ')}`);
