/**
 * Indexing throughput over the bare embedder's on the same passages, memory that the parent of the index process takes
 * meanwhile. `npm run build && node --import tsx lab/bench/indexing.ts [FOLDER]`; without a folder: this repository's
 * src and test. Goals: ratio at least 0.9; growth below 60 MB. Both are timed in turns in one run, so that other work
 * on the machine meets both.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbedder, type Passage, passageEmbeddingText, startIndexProcess } from '#search/lab';
import { modelsDir, root } from '../places.ts';
import { benchIndex } from './bench-index.ts';

const TURNS = 3;
const MEGABYTE = 1024 * 1024;

const source = process.argv[2]
  ? [path.resolve(process.argv[2])]
  : [path.join(root, 'src'), path.join(root, 'test', 'unit')];
const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-bench-'));

/** The source's files, dealt into folders of about the same content. */
function dealFolders(): string[] {
  const folders = Array.from({ length: TURNS }, (_, turn) => path.join(scratch, `part-${turn}`));
  let next = 0;
  for (const top of source) {
    for (const file of readdirSync(top, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const target = path.join(folders[next++ % TURNS] ?? '', path.basename(top), path.relative(top, file.parentPath));
      mkdirSync(target, { recursive: true });
      cpSync(path.join(file.parentPath, file.name), path.join(target, file.name));
    }
  }
  return folders;
}

const running = startIndexProcess({
  entry: path.join(root, 'dist', 'index-process.cjs'),
  modelsDir,
  wasmDir: path.join(root, 'dist', 'wasm'),
  log: () => undefined,
});
const workerFile = path.join(root, 'dist', 'model-thread.cjs');
const bare = await openEmbedder({ kind: 'bundled' }, { modelsDir, workerFile });
const totals = { passages: 0, indexing: 0, bare: 0, growth: 0 };
try {
  await bare.embedPassages(['warm']);
  for (const [turn, folder] of dealFolders().entries()) {
    await running.index.open(benchIndex(path.join(scratch, `index-${turn}`), folder));
    globalThis.gc?.();
    const memory = process.memoryUsage().rss;
    let most = memory;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 50);
    const started = performance.now();
    const report = await running.index.update({});
    const indexing = performance.now() - started;
    clearInterval(watch);
    const passages: Passage[] = [];
    for (const file of (await running.index.report()).files)
      passages.push(...(await running.index.passagesOf(file.path)));
    // Length-sorted as the indexer does, so that both see the same batches.
    const texts = passages.map(passageEmbeddingText).sort((a, b) => a.length - b.length);
    const begun = performance.now();
    await bare.embedPassages(texts);
    const alone = performance.now() - begun;
    totals.passages += report.embedded;
    totals.indexing += indexing;
    totals.bare += alone;
    totals.growth = Math.max(totals.growth, most - memory);
    process.stderr.write(
      `part ${turn + 1}: ${report.files} files, ${report.embedded} passages, indexing ` +
        `${(indexing / 1000).toFixed(1)} s, bare embedder ${(alone / 1000).toFixed(1)} s (${texts.length} ` +
        `texts)\n`,
    );
  }
  process.stdout.write(
    `${JSON.stringify({
      passages: totals.passages,
      passagesPerSecond: Number(((totals.passages / totals.indexing) * 1000).toFixed(1)),
      throughputOverBareEmbedder: Number((totals.bare / totals.indexing).toFixed(3)),
      parentGrowthMegabytes: Number((totals.growth / MEGABYTE).toFixed(1)),
    })}\n`,
  );
} finally {
  await running.dispose();
  await bare.close();
  rmSync(scratch, { recursive: true, force: true });
}
