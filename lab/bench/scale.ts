/**
 * How an index grows, on real text: `node --import tsx lab/bench/scale.ts [--text DIR] [--vectors free|short|full]
 * [--keep FILE] [--tidy SECONDS] [PASSAGES…]`; 5,000, 60,000 and 200,000 passages when none are named (the last take
 * an hour of a quiet machine).
 * One table: first hits while vectors are written, once they are, and of the first search after opening again, writing
 * over embedding, an edit until it is searchable, hybrid search over a bare LanceDB vector query of ids with the same
 * settings, in turns, right after 200 edits and once tidied (95 % interval by drawing queries again and again), recall
 * of the vector index, disk; and below it what misses its goal. Tidying is waited for so many seconds at most, 900
 * where nothing is said.
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
import { createIndexLayout, type Embedder, openEmbedder, openStore, type SwitchingIndex } from '#search/lab';
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
    tidy: { type: 'string', default: '900' },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [5_000, 60_000, 200_000];
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
const TIDY_SECONDS = Number(options.tidy);
const FEW_VERSIONS = 8;
/** Times that the index is opened again to be searched; how long nobody asks then, where somebody waits first. */
const OPENINGS = 5;
const A_MOMENT = 3_000;
const REDRAWN = 2_000;
const random = seededRandom(1);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const VECTORS: Readonly<Record<string, string>> = {
  free: 'hashed words',
  short: `the bundled model's of the first ${SHORT} characters`,
  full: "the bundled model's of whole passages",
};
const vectorsShown = VECTORS[options.vectors];
if (vectorsShown === undefined) throw new Error(`--vectors takes ${Object.keys(VECTORS).join(', ')}`);
const RECALL = `recall@${RECALLED} of the vector search against an exact one, of ${vectorsShown}`;

/** A figure, with what is to be known of it. */
interface Figure {
  value: number;
  /** Behind the value in the table. */
  note: string;
}
const noted = (value: number, note = ''): Figure => ({ value, note });

