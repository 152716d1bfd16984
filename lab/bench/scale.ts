/**
 * How an index grows on real text: `node --import tsx lab/bench/scale.ts [--text DIR] [--tidy SECONDS] [PASSAGES…]`;
 * 5,000 and 60,000 passages by default. One table, with the goals that are missed in bold: first hits while vectors are
 * written and afterwards, writing over embedding, an edit until it is found, hybrid search over a bare LanceDB vector
 * query in turns (95 % interval over questions) once tidied, the first search after opening again, disk, memory.
 *
 * DIR holds files or archives (.tar.gz); default: this repository. Files come again with changed words if they do not
 * reach. Vectors are hashed words, a millisecond each; the bundled model is timed on 60 passages.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRandom } from '#base';
import { createIndexLayout, openEmbedder, openStore } from '#search/lab';
import { modelsDir, root } from '../places.ts';
import { markdownTable, quantile } from '../statistics.ts';
import { benchIndex, benchRetriever, benchService, FreeEmbedder, passagesTable } from './bench-index.ts';
import { fillWithText } from './real-text.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { text: { type: 'string', default: root }, tidy: { type: 'string', default: '300' } },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [5_000, 60_000];
const QUERIES = 60;
const WARM_UP = 10;
const EDITS = 200;
const FIRST_HITS = 5;
const TIMED_TEXTS = 60;
const OPENINGS = 5;
/** The index tidies itself up after this long without work. */
const IDLE_MILLISECONDS = 60_000;
/** Versions of the table that a tidied index may have. */
const FEW_VERSIONS = 8;
const random = seededRandom(1);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const openEmbedderOfBench = async (): Promise<FreeEmbedder> => new FreeEmbedder(1);

/** At most so much, by the name of a row. */
const GOALS: Readonly<Record<string, number>> = {
  'first hits while vectors are written, p95 ms': 300,
  'first hits once they are, p95 ms': 300,
  'writing vectors ÷ embedding them': 0.05,
  'edit until it is found, p95 ms': 1_000,
  'hybrid p95 ÷ bare vector p95, tidied': 1.3,
  [`first hits right after opening, slowest of ${OPENINGS}, ms`]: 300,
};

