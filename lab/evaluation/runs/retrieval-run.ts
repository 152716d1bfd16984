import type { ChainOptions, Passage, PassageFilter, Retriever, RetrieverName } from '#search/lab';
import type { DatasetQuestion } from '../dataset.ts';
import { rangeMetrics, retrievalMetrics } from '../retrieval-metrics.ts';
import type { Outcome } from '../run-questions.ts';

/** Which passages a question may look at. */
export type Setting = 'distractor' | 'pooled' | 'workspace';

/** Enough passages that ten different files are among them. */
const WORKSPACE_LIMIT = 100;

interface RetrievalRun {
  retriever: Retriever;
  name: RetrieverName;
  setting: Setting;
  chain: Pick<ChainOptions, 'beam' | 'maxHops' | 'stop' | 'threshold'>;
  signal: AbortSignal;
}

export function candidateFilter(question: DatasetQuestion, setting: Setting): PassageFilter | undefined {
  return setting === 'distractor' ? { ids: question.passages.map((passage) => passage.id) } : undefined;
}

/** Retrieves for one question and scores the ranked list, and the chain where the retriever makes one. */
export async function askRetrieval(question: DatasetQuestion, run: RetrievalRun): Promise<Outcome> {
  const filter = candidateFilter(question, run.setting);
  const item = (passage: Passage): string => (run.setting === 'workspace' ? passage.path : passage.id);
  const gold = run.setting === 'workspace' ? (question.files ?? []) : question.supporting;
  if (run.name === 'beam') {
    const { chains, hits, hopMilliseconds } = await run.retriever.chains(
      question.question,
      { ...run.chain, filter },
      run.signal,
    );
    const ranked = distinct(hits.map((hit) => item(hit.passage)));
    const chain = distinct(chains[0]?.hops.map((hop) => item(hop.passage)) ?? []);
    return {
      metrics: { ...retrievalMetrics(ranked, chain, gold), ...rangeMetrics(passagesOf(hits), question.lines) },
      detail: { gold, chain, ranked: ranked.slice(0, 10), hopMilliseconds },
    };
  }
  const limit = run.setting === 'workspace' ? WORKSPACE_LIMIT : 20;
  const { hits } = await run.retriever.search(question.question, { retriever: run.name, limit, filter }, run.signal);
  const ranked = distinct(hits.map((hit) => item(hit.passage)));
  return {
    metrics: { ...retrievalMetrics(ranked, undefined, gold, limit), ...rangeMetrics(passagesOf(hits), question.lines) },
    detail: { gold, ranked: ranked.slice(0, 10) },
  };
}

const distinct = (items: readonly string[]): string[] => [...new Set(items)];
const passagesOf = (hits: readonly { passage: Passage }[]): Passage[] => hits.map(({ passage }) => passage);
