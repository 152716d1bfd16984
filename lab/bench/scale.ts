/**
 * How an index grows: an edit until it is searchable by words; hybrid search over a bare LanceDB vector query with the
 * same settings, in turns, right after 200 edits and once tidied; disk per 100,000 passages. `node --import tsx
 * lab/bench/scale.ts [PASSAGES…]`; 5,000 and 60,000 when none are named (200,000 take an hour of a quiet machine). One
 * line of JSON a size. Vectors are made up (a model would take hours and changes nothing here); files, tables and
 * indices are real. Goals: edit below 1 s; ratio of the p95 at most 1.5 after edits, 1.3 tidied.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@lancedb/lancedb';
import { seededRandom } from '#base';
import { createIndexLayout, type Embedder } from '#search/lab';
import { benchIndex, benchRetriever, benchService } from './bench-index.ts';
import { quantile } from '../statistics.ts';

const sizes = process.argv.slice(2).map(Number);
const PER_FILE = 50;
const DIMENSIONS = 384;
const QUERIES = 60;
const EDITS = 200;
/** After this long without work the index tidies itself up; and how long that is given. */
const IDLE_MILLISECONDS = 25_000;
const TIDY_MILLISECONDS = 60_000;
const random = seededRandom(1);
const WORDS = Array.from({ length: 20_000 }, (_, i) => `w${(i * 7919).toString(36)}`);
/** Words as rare and as common as in texts (Zipf). */
const word = (): string => WORDS[Math.floor(WORDS.length ** random()) - 1] ?? 'w0';
/** The commonest words of a language are stop words, which a text query leaves out. */
const STOP_WORDS = 150;
const queryWord = (): string => {
  for (;;) {
    const made = word();
    if (WORDS.indexOf(made) >= STOP_WORDS) return made;
  }
};
const sentence = (length: number): string => Array.from({ length }, word).join(' ');

/** Vectors around as many centres as there are topics in notes: what an inverted file index is made for. */
class MadeUpEmbedder implements Embedder {
  readonly id = 'bench/made-up';
  readonly dimensions = DIMENSIONS;
  readonly maxTokens = 512;
  readonly #centres = Array.from({ length: 400 }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5),
  );
  countTokens(text: string): number {
    return Math.ceil(text.length / 4);
  }
  async embedPassages(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map((text) => this.#vectorOf(text));
  }
  async embedQuery(text: string): Promise<Float32Array> {
    return this.#vectorOf(text);
  }
  async close(): Promise<void> {
    /* nothing is held */
  }
  #vectorOf(text: string): Float32Array {
    let hash = 2166136261;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
    const noise = seededRandom(hash);
    const vector = (this.#centres[hash % this.#centres.length] ?? new Float32Array(DIMENSIONS)).map(
      (value) => value + (noise() - 0.5) * 0.8,
    );
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }
}

const fileText = (file: number): string =>
  Array.from({ length: PER_FILE }, (_, i) => `## Part ${i} of ${file}\n\n${sentence(200)}.\n`).join('\n');

async function measure(passages: number): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-scale-'));
  const folder = path.join(scratch, 'notes');
  const indexUri = path.join(scratch, 'index');
  const fileAt = (file: number): string => path.join(folder, `d${file % 40}`, `note-${file}.md`);
  const service = benchService(async () => new MadeUpEmbedder(), { idleMs: IDLE_MILLISECONDS });

  try {
    const files = Math.round(passages / PER_FILE);
    for (let file = 0; file < files; file++) {
      mkdirSync(path.dirname(fileAt(file)), { recursive: true });
      writeFileSync(fileAt(file), fileText(file));
    }
    await service.open(benchIndex(indexUri, folder));
    const began = performance.now();
    const report = await service.update({});
    process.stderr.write(
      `${report.passages} passages of ${report.files} files in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
    );
    const bytes = (await createIndexLayout(indexUri).bytes()) ?? 0;

    const edits: number[] = [];
    for (let i = 0; i < EDITS; i++) {
      const file = Math.floor(random() * files);
      const mark = `edited${i}mark`;
      const text = readFileSync(fileAt(file), 'utf8').replace(/^## (?:Part 7|edited\d+mark) /m, `## ${mark} `);
      writeFileSync(fileAt(file), text);
      const started = performance.now();
      await service.filesChanged([pathToFileURL(fileAt(file)).href]);
      const found = await service.index.textSearch(mark, { limit: 1 });
      edits.push(performance.now() - started);
      if (found.length !== 1) throw new Error(`the edit ${mark} is not found`);
    }

    const retriever = benchRetriever(service);
    const generation = readdirSync(indexUri).find((name) => /^v\d+-/.test(name)) ?? '';
    const table = await (await connect(path.join(indexUri, generation))).openTable('passages');
    /** Both timed in turns, so that other work on the machine meets both. */
    async function timeQueries(): Promise<{ hybrid: number[]; bare: number[] }> {
      const times = { hybrid: [] as number[], bare: [] as number[] };
      for (let i = 0; i < QUERIES + 10; i++) {
        const query = Array.from({ length: 6 }, queryWord).join(' ');
        const vector = await service.embedder.embedQuery(query);
        let started = performance.now();
        await table.query().nearestTo(vector).distanceType('cosine').nprobes(20).refineFactor(10).limit(40).toArrow();
        if (i >= 10) times.bare.push(performance.now() - started);
        started = performance.now();
        await retriever.search(query, { retriever: 'hybrid', limit: 10 });
        if (i >= 10) times.hybrid.push(performance.now() - started);
      }
      return times;
    }
    const afterEdits = await timeQueries();
    await new Promise((resolve) => setTimeout(resolve, TIDY_MILLISECONDS));
    await table.checkoutLatest();
    const tidied = await timeQueries();
    const round = (value: number): number => Number(value.toFixed(2));
    const of = ({ hybrid, bare }: { hybrid: number[]; bare: number[] }): Record<string, number> => ({
      hybridP50: round(quantile(hybrid, 0.5)),
      hybridP95: round(quantile(hybrid, 0.95)),
      bareVectorP50: round(quantile(bare, 0.5)),
      bareVectorP95: round(quantile(bare, 0.95)),
      ratioP50: round(quantile(hybrid, 0.5) / quantile(bare, 0.5)),
      ratioP95: round(quantile(hybrid, 0.95) / quantile(bare, 0.95)),
    });
    process.stdout.write(
      `${JSON.stringify({
        passages: report.passages,
        megabytesPer100000: round(bytes / 1e6 / (report.passages / 1e5)),
        editToSearchableMs: { p50: round(quantile(edits, 0.5)), p95: round(quantile(edits, 0.95)) },
        rightAfterEdits: of(afterEdits),
        tidied: of(tidied),
      })}\n`,
    );
  } finally {
    await service.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

for (const passages of sizes.length > 0 ? sizes : [5_000, 60_000]) await measure(passages);
