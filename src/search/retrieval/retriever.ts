import type { IndexCoverage } from '../domain/index-state.ts';
import type { PassageChain, PassageFilter, RetrieverName, SearchHit, TextSpan } from '../domain/passage-chain.ts';
import type { UnitContext, UnitKind } from '../domain/unit.ts';
import type { Passage } from '../domain/passage.ts';

export interface SearchOptions {
  retriever: RetrieverName;
  limit: number;
  filter?: PassageFilter;
}

export interface ChainOptions {
  /** Most hops of a chain; default 6. */
  maxHops?: number;
  /** B, chains kept per hop; default 2. */
  beam?: number;
  /** `model`: the completeness model decides; `threshold`: the paper's τ on the logit. Default `model`. */
  stop?: 'model' | 'threshold';
  /** τ, default −1; only with `threshold`. */
  threshold?: number;
  filter?: PassageFilter;
  /**
   * Start from these passages instead of a search (for "how are these connected?", or a step that continues a trail).
   */
  startFrom?: readonly string[];
}

export interface ChainResult {
  /** Best first; the first is the retriever's choice. Empty when nothing was found. */
  chains: PassageChain[];
  /** A ranked list whose head is the best chain, then the best of the rest. */
  hits: SearchHit[];
  /** Milliseconds per hop. */
  hopMilliseconds: number[];
  coverage: IndexCoverage;
}

/** Port: what reasoning sees of the index. Runs in the index process; every method rejects with AbortError on abort. */
export interface Retriever {
  search(
    query: string,
    options: SearchOptions,
    signal?: AbortSignal,
  ): Promise<{ hits: SearchHit[]; coverage: IndexCoverage }>;
  chains(question: string, options: ChainOptions, signal?: AbortSignal): Promise<ChainResult>;
  /** Best chains that lead from one file to another. */
  connect(fromPath: string, toPath: string, options: ChainOptions, signal?: AbortSignal): Promise<ChainResult>;
  /** By id, order kept, unknown ids left out. */
  passages(ids: readonly string[]): Promise<Passage[]>;
  /** L2-normalised vectors of texts embedded as queries, for classifiers and novelty. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** The extractive reader over passages (see reader.ts): sentences with their support, answer type and span. */
  read(question: string, passageIds: readonly string[], signal?: AbortSignal): Promise<Reading>;
}

/** A unit of a passage with its score; offsets into the passage's text, those of the context too. */
export interface ReadUnit extends TextSpan {
  passageId: string;
  text: string;
  score: number;
  kind?: UnitKind;
  /** What has to be read before it: header cells of a row, items above an item, the signature around a statement. */
  context?: UnitContext;
}

/** What the feature-based reader makes of a chain (Beam Retrieval §3.4, as far as features carry). */
export interface Reading {
  answerType: 'yes' | 'no' | 'span' | 'none';
  /** The likely answer: `yes`, `no`, the span's text, or '' for none. */
  answer: string;
  /** Units that support the answer, best first. */
  sentences: ReadUnit[];
  /** Where the span stands. */
  span?: { passageId: string; start: number; end: number };
  /**
   * When the question asks which of two things is earlier or later and both years are known: `answer` by them, the
   * other one, the passages they stand in.
   */
  byYears?: { other: string; year: number; otherYear: number; passageIds: string[] };
  /** Probability (0..1) that these passages carry an answer: what a refusal rests on. */
  answerability: number;
}
