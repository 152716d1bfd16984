import { sigmoid, sum } from '#base';
import type { Embedder } from '../../embedding/embedder.ts';
import { type PassageIndex, type PassageRef, toPassage } from '../../store/passage-index.ts';
import type { PassageChain } from '../../domain/passage-chain.ts';
import type { ChainScorer } from '../chain-scorer.ts';
import type { PassageProfiles } from '../features/passage-profile.ts';
import { type AnalysedQuestion, type QuestionText, readQuestion, withFrequencies } from '../question.ts';
import type { ChainOptions } from '../retriever.ts';
import type { FusedPassage } from '../fuse.ts';
import { asAsked, furtherQueries, type HybridResult, readFused, searchQueries } from '../hybrid-search.ts';
import { beamSearch, type BeamResult } from './beam-search.ts';
import { explainHop } from './hop-reason.ts';
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
  /** The head of hybrid search with the question and further queries: what chains may begin with. */
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

/** Rows asked of each list, as of a hybrid search for sixty hits. */
const SEARCH_DEPTH = 120;
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
  const { ranked, vector, moved } = await searchQueries(
    index,
    embedder,
    [question, ...furtherQueries(question, queries)],
    {
      depth: SEARCH_DEPTH,
      lists: ['text', 'vector', 'link'],
      filter,
      signal,
    },
  );
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

/** The kept chains with a reason for each hop. */
export function toChains(
  { question, result }: Pick<FoundChains, 'question' | 'result'>,
  profiles: PassageProfiles,
): PassageChain[] {
  return result.chains.map((chain) => {
    const passages = chain.passages.map((passage) => profiles.of(passage));
    return {
      hops: chain.passages.map((passage, i) => ({
        passage: toPassage(passage),
        score: chain.logits[i] ?? 0,
        why: explainHop(question, passages.slice(0, i + 1)),
      })),
      score: chain.score,
      completeness: sigmoid(chain.completeness),
    };
  });
}
