import type { IndexCoverage } from '../domain/index-state.ts';
import type { PassageFilter } from '../domain/passage-chain.ts';
import type { Passage } from '../domain/passage.ts';
import type { ReferenceGraph } from '../references/reference-graph.ts';

/** A passage as the index holds it. */
export interface IndexedPassage extends Passage {
  /** L2-normalised; undefined while it waits for its embedding. */
  vector?: Float32Array;
}

/** A passage without its vector, units and references: what leaves the index process. */
export function toPassage({ vector: _, units: __, references: ___, ...passage }: IndexedPassage): Passage {
  return passage;
}

/** A passage with the raw score of the list that found it: BM25, cosine (−1..1), or number of matching link keys. */
export interface ScoredPassage {
  passage: IndexedPassage;
  score: number;
}

/** A passage that a list found, before its row is read. */
export interface PassageRef {
  id: string;
  /** False while it waits for its vector. */
  embedded: boolean;
  /** Where its row lay when it was found, which is the quickest way to it; it may lie elsewhere by now. */
  row?: bigint;
  /** Of its file, where the list tells. */
  path?: string;
}

/** As {@link ScoredPassage}, before the row is read. */
export interface RankedPassage {
  passage: PassageRef;
  score: number;
}

/**
 * What to search by: as in textSearch, vectorSearch, findByName. With `every`, only what holds all of the words, those
 * left out that the full-text index does not keep; else `parts` of words (see partsQuery) are looked for beside them.
 */
export type ListQuery =
  { words: string; every?: boolean; parts?: string } | { vector: Float32Array } | { names: readonly string[] };

export interface IndexQueryOptions {
  /** Most rows to return. */
  limit: number;
  filter?: PassageFilter;
  signal?: AbortSignal;
}

/**
 * Port: the reading side of the index, what retrieval is built on. All lists come best first.
 *
 * Link keys are how passages refer to one another: `linkKeys(passage)` are the keys it points at, `nameKeys(passage)`
 * the keys that it answers to (see link-keys.ts); an edge exists where the two meet.
 */
export interface PassageIndex {
  /** BM25 over text, title and split identifiers. */
  textSearch(query: string, options: IndexQueryOptions): Promise<ScoredPassage[]>;
  /** Cosine against a normalised vector; rows without a vector are not found. */
  vectorSearch(vector: Float32Array, options: IndexQueryOptions): Promise<ScoredPassage[]>;
  /** Passages that answer to any of the name keys (titles, symbols, paths), most matches first. */
  findByName(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]>;
  /** Passages that point at any of the name keys. */
  findLinkingTo(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]>;
  /**
   * The list of textSearch, vectorSearch or findByName without its rows: cheap where only the best of several lists are
   * read.
   */
  rank(query: ListQuery, options: IndexQueryOptions): Promise<RankedPassage[]>;
  /** The rows of passages that `rank` found, in the order asked; those that are gone by now are left out. */
  read(refs: readonly PassageRef[], options: { vectors: boolean }): Promise<IndexedPassage[]>;
  /** Passages by id, with vectors, in the order asked; unknown ids are left out. */
  get(ids: readonly string[]): Promise<IndexedPassage[]>;
  /** Passages of one file in line order. */
  passagesOf(path: string): Promise<IndexedPassage[]>;
  /**
   * Number of passages whose text or title holds each term (as the full-text tokenizer sees it), for rarity; and the
   * total.
   */
  documentFrequencies(terms: readonly string[]): Promise<{ total: number; frequencies: number[] }>;
  coverage(): Promise<IndexCoverage>;
  /** Who refers to whom in programs, as of now; undefined for an index of an earlier version, which does not know. */
  references(): Promise<ReferenceGraph | undefined>;
}