/** Seconds that the bundled model takes for a passage. */
async function secondsPerPassage(texts: readonly string[]): Promise<number> {
  const workerFile = path.join(root, 'dist', 'model-thread.cjs');
  const model = await openEmbedder({ kind: 'bundled' }, { modelsDir, workerFile });
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

/** 95 % bootstrap interval of the ratio of two p95 over the same questions. */
function intervalOfRatio(hybrid: readonly number[], bare: readonly number[]): string {
  const draws = seededRandom(2);
  const ratios = Array.from({ length: 2_000 }, () => {
    const drawn = hybrid.map(() => Math.floor(draws() * hybrid.length));
    const p95 = (times: readonly number[]): number =>
      quantile(
        drawn.flatMap((at) => times[at] ?? []),
        0.95,
      );
    return p95(hybrid) / p95(bare);
  });
  return `[${round(quantile(ratios, 0.025))}, ${round(quantile(ratios, 0.975))}]`;
}

async function measure(passages: number): Promise<Record<string, number | string>> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-scale-'));
  const folder = path.join(scratch, 'files');
  const indexUri = path.join(scratch, 'index');
  let writing = 0;
  const service = benchService(openEmbedderOfBench, {
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
  try {
    const files = fillWithText(folder, path.resolve(options.text), passages, scratch);
    await service.open(benchIndex(indexUri, folder));
    const began = performance.now();
    let isDone = false;
    const updating = service.update({}).finally(() => (isDone = true));
    // From here on everything can be found by its words, and vectors are written.
    while (!isDone && (await service.state()).phase !== 'embedding') await wait(20);
    const readSeconds = (performance.now() - began) / 1_000;
    const paths = (await service.report()).files.map((file) => file.path);
    const retriever = benchRetriever(service);
    /** Six words of a passage. */
    const question = async (): Promise<string> => {
      for (;;) {
        const words = pick(await service.index.passagesOf(pick(paths)))?.text.match(/[A-Za-z_]{4,}/g) ?? [];
        if (words.length >= 12) return Array.from({ length: 6 }, () => pick(words)).join(' ');
      }
    };
    const firstHits = async (): Promise<number> => {
      const asked = await question();
      const started = performance.now();
      await retriever.search(asked, { retriever: 'hybrid', limit: FIRST_HITS, soon: true });
      return performance.now() - started;
    };
    const whileWriting: number[] = [await firstHits()];
    let mostMemory = 0;
    while (!isDone) {
      whileWriting.push(await firstHits());
      mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
      await wait(250); // a person does not ask without a pause
    }
    const report = await updating;
    const rows = [];
    while (rows.length < TIMED_TEXTS) rows.push(...(await service.index.passagesOf(pick(paths))));
    const embedding = (await secondsPerPassage(rows.slice(0, TIMED_TEXTS).map(({ text }) => text))) * report.passages;
    const afterwards: number[] = [];
    for (let i = 0; i < QUERIES; i++) afterwards.push(await firstHits());
    const edits: number[] = [];
    for (let i = 0; i < EDITS; i++) edits.push(await timeEdit(pick(files), `edited${i}mark`));
    const questions: string[] = [];
    for (let i = 0; i < WARM_UP + QUERIES; i++) questions.push(await question());

    const table = await passagesTable(indexUri);
    const versions = async (): Promise<number> => {
      await table.checkoutLatest();
      return (await table.listVersions().catch(() => undefined))?.length ?? Number.POSITIVE_INFINITY;
    };
    const tidyBy = performance.now() + Number(options.tidy) * 1_000;
    while ((await versions()) > FEW_VERSIONS && performance.now() < tidyBy) await wait(1_000);
    const isTidied = (await versions()) <= FEW_VERSIONS;
    const times = { hybrid: [] as number[], bare: [] as number[] };
    for (const [i, asked] of questions.entries()) {
      const vector = await service.embedder.embedQuery(asked);
      let started = performance.now();
      const nearest = table.query().nearestTo(vector).distanceType('cosine').nprobes(20).refineFactor(10).limit(40);
      await nearest.select(['id', '_distance']).toArrow();
      if (i >= WARM_UP) times.bare.push(performance.now() - started);
      started = performance.now();
      await retriever.search(asked, { retriever: 'hybrid', limit: 10 });
      if (i >= WARM_UP) times.hybrid.push(performance.now() - started);
    }
    const bytes = (await createIndexLayout(indexUri).bytes()) ?? 0;
    await service.close();
    const again: number[] = [];
    for (let i = 0; i < OPENINGS; i++) again.push(await firstAfterOpening(pick(questions)));
    return {
      files: report.files,
      passages: report.passages,
      'words searchable after, s': readSeconds,
      'first hits while vectors are written, p95 ms': quantile(whileWriting, 0.95),
      'first hits once they are, p95 ms': quantile(afterwards, 0.95),
      'writing vectors ÷ embedding them': writing / embedding,
      'edit until it is found, p50 ms': quantile(edits, 0.5),
      'edit until it is found, p95 ms': quantile(edits, 0.95),
      'hybrid p95 ÷ bare vector p95, tidied': quantile(times.hybrid, 0.95) / quantile(times.bare, 0.95),
      'its interval': `${intervalOfRatio(times.hybrid, times.bare)}${isTidied ? '' : ' (not tidied in time)'}`,
      'hybrid p95 ms, tidied': quantile(times.hybrid, 0.95),
      [`first hits right after opening, slowest of ${OPENINGS}, ms`]: Math.max(...again),
      'disk, MB per 100,000 passages': bytes / 1e6 / (report.passages / 1e5),
      'most memory while indexing, MB': mostMemory / 1e6,
    };
  } finally {
    await service.close();
    rmSync(scratch, { recursive: true, force: true });
  }

  async function firstAfterOpening(asked: string): Promise<number> {
    const other = benchService(openEmbedderOfBench);
    try {
      await other.open(benchIndex(indexUri, folder));
      const started = performance.now();
      await benchRetriever(other).search(asked, { retriever: 'hybrid', limit: FIRST_HITS, soon: true });
      return performance.now() - started;
    } finally {
      await other.close();
    }
  }

  /** Milliseconds until a line that is put into a file is found. */
  async function timeEdit(file: string, mark: string): Promise<number> {
    const lines = readFileSync(file, 'utf8').split('\n');
    const sign = /\.(?:md|rst|txt|py|rb)$/.test(file) ? '#' : '//';
    lines.splice(Math.floor(random() * lines.length), 0, `${sign} ${mark}`);
    writeFileSync(file, lines.join('\n'));
    const started = performance.now();
    await service.filesChanged([pathToFileURL(file).href]);
    if ((await service.index.textSearch(mark, { limit: 1 })).length !== 1)
      throw new Error(`the edit ${mark} of ${file} is not found`);
    return performance.now() - started;
  }
}

const columns: Record<string, number | string>[] = [];
for (const passages of sizes) columns.push(await measure(passages));
const rows = Object.keys(columns[0] ?? {}).map((row) => {
  const goal = GOALS[row];
  const cells = columns.map((column) => {
    const value = column[row] ?? Number.NaN;
    if (typeof value === 'string') return value;
    return goal !== undefined && !(value <= goal) ? `**${round(value)}**` : `${round(value)}`;
  });
  return [row, goal === undefined ? '' : `≤ ${goal}`, ...cells];
});
console.log(markdownTable(['', 'goal', ...sizes.map((size) => size.toLocaleString('en'))], rows));
