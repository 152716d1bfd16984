import type { Embedder } from '../../embedding/embedder.ts';
import type { PassageIndex, PassageRef } from '../../store/passage-index.ts';
import type { PassageChain } from '../../domain/passage-chain.ts';
import type { ChainScorer } from '../chain-scorer.ts';
import type { PassageProfiles } from '../features/passage-profile.ts';
import { profileQuestion, questionTerms, type QuestionProfile } from '../features/question-profile.ts';
import { neighboursIn } from '../../references/neighbours.ts';
import { sigmoid } from '../heads/model.ts';
import type { ChainOptions } from '../retriever.ts';
import { type FusedPassage, hybridSearch, readFused } from '../hybrid-search.ts';
import { toPassage } from '../passages.ts';
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
  question: QuestionProfile;
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
  const terms = questionTerms(question);
  const [{ ranked, others, vector }, { frequencies, total }, start] = await Promise.all([
    rankedPassages(index, embedder, question, options, signal),
    index.documentFrequencies(terms.map(({ word }) => word)),
    index.get(options.startFrom ?? []),
  ]);
  const profile = profileQuestion(question, vector, frequencies, total);
  const source = new IndexCandidates(
    index,
    embedder,
    question,
    ranked.map(({ passage }) => passage),
    DEFAULT_LIMITS,
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
      start,
      now,
    },
    signal,
  );
  // The search with the question belongs to the first hop.
  const [first = 0, ...rest] = result.hopMilliseconds;
  const spent = now() - startedAt - result.hopMilliseconds.reduce((sum, ms) => sum + ms, 0);
  return {
    question: profile,
    ranked,
    others,
    result: { ...result, hopMilliseconds: [first + Math.max(0, spent), ...rest] },
  };
}

/** What hybrid search found, best first, and the question's vector. */
async function rankedPassages(
  index: PassageIndex,
  embedder: Embedder,
  question: string,
  { filter }: ChainOptions,
  signal?: AbortSignal,
): Promise<Pick<FoundChains, 'ranked' | 'others'> & { vector: Float32Array | undefined }> {
  const { ranked, vector } = await hybridSearch(index, embedder, question, {
    depth: DEFAULT_LIMITS.question,
    lists: ['text', 'vector', 'link'],
    filter,
    signal,
  });
  const head = await readFused(index, ranked.slice(0, DEFAULT_LIMITS.question), { vectors: true });
  signal?.throwIfAborted();
  return { ranked: head, others: ranked.slice(DEFAULT_LIMITS.question), vector };
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
