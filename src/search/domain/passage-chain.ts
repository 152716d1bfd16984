import type { Passage } from './passage.ts';

/** A stretch of a passage's text: offsets in UTF-16 units into `Passage.text`, end exclusive. */
export interface TextSpan {
  start: number;
  end: number;
}

/** What led to a hop. */
export type HopReasonKind =
  | 'question' // matches the question itself (hop 1, or the other side of a comparison)
  | 'link' // the previous passage links to it
  | 'backlink' // it links to the previous passage
  | 'title' // its title is named in the previous passage (or the other way round)
  | 'term' // a rare name shared with the previous passage, not in the question
  | 'meaning' // nearest in meaning to question and chain together
  | 'sub-question'; // found for a sub-question

/** Why a passage stands in the chain, checkable by a person. */
export interface HopReason {
  kind: HopReasonKind;
  /** One short sentence: `links to "incidents/2024-03 outage" from line 12`. */
  text: string;
  /** The words that connect: term, name, link target, or the question's words. */
  terms: string[];
  /** Index in the chain of the hop that led here; undefined when the question did. */
  from?: number;
  /** Where the linking words stand in that earlier passage, and in this one. */
  fromSpan?: TextSpan;
  toSpan?: TextSpan;
}

/** One hop of a chain. */
export interface Hop {
  passage: Passage;
  /** The head's logit for this hop given the question and the hops before. */
  score: number;
  why: HopReason;
}

/**
 * A trail: passages in the order they were found, each seeing the ones before (Beam Retrieval, arXiv 2308.08973, §3).
 */
export interface PassageChain {
  hops: Hop[];
  /** Sum of the hops' log-probabilities; comparable between chains of one question only. */
  score: number;
  /** Probability (0..1) that the chain holds all the evidence needed. */
  completeness: number;
}

/** One passage of a ranked list with the parts of its score. */
export interface SearchHit {
  passage: Passage;
  score: number;
  /** Passages folded into this hit because they overlap it or nearly equal it. */
  folded: Passage[];
  /** Rank (1-based) and raw score per list that held it; for `--explain`. */
  parts: Partial<Record<SearchPart, { rank: number; score: number }>>;
}

/** The lists that fusion joins; `beam` when the chain put it there. */
export type SearchPart = 'text' | 'vector' | 'link' | 'beam';

/** Which passages a search may return; undefined fields do not restrict. */
export interface PassageFilter {
  /** Path prefixes (folders) or exact paths; any of them matches. */
  paths?: string[];
  languages?: string[];
  kinds?: Passage['kind'][];
  /** Only these passages: the evaluation's distractor setting, or a fixed set of candidates. */
  ids?: string[];
  /** None of these passages: evidence taken away, to see whether its lack is noticed. */
  excludeIds?: string[];
}

export type RetrieverName = 'text' | 'vector' | 'hybrid' | 'beam';
