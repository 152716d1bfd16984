import type { IndexedPassage } from '../../store/passage-index.ts';
import { handicapByRole } from '../file-roles.ts';
import type { ChainScorer, PartialChain } from '../chain-scorer.ts';
import type { AnalysedQuestion } from '../question.ts';
import { isCopy } from '../same-text.ts';

/** Where the candidates of a hop come from. */
export interface CandidateSource {
  /** Candidates for the first passage. */
  first(signal?: AbortSignal): Promise<IndexedPassage[]>;
  /** Candidates for the passage after this chain, and the query's embedding. May hold passages of the chain. */
  next(
    chain: readonly IndexedPassage[],
    queryText: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ candidates: IndexedPassage[]; vector?: Float32Array | undefined }>;
}

export interface BeamOptions {
  /** Most passages of a chain. */
  maxHops: number;
  /** B: chains kept after every hop. */
  beam: number;
  stop: 'model' | 'threshold';
  /** τ on the logit of the next hop, only with `threshold`. */
  threshold: number;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/** A chain that was kept at some hop. */
export interface BeamChain extends PartialChain {
  /** Sum of the hops' log-probabilities. */
  score: number;
  /** Logit of the completeness model; `-Infinity` until it was judged. */
  completeness: number;
}

/** A candidate as it was scored after some chain: what ranked lists are made of. */
interface ScoredExtension {
  passage: IndexedPassage;
  /** The head's logit. */
  logit: number;
  /** Passages already in the chain: 0 for head 1. */
  depth: number;
  /** Score of the chain that it extends; 0 for head 1. */
  chainScore: number;
}

export interface BeamResult {
  /** Every chain kept at any hop, the choice first. */
  chains: readonly BeamChain[];
  extensions: ScoredExtension[];
  hopMilliseconds: number[];
}

/** Natural logarithm of the logistic function, without overflow. */
export const logSigmoid = (logit: number): number =>
  logit < 0 ? logit - Math.log1p(Math.exp(logit)) : -Math.log1p(Math.exp(-logit));

/** A chain that begins with what is given. */
export const beginWith = (passages: readonly IndexedPassage[]): BeamChain => ({
  passages,
  logits: passages.map(() => 0),
  score: 0,
  completeness: -Infinity,
});

export const extended = (
  chain: PartialChain & { score: number },
  passage: IndexedPassage,
  logit: number,
): BeamChain => ({
  passages: [...chain.passages, passage],
  logits: [...chain.logits, logit],
  score: chain.score + logSigmoid(logit),
  completeness: -Infinity,
});

/**
 * Hops without a more complete chain after which decoding stops: one when nothing likely is left to add, two when
 * something is. A comparison over four passages is no more complete after the third than after the second, but what it
 * lacks is then a likely next hop. While no chain is more likely complete than not and a next hop is likely, decoding
 * goes on to the most hops allowed.
 */
function patience(bestCompleteness: number, bestNext: number): number {
  if (bestNext <= 0) return 1;
  return bestCompleteness <= 0 ? Infinity : 2;
}

/**
 * Beam Retrieval's decoding (arXiv 2308.08973, §3.2, Figure 2): hop 1 scores each candidate by head 1, hop t every
 * extension of each kept chain by head 2; no passage twice in a chain, nor its copy, and two orders of one set count
 * once (the better is kept). Unlike the paper, which stops when the best next score falls under τ, a completeness model
 * judges every kept chain once its continuations are known; decoding ends when hops brought no chain more complete than
 * the best before. The paper's rule remains as `stop: 'threshold'`.
 */
export async function beamSearch(
  question: AnalysedQuestion,
  source: CandidateSource,
  scorer: ChainScorer,
  options: BeamOptions,
  signal?: AbortSignal,
): Promise<BeamResult> {
  const hopMilliseconds: number[] = [];
  const extensions: ScoredExtension[] = [];
  const finished: BeamChain[] = [];
  let startedAt = options.now();
  const endHop = (): void => {
    const at = options.now();
    hopMilliseconds.push(at - startedAt);
    startedAt = at;
  };

  let kept = await firstHop(question, source, scorer, options, extensions, signal);
  endHop();
  let bestCompleteness = -Infinity;
  let hopsWithout = 0;
  while (kept.length > 0) {
    const atLimit = (kept[0]?.passages.length ?? 0) >= options.maxHops;
    const grown: BeamChain[] = [];
    let bestNext = -Infinity;
    // Side by side: while one chain's candidates are looked up, another's are scored.
    const expansions = await Promise.all(kept.map((chain) => expand(question, chain, source, scorer, signal)));
    for (const { chain, next } of expansions) {
      finished.push(chain);
      bestNext = Math.max(bestNext, next[0]?.logit ?? -Infinity);
      extensions.push(...next);
      grown.push(...next.map(({ passage, logit }) => extended(chain, passage, logit)));
    }
    const best = Math.max(...finished.slice(-kept.length).map((chain) => chain.completeness));
    hopsWithout = best > bestCompleteness ? 0 : hopsWithout + 1;
    bestCompleteness = Math.max(best, bestCompleteness);
    endHop();
    const stop =
      options.stop === 'threshold' ? bestNext < options.threshold : hopsWithout >= patience(bestCompleteness, bestNext);
    if (atLimit || stop) break;
    kept = keepBest(grown, options.beam);
  }
  return { chains: rankChains(finished, options.stop), extensions, hopMilliseconds };
}

async function firstHop(
  question: AnalysedQuestion,
  source: CandidateSource,
  scorer: ChainScorer,
  options: BeamOptions,
  extensions: ScoredExtension[],
  signal?: AbortSignal,
): Promise<BeamChain[]> {
  const start = beginWith([]);
  const candidates = await source.first(signal);
  if (candidates.length === 0) return [];
  const logits = await scorer.scoreFirst(question, candidates, signal);
  signal?.throwIfAborted();
  const scored = scoredAfter(start, question, candidates, logits);
  extensions.push(...scored);
  return keepBest(
    scored.map(({ passage, logit }) => extended(start, passage, logit)),
    options.beam,
  );
}

/** Candidates with what a head said of them after a chain. */
function scoredAfter(
  chain: BeamChain,
  question: AnalysedQuestion,
  candidates: readonly IndexedPassage[],
  logits: readonly number[],
): ScoredExtension[] {
  const handicap = handicapByRole(question.stems);
  return candidates.map((passage, i) => ({
    passage,
    logit: (logits[i] ?? -Infinity) + handicap(passage.path),
    depth: chain.passages.length,
    chainScore: chain.score,
  }));
}

/** Continuations looked at when completeness is judged. */
const OUTLOOK = 3;

/** The extensions of one chain, best first, and the chain judged in their light. */
async function expand(
  question: AnalysedQuestion,
  chain: BeamChain,
  source: CandidateSource,
  scorer: ChainScorer,
  signal?: AbortSignal,
): Promise<{ chain: BeamChain; next: ScoredExtension[] }> {
  signal?.throwIfAborted();
  const queryText = scorer.queryText(question, chain.passages);
  const { candidates, vector } = await source.next(chain.passages, queryText, signal);
  signal?.throwIfAborted();
  const open = candidates.filter(
    (passage) => !chain.passages.some((other) => other.id === passage.id || isCopy(other, passage)),
  );
  const logits = open.length === 0 ? [] : await scorer.scoreNext(question, { ...chain, vector }, open, signal);
  signal?.throwIfAborted();
  const next = scoredAfter(chain, question, open, logits);
  next.sort((a, b) => b.logit - a.logit || (a.passage.id < b.passage.id ? -1 : 1));
  const outlook = next.slice(0, OUTLOOK);
  const completeness = await scorer.completeness(
    question,
    { ...chain, vector },
    { continuations: outlook.map(({ logit }) => logit), next: outlook.map(({ passage }) => passage) },
    signal,
  );
  return { chain: { ...chain, vector, completeness }, next };
}

/**
 * The B best; of chains over one set of passages, or of their copies, only the best; ties by passage ids, so that runs
 * repeat.
 */
function keepBest(chains: readonly BeamChain[], beam: number): BeamChain[] {
  const keyed = chains.map((chain) => ({ chain, ids: chain.passages.map((passage) => passage.id) }));
  keyed.sort((a, b) => b.chain.score - a.chain.score || (a.ids.join() < b.ids.join() ? -1 : 1));
  const sets = new Set<string>();
  const kept: BeamChain[] = [];
  const seen: IndexedPassage[] = [];
  const original = (passage: IndexedPassage): string => {
    const known = seen.find((other) => other.id === passage.id || isCopy(other, passage));
    if (!known) seen.push(passage);
    return (known ?? passage).id;
  };
  for (const { chain } of keyed) {
    const key = chain.passages.map(original).sort().join();
    if (sets.has(key)) continue;
    sets.add(key);
    kept.push(chain);
    if (kept.length === beam) break;
  }
  return kept;
}

/** The most complete chain first; of equally complete ones the more likely. */
export function decide(chains: readonly BeamChain[]): BeamChain[] {
  return [...chains].sort((a, b) => b.completeness - a.completeness || b.score - a.score);
}

/** With the threshold the best chain of the last hop is the choice, as in the paper. */
function rankChains(chains: readonly BeamChain[], stop: BeamOptions['stop']): BeamChain[] {
  if (stop === 'model') return decide(chains);
  return [...chains].sort((a, b) => b.passages.length - a.passages.length || b.score - a.score);
}
