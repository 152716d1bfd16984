import { sigmoid, sum } from '#base';
import type { Embedder } from '../../embedding/embedder.ts';
import { type IndexedPassage, type PassageIndex, type PassageRef, toPassage } from '../../store/passage-index.ts';
import type { PassageChain, SearchHit } from '../../domain/passage-chain.ts';
import type { ChainScorer } from '../chain-scorer.ts';
import type { PassageProfiles } from '../features/passage-profile.ts';
import { type AnalysedQuestion, type QuestionText, readQuestion, withFrequencies } from '../question.ts';
import { neighboursIn } from '../../references/neighbours.ts';
import type { ChainOptions } from '../retriever.ts';
import type { FusedPassage } from '../fuse.ts';
import { asAsked, furtherQueries, type HybridResult, readFused, searchQueries } from '../hybrid-search.ts';
import { FoldedList } from '../same-text.ts';
import { weightByRole } from '../anchors.ts';
import { beamSearch, type BeamResult } from './beam-search.ts';
import { explainHop, type Joins } from './hop-reason.ts';
import { DEFAULT_LIMITS, IndexCandidates } from './index-candidates.ts';

export interface ChainSearchPorts {
  index: PassageIndex;
  embedder: Embedder;
  scorer: ChainScorer;
  profiles: PassageProfiles;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/** A question's beam search with what led to it. */
export interface FoundChains {
  question: AnalysedQuestion;
  /** The head of hybrid search with the question alone: what chains may begin with. */
  ranked: readonly FusedPassage[];
  /** The rest of it, whose rows are not read. */
  others: readonly FusedPassage<PassageRef>[];
  result: BeamResult;
}

/** Defaults of the paper (arXiv 2308.08973, §4.1 and Table 5) but for the stop. */
const DEFAULTS = { maxHops: 6, beam: 2, stop: 'model', threshold: -1 } as const;

/** Hybrid search with the question, then beam search from what it found or from given passages. */
export async function searchChains(
  ports: ChainSearchPorts,
  question: string,
  options: ChainOptions,
  signal?: AbortSignal,
): Promise<FoundChains> {
  const { index, embedder, scorer, now } = ports;
  const startedAt = now();
  const asked = readQuestion(question);
  const [{ ranked, others, vector, moved }, counts] = await Promise.all([
    rankedPassages(index, embedder, asked, options, signal),
    index.documentFrequencies(asked.words),
  ]);
  const profile = withFrequencies(asked, { ...counts, vector, moved });
  const source = new IndexCandidates(
    index,
    embedder,
    question,
    ranked.map(({ passage }) => passage),
    { ...DEFAULT_LIMITS, question: ranked.length },
    options.filter,
  );
  const result = await beamSearch(
    profile,
    source,
    scorer,
    {
      maxHops: options.maxHops ?? DEFAULTS.maxHops,
      beam: options.beam ?? DEFAULTS.beam,
      stop: options.stop ?? DEFAULTS.stop,
      threshold: options.threshold ?? DEFAULTS.threshold,
      now,
    },
    signal,
  );
  // The search with the question belongs to the first hop.
  const [first = 0, ...rest] = result.hopMilliseconds;
  const spent = now() - startedAt - sum(result.hopMilliseconds);
  return {
    question: profile,
    ranked,
    others,
    result: { ...result, hopMilliseconds: [first + Math.max(0, spent), ...rest] },
  };
}

/** Candidates that each further query adds, for so many of them. */
const PER_QUERY = 8;
const MOST_MORE = 5;

/** What hybrid search found, best first, and the question's vectors. */
async function rankedPassages(
  index: PassageIndex,
  embedder: Embedder,
  question: QuestionText,
  { filter, queries = [] }: ChainOptions,
  signal?: AbortSignal,
): Promise<Pick<FoundChains, 'ranked' | 'others'> & Pick<HybridResult, 'vector' | 'moved'>> {
  const { ranked, vector, moved } = await searchQueries(index, embedder, [question, ...furtherQueries(question, queries)], {
    depth: DEFAULT_LIMITS.question,
    lists: ['text', 'vector', 'link'],
    filter,
    signal,
  });
  const candidates = DEFAULT_LIMITS.question + Math.min(queries.length, MOST_MORE) * PER_QUERY;
  const head = await readFused(index, ranked.slice(0, candidates), { vectors: true });
  signal?.throwIfAborted();
  return {
    ranked: head.map((entry) => asAsked(entry, vector)),
    others: ranked.slice(candidates),
    vector,
    moved,
  };
}

/** What the program says of two passages, as far as the index knows it. */
export async function joinsIn(index: PassageIndex): Promise<Joins | undefined> {
  const graph = await index.references({ stale: true });
  return graph && ((from, to) => neighboursIn(graph).between(from, to));
}

/** The kept chains with a reason for each hop. */
export function toChains(
  { question, result }: Pick<FoundChains, 'question' | 'result'>,
  profiles: PassageProfiles,
  joins?: Joins,
): PassageChain[] {
  return result.chains.map((chain) => {
    const passages = chain.passages.map((passage) => profiles.of(passage));
    return {
      hops: chain.passages.map((passage, i) => ({
        passage: toPassage(passage),
        score: chain.logits[i] ?? 0,
        why: explainHop(question, passages.slice(0, i + 1), joins),
      })),
      score: chain.score,
      completeness: sigmoid(chain.completeness),
    };
  });
}

/**
 * Reciprocal rank fusion of what the beam said of a passage and how the search with the question found it, beside the
 * chain: heads that learnt how passages lead on tell less of those that a question asks for alone.
 */
const BESIDE_THE_CHAIN = { k: 10, search: 0.5 };

/**
 * The beam as a reranker: the chosen chain's passages first, then the rest by the best that any kept chain said of
 * them, weighted by how likely that chain is, and by their place in the hybrid list. What says the same as a better one
 * is folded into it.
 */
export const rankHits = (found: FoundChains, limit: number): SearchHit[] => toHits(foldedHits(found, limit));

function foldedHits({ question, ranked, others, result }: FoundChains, limit: number): FoldedList<FusedPassage> {
  const chosen = result.chains[0]?.passages ?? [];
  const inChain = new Set(chosen.map((passage) => passage.id));
  const weightOf = weightByRole(question.stems);
  const byBeam = marginals(result);
  const judged = [...byBeam.values()]
    .map(({ passage, score }) => ({ passage, score: score * weightOf(passage.path) }))
    .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1));
  const beside = new Map<string, { passage: IndexedPassage; score: number }>();
  const add = (list: readonly { passage: IndexedPassage }[], weight: number): void =>
    list.forEach(({ passage }, i) => {
      const entry = beside.get(passage.id) ?? { passage, score: 0 };
      beside.set(passage.id, { ...entry, score: entry.score + weight / (BESIDE_THE_CHAIN.k + i + 1) });
    });
  add(judged, 1);
  add(ranked, BESIDE_THE_CHAIN.search);
  const order = [
    ...chosen.map((passage, i) => ({ passage, score: 1 + (chosen.length - i) })),
    ...[...beside.values()]
      .filter(({ passage }) => !inChain.has(passage.id))
      .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1))
      .map(({ passage, score }) => ({ passage, score: byBeam.has(passage.id) ? score : 0 })),
  ];
  const told = new Map([...ranked, ...others].map(({ passage, parts, query }) => [passage.id, { parts, query }]));
  const list = new FoldedList<FusedPassage>(limit);
  for (const { passage, score } of order) {
    const { parts, query } = told.get(passage.id) ?? {};
    const entry = { passage, score, parts: { ...parts }, ...(query && { query }) };
    // The trail is shown as it is, also where somebody had it begin with two that say the same.
    if (inChain.has(passage.id) && !list.isFull) list.addAnyway(entry);
    else if (!list.add(entry)) break;
  }
  return list;
}

