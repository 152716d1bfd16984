/**
 * Cost of a beam search over one hybrid search: B = 2, three hops, 3,000 passages in LanceDB, bundled embedder, one
 * process. `node --import tsx lab/bench/retrieval-beam.ts`; needs the question sets (see README.md). Goal: p95 at most
 * 8 times that of a hybrid search.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quantile, rounded, timesOf } from '../statistics.ts';
import { collectPassages, loadQuestions, toIndexPassages } from '../evaluation/dataset.ts';
import { CachingEmbedder } from '../heads/caching-embedder.ts';
import { WIKIPEDIA_SETS } from '../heads/question-sets.ts';
import { type Embedder, openEmbedder } from '#search/lab';
import { instead } from '../instead.ts';
import { modelsDir, PLACES } from '../places.ts';
import { benchIndex, benchRetriever, benchService } from './bench-index.ts';

const PASSAGES = 3000;
const WARM_UP = 10;
const QUESTIONS = 60;

const folder = mkdtempSync(path.join(tmpdir(), 'hoptrail-bench-'));

/** Passages may come from training's cache; queries always cost an inference. */
async function openBenchEmbedder(): Promise<Embedder> {
  const real = await openEmbedder({ kind: 'bundled' }, { modelsDir });
  const cached = new CachingEmbedder(real, path.join(PLACES.cache.default, 'vectors.bin'));
  return instead(real, { embedPassages: (texts, signal) => cached.embedPassages(texts, signal) });
}

const sets = WIKIPEDIA_SETS.map((name) => loadQuestions(path.join(PLACES.data.default, `${name}.jsonl`)));
const service = benchService(openBenchEmbedder);

try {
  await service.open(benchIndex(folder));
  const passages = toIndexPassages(collectPassages(sets.flat())).slice(0, PASSAGES);
  await service.importPassages(passages);
  const retriever = benchRetriever(service);
  const asked = Array.from(
    { length: WARM_UP + QUESTIONS },
    (_, i) => sets[i % sets.length]?.[Math.floor(i / sets.length)]?.question ?? '',
  );
  const hybrid: number[] = [];
  const beam: number[] = [];
  const hops: number[][] = [];
  for (const [i, question] of asked.entries()) {
    const startedAt = performance.now();
    await retriever.search(question, { retriever: 'hybrid', limit: 10 });
    const between = performance.now();
    const { hopMilliseconds } = await retriever.chains(question, {
      beam: 2,
      maxHops: 3,
      stop: 'threshold',
      threshold: -Infinity,
    });
    const endedAt = performance.now();
    if (i < WARM_UP) continue;
    hybrid.push(between - startedAt);
    beam.push(endedAt - between);
    hopMilliseconds.forEach((ms, hop) => {
      (hops[hop] ??= []).push(ms);
    });
  }
  const over = (q: number): number => rounded(quantile(beam, q) / quantile(hybrid, q), 1);
  console.log(
    JSON.stringify(
      {
        passages: passages.length,
        questions: QUESTIONS,
        hybrid: timesOf(hybrid, 1),
        beam: timesOf(beam, 1),
        ratio: { p50: over(0.5), p95: over(0.95) },
        // The last is the look at what could follow the third hop, which completeness is judged by.
        hops: hops.map((times) => timesOf(times, 1)),
      },
      undefined,
      2,
    ),
  );
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