/** What is aimed at, by the name of a row: at most so much, or at least. */
const GOALS: Readonly<Record<string, { most: number } | { least: number }>> = {
  'first hits while vectors are written, p95 ms': { most: 300 },
  [`first hits asked as soon as it is open again, the slowest of ${OPENINGS}, ms`]: { most: 300 },
  [`the same ${A_MOMENT / 1_000} s later, ms`]: { most: 300 },
  'first hits once they are, p95 ms': { most: 300 },
  'writing vectors ÷ embedding them': { most: 0.05 },
  'edit to searchable, p95 ms': { most: 1_000 },
  'hybrid p95 ÷ bare vector p95, right after 200 edits': { most: 1.5 },
  'hybrid p95 ÷ bare vector p95, tidied': { most: 1.3 },
  [RECALL]: { least: 0.97 },
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

/** Milliseconds of the same questions. */
interface Turns {
  hybrid: number[];
  bare: number[];
}

interface FirstSearch {
  soon: boolean;
  after?: number;
  unloaded?: boolean;
}

/** Percentile bootstrap of the ratio of both p95, by questions. */
function intervalOfRatio(hybrid: readonly number[], bare: readonly number[]): string {
  const draws = seededRandom(2);
  const ratios = Array.from({ length: REDRAWN }, () => {
    const drawn = hybrid.map(() => Math.floor(draws() * hybrid.length));
    const p95 = (times: readonly number[]): number =>
      quantile(
        drawn.map((at) => times[at] ?? Number.NaN),
        0.95,
      );
    return p95(hybrid) / p95(bare);
  });
  return `[${round(quantile(ratios, 0.025))}, ${round(quantile(ratios, 0.975))}]`;
}

async function measure(passages: number): Promise<Record<string, number | Figure>> {
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
    let mostMemory = 0;
    while (!isDone) {
      whileWriting.push(await firstHits());
      mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
      await wait(250); // a person does not ask without a pause
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
    const timeQueries = async (): Promise<Turns> => {
      const times: Turns = { hybrid: [], bare: [] };
      for (const [i, question] of questions.entries()) {
        const vector = await service.embedder.embedQuery(question);
        await table.checkoutLatest(); // the files of the version before are gone once the index was tidied
        let started = performance.now();
        await nearest(table, vector, 40).select(['id', '_distance']).toArrow();
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
    // Tidying joins the edits' fragments and drops their versions, maybe while they are listed.
    const versions = async (): Promise<number> => {
      await table.checkoutLatest();
      return (await table.listVersions().catch(() => undefined))?.length ?? Number.POSITIVE_INFINITY;
    };
    while ((await versions()) > FEW_VERSIONS && performance.now() - tidyFrom < TIDY_SECONDS * 1_000) await wait(1_000);
    const isTidied = (await versions()) <= FEW_VERSIONS;
    const tidySeconds = (performance.now() - tidyFrom) / 1_000;
    const tidied = await timeQueries();
    const of = ({ hybrid, bare }: Turns, when: string, label = ''): Record<string, Figure> => ({
      [`hybrid p95 ÷ bare vector p95, ${when}`]: noted(
        quantile(hybrid, 0.95) / quantile(bare, 0.95),
        ` ${intervalOfRatio(hybrid, bare)}${label}`,
      ),
      [`hybrid p50 ÷ bare vector p50, ${when}`]: noted(quantile(hybrid, 0.5) / quantile(bare, 0.5), label),
      [`hybrid p95 ms, ${when}`]: noted(quantile(hybrid, 0.95), label),
      [`bare vector p95 ms, ${when}`]: noted(quantile(bare, 0.95), label),
    });
    const notTidied = isTidied ? '' : ` (not tidied within ${TIDY_SECONDS} s)`;
    const found = await recall(table, questions);
    await service.close();
    const again = { atOnce: [] as number[], later: [] as number[], unloaded: [] as number[] };
    for (let i = 0; i < OPENINGS; i++) {
      again.atOnce.push(await firstAfterOpening({ soon: true }));
      again.later.push(await firstAfterOpening({ soon: true, after: A_MOMENT }));
      again.unloaded.push(await firstAfterOpening({ soon: true, after: A_MOMENT, unloaded: true }));
    }
    const waiting = await firstAfterOpening({ soon: false });
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
      ...of(tidied, 'tidied', notTidied),
      'tidied after, s': noted(tidySeconds, notTidied),
      [`first hits asked as soon as it is open again, the slowest of ${OPENINGS}, ms`]: Math.max(...again.atOnce),
      [`the same ${A_MOMENT / 1_000} s later, ms`]: Math.max(...again.later),
      'the same without the search that opening begins with, ms': Math.max(...again.unloaded),
      'the middle of the three, ms': noted(
        quantile(again.atOnce, 0.5),
        `; ${round(quantile(again.later, 0.5))}; ${round(quantile(again.unloaded, 0.5))}`,
      ),
      'one that waits for the references, asked as soon as it is open again, ms': waiting,
      [RECALL]: found,
      'vectors in its index': (await table.indexStats('vector_idx'))?.numIndexedRows ?? 0,
      'disk, MB per 100,000 passages': bytes / 1e6 / (report.passages / 1e5),
      'memory of this process, MB': process.memoryUsage.rss() / 1e6,
      'the most of it while files were read and vectors written, MB': mostMemory / 1e6,
    };
  } finally {
    await service.close();
    rmSync(scratch, { recursive: true, force: true });
  }

  /**
   * Milliseconds of the first search after the index was opened; `soon` as the first hits of a question, `after` so
   * many milliseconds, `unloaded` without the search that opening begins with.
   */
  async function firstAfterOpening({ soon, after = 0, unloaded = false }: FirstSearch): Promise<number> {
    const other = benchService(openBenchEmbedder);
    if (unloaded) (other.index as SwitchingIndex).warm = async () => undefined;
    try {
      await other.open(benchIndex(indexUri, folder));
      await other.embedder.embedQuery('warm');
      await wait(after);
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

const columns: Record<string, Figure>[] = [];
for (const passages of sizes) {
  const figures = Object.entries(await measure(passages)).map(
    ([row, figure]) => [row, typeof figure === 'number' ? noted(figure) : figure] as const,
  );
  columns.push(Object.fromEntries(figures));
  // The next size may take an hour, and may fail.
  for (const [row, { value, note }] of figures) process.stderr.write(`${row}: ${round(value)}${note}\n`);
}
console.log(
  `${new Date().toISOString().slice(0, 16)}, vectors: ${vectorsShown}, text: ` +
    `${path.basename(path.resolve(options.text))}\n`,
);
const sizesShown = columns.map(({ passages }) => (passages?.value ?? 0).toLocaleString('en'));
const misses: string[] = [];
const rows = Object.keys(columns[0] ?? {}).map((row) => {
  const goal = GOALS[row];
  const says = goal && ('most' in goal ? `≤ ${goal.most.toLocaleString('en')}` : `≥ ${goal.least}`);
  const cells = columns.map((column, i) => {
    const { value, note } = column[row] ?? noted(Number.NaN);
    const isMissed = goal !== undefined && !('most' in goal ? value <= goal.most : value >= goal.least);
    if (isMissed) misses.push(`${row}: ${round(value)}${note} at ${sizesShown[i]}, ${says} wanted`);
    return `${isMissed ? `**${round(value)}**` : round(value)}${note}`;
  });
  return [row, says ?? '', ...cells];
});
console.log(markdownTable(['', 'goal', ...sizesShown], rows));
console.log(misses.length === 0 ? '\nNothing misses.' : `\nWhat misses:\n\n- ${misses.join('\n- ')}`);