const toHits = ({ entries }: FoldedList<FusedPassage>): SearchHit[] =>
  entries.map(({ passage, score, parts, query, folded }, i) => ({
    passage: toPassage(passage),
    score,
    ...(query && { query }),
    folded: folded.map(toPassage),
    parts: { ...parts, ...(score > 0 ? { beam: { rank: i + 1, score } } : {}) },
  }));

/** As {@link rankHits}; where even those are fewer than `limit`, the rest of the hybrid list follows. */
export async function rankAllHits(index: PassageIndex, found: FoundChains, limit: number): Promise<SearchHit[]> {
  const list = foldedHits(found, limit);
  const listed = new Set(list.entries.flatMap(({ passage, folded }) => [passage.id, ...folded.map(({ id }) => id)]));
  const missing = found.others.filter(({ passage }) => !listed.has(passage.id));
  for (let at = 0; at < missing.length && !list.isFull;) {
    const next = missing.slice(at, at + limit - list.entries.length);
    at += next.length;
    for (const { passage, parts, query } of await readFused(index, next, { vectors: false }))
      list.add({ passage, score: 0, parts, ...(query && { query }) });
  }
  return toHits(list);
}

/**
 * Per passage the largest probability that some chain with it is right: that of the chain before it times that of the
 * hop.
 */
function marginals({ extensions }: FoundChains['result']): Map<string, { passage: IndexedPassage; score: number }> {
  const best = new Map<string, { passage: IndexedPassage; score: number }>();
  for (const { passage, logit, chainScore } of extensions) {
    const score = sigmoid(logit) * Math.exp(chainScore);
    const known = best.get(passage.id);
    if (known === undefined || known.score < score) best.set(passage.id, { passage, score });
  }
  return best;
}
