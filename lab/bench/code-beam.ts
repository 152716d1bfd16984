/**
 * What edges of a program cost a beam search, beside one hybrid search, over a folder of code in LanceDB, all three
 * question by question in one run. `node --import tsx lab/bench/code-beam.ts FOLDER QUESTIONS.jsonl`. Passages have
 * hashed bags of words for vectors, so that nothing has to be embedded; a question costs its inference all the same.
 * Goal: p95 with edges at most 1.5 times that without.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Embedder, openEmbedder, type PassageIndex } from '#search/lab';
import { modelsDir } from '../places.ts';
import { benchIndex, benchRetriever, benchService } from './bench-index.ts';
import { WordEmbedder } from '../../test/doubles/word-embedder.ts';
import { loadQuestions } from '../evaluation/dataset.ts';
import { withoutPart } from '../heads/code-report.ts';
import { instead } from '../instead.ts';
import { figureOf, quantile, rounded, roundedFigure, timesOf, worked } from '../statistics.ts';

const WARM_UP = 6;
const QUESTIONS = 40;
const [source = '', questionFile = ''] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'hoptrail-bench-'));

async function openBenchEmbedder(): Promise<Embedder> {
  const real = await openEmbedder({ kind: 'bundled' }, { modelsDir });
  const words = new WordEmbedder();
  return instead<Embedder>(words, {
    maxTokens: real.maxTokens,
    countTokens: (text) => real.countTokens(text),
    embedQuery: async (text, signal) => {
      await real.embedQuery(text, signal);
      return words.embedQuery(text, signal);
    },
    close: () => real.close(),
  });
}

const service = benchService(openBenchEmbedder);

try {
  await service.open(benchIndex(folder, path.resolve(source)));
  await service.update({});
  const retrieverOf = (index: PassageIndex) => benchRetriever(service, index);
  const retriever = retrieverOf(service.index);
  const plain = retrieverOf(withoutPart(service.index, 'edges'));
  const searches: Record<string, (question: string) => Promise<unknown>> = {
    hybrid: (question) => retriever.search(question, { retriever: 'hybrid', limit: 10 }),
    edges: (question) => retriever.chains(question, {}),
    noEdges: (question) => plain.chains(question, {}),
  };
  const asked = loadQuestions(questionFile).slice(0, WARM_UP + QUESTIONS);
  const times: Record<string, number[]> = {};
  for (const [i, { question }] of asked.entries()) {
    // In turns, so that none always meets what another has just read.
    const names = Object.keys(searches);
    for (const name of [...names.slice(i % names.length), ...names.slice(0, i % names.length)]) {
      const before = worked();
      await searches[name]?.(question);
      if (i >= WARM_UP) (times[name] ??= []).push(worked() - before);
    }
  }
  const { hybrid = [], edges = [], noEdges = [] } = times;
  const p95 = (list: readonly number[]): number => quantile(list, 0.95);
  const ratios = edges.map((ms, i) => ms / (noEdges[i] ?? ms));
  console.log(
    JSON.stringify({
      passages: (await service.index.coverage()).passages,
      questions: edges.length,
      processorMilliseconds: { hybrid: timesOf(hybrid, 2), edges: timesOf(edges, 2), noEdges: timesOf(noEdges, 2) },
      edgesOverNone: {
        p95: rounded(p95(edges) / p95(noEdges), 2),
        ...roundedFigure(figureOf(ratios, 1), 2),
      },
      edgesOverHybrid: { p95: rounded(p95(edges) / p95(hybrid), 2) },
    }),
  );
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
