import type { IndexedPassage } from '../indexing/passage-index.ts';
import type { QuestionProfile } from './features/question-profile.ts';

/** A chain under construction, as a scorer sees it. */
export interface PartialChain {
  /** In the order found; never empty. */
  passages: readonly IndexedPassage[];
  /** The logit with which each hop was taken, in the same order. */
  logits: readonly number[];
  /** Embeddings of {@link ChainScorer.queryTexts}, in that order. */
  vectors: readonly Float32Array[];
}

/** What is known of a chain when its completeness is judged. */
export interface ChainOutlook {
  /** Logits of the best extensions of the chain, best first; empty when nothing is left to add. */
  continuations: readonly number[];
  /** The best passages left to add, in the same order. */
  next: readonly IndexedPassage[];
}

/**
 * Port: the heads of Beam Retrieval (arXiv 2308.08973, §3.2) and a model of when a chain is complete. Scores are logits: 0 means
 * "as likely as not". Every method rejects with AbortError on abort.
 */
export interface ChainScorer {
  /** Texts to embed as queries for a hop after this chain; the first also searches for candidates. Empty for none. */
  queryTexts(question: QuestionProfile, chain: readonly IndexedPassage[]): string[];
  /** Head 1: each candidate as first passage of a chain. One logit per candidate, in order. */
  scoreFirst(question: QuestionProfile, candidates: readonly IndexedPassage[], signal?: AbortSignal): Promise<number[]>;
  /** Head 2: each candidate as the next passage of the chain. One logit per candidate, in order. */
  scoreNext(question: QuestionProfile, chain: PartialChain, candidates: readonly IndexedPassage[], signal?: AbortSignal): Promise<number[]>;
  /** Logit that the chain holds all the evidence that the question needs, and nothing else. */
  completeness(question: QuestionProfile, chain: PartialChain, outlook: ChainOutlook, signal?: AbortSignal): Promise<number>;
}
