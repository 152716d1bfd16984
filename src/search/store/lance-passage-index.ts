import {
  MatchQuery,
  MultiMatchQuery,
  Operator,
  type Query,
  type Table as LanceTable,
  type VectorQuery,
} from '@lancedb/lancedb';
import type { Table } from 'apache-arrow';
import type { IndexCoverage } from '../domain/index-state.ts';
import type {
  IndexedPassage,
  IndexQueryOptions,
  ListQuery,
  PassageIndex,
  PassageRef,
  RankedPassage,
  ReferenceOptions,
  ScoredPassage,
} from './passage-index.ts';
import { bestRows, inOrder, type BestRows, DocumentFrequencyCache, type KeyMatch, KeySearch } from './key-search.ts';
import { FreshRows, TEXT_BOOSTS } from './fresh-rows.ts';
import {
  PASSAGE_COLUMNS,
  PASSAGE_COLUMNS_BEFORE,
  REF_COLUMNS,
  refsFromArrow,
  rowsByIds,
  rowsFromArrow,
  splitIdentifiers,
  VECTOR_COLUMNS,
} from './passage-rows.ts';
import type { ReferenceGraph } from '../references/reference-graph.ts';
import { StoredReferences } from './stored-references.ts';
import { filterPredicate, literal } from './lance-connection.ts';
import { stored } from './storage-errors.ts';
import { type KeyColumn, TEXT_COLUMNS } from './table-upkeep.ts';

/**
 * How many partitions of the vector index are searched at least, and how many candidates per result are compared
 * exactly. Where a filter leaves too few rows in those partitions, the others are searched as well (0: as many as there
 * are).
 */
const PROBES = 20;
const ALL_PARTITIONS = 0;
const REFINE = 10;
/** A term found in more passages than this is common; how common does not matter any more. */
const MOST_COUNTED = 20_000;
/** How often a table is searched again that was written to meanwhile. */
const MOST_ATTEMPTS = 3;

/** The reading side of one index in LanceDB. */
export class LancePassageIndex implements PassageIndex {
  readonly #table: LanceTable;
  readonly #dimensions: number;
  readonly #frequencies = new DocumentFrequencyCache();
  readonly #coverageNow: () => Promise<IndexCoverage>;
  readonly #checked: boolean;
  readonly #graphs: StoredReferences;
  readonly #fresh: FreshRows;
  /** Those of a whole row, and of one without its vector. */
  readonly #allColumns: readonly string[];
  readonly #columns: readonly string[];

  /**
   * `coverage` is told by whoever writes the index, or counted; `checked` is false for a build of another version (see
   * rowsFromArrow).
   */
  constructor(table: LanceTable, dimensions: number, coverage: () => Promise<IndexCoverage>, checked: boolean) {
    this.#table = table;
    this.#graphs = new StoredReferences(table);
    this.#fresh = new FreshRows(table);
    this.#dimensions = dimensions;
    this.#coverageNow = coverage;
    this.#checked = checked;
    this.#columns = checked ? PASSAGE_COLUMNS : PASSAGE_COLUMNS_BEFORE;
    this.#allColumns = [...this.#columns, ...VECTOR_COLUMNS];
  }

  async textSearch(query: string, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#rowsOf(await this.#searchWords(query, options));
  }

  async vectorSearch(vector: Float32Array, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#scored(await this.#searchMeaning(vector, options, this.#allColumns)).filter(
      (row) => row.passage.vector,
    );
  }

  findByName(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#findByKeys('name_keys', keys, options);
  }

  findLinkingTo(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#findByKeys('link_keys', keys, options);
  }

  async rank(query: ListQuery, options: IndexQueryOptions): Promise<RankedPassage[]> {
    if ('names' in query) {
      const matches = await this.#bestKeyMatches('name_keys', query.names, options);
      return matches.map(({ score, ...passage }) => ({ passage, score }));
    }
    if ('words' in query) {
      return this.#searchWords(query.words, options, query.every);
    }
    return ranked(await this.#searchMeaning(query.vector, options, REF_COLUMNS)).filter(
      ({ passage }) => passage.embedded,
    );
  }

  /**
   * What the full-text index holds, and what it does not hold yet. These are two searches: where the table was written
   * to between them, a row may have gone from the one before it came to the other, and both are done again.
   */
  async #searchWords(query: string, options: IndexQueryOptions, every = false): Promise<RankedPassage[]> {
    options.signal?.throwIfAborted();
    const words = (every ? [query] : [query, ...splitIdentifiers(query)]).join(' ').trim();
    if (words === '' || options.limit <= 0) return [];
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const version = await this.#fresh.refresh();
      if (version === undefined) break;
      const found = ranked(await this.#searchTexts(words, options, { indexedOnly: true, every }));
      const both = await this.#withFresh(found, words, options, every);
      if (await this.#fresh.isAt(version)) return both;
    }
    return ranked(await this.#searchTexts(words, options, { indexedOnly: false, every }));
  }

  /**
   * What LanceDB finds by words.
   * @param indexedOnly Leaves out rows that its index does not hold yet.
   * @param every Leaves out rows that lack one of the words.
   */
  #searchTexts(
    words: string,
    { limit, filter, signal }: IndexQueryOptions,
    { indexedOnly, every }: { indexedOnly: boolean; every: boolean },
  ): Promise<BestRows> {
    const predicate = filterPredicate(filter);
    const matching = { boosts: TEXT_BOOSTS, operator: every ? Operator.And : Operator.Or };
    const search = (): Query => {
      const found = this.#table
        .query()
        .fullTextSearch(new MultiMatchQuery(words, [...TEXT_COLUMNS], matching))
        .select([...REF_COLUMNS, '_score']);
      if (indexedOnly) found.fastSearch();
      return predicate ? found.where(predicate) : found;
    };
    return bestRows('search by words', { limit, signal }, (table) => scoresOf(table, '_score'), search);
  }

  /** The best of what LanceDB has found and of the rows that its index does not hold yet. */
  async #withFresh(
    found: RankedPassage[],
    words: string,
    { limit, filter }: IndexQueryOptions,
    every: boolean,
  ): Promise<RankedPassage[]> {
    const total = await this.#total();
    const frequency = (word: string, column: number): Promise<number> => this.#holding(word, column, total);
    const fresh = await this.#fresh.search(words, frequency, total, filterPredicate(filter), every);
    if (fresh.length === 0) return found;
    return [...found.filter(({ passage: { row = -1n } }) => !this.#fresh.has(row)), ...fresh]
      .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1))
      .slice(0, limit);
  }

  /**
   * Undefined where there is nothing to compare: vectors of another model, while an index of that model still answers,
   * cannot be.
   */
  async #searchMeaning(
    vector: Float32Array,
    { limit, filter, signal }: IndexQueryOptions,
    columns: readonly string[],
  ): Promise<BestRows | undefined> {
    signal?.throwIfAborted();
    if (vector.length !== this.#dimensions || limit <= 0) return undefined;
    const search = (): VectorQuery => {
      const found = this.#table
        .query()
        .nearestTo(vector)
        .distanceType('cosine')
        .nprobes(PROBES)
        .refineFactor(REFINE)
        .select([...columns, '_distance']);
      const predicate = filterPredicate(filter);
      return predicate ? found.where(predicate).maximumNprobes(ALL_PARTITIONS) : found;
    };
    return bestRows('search by meaning', { limit, signal }, cosinesOf, search);
  }

  async #findByKeys(column: KeyColumn, keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    const best = await this.#bestKeyMatches(column, keys, options);
    return this.#rowsOf(best.map(({ score, ...passage }) => ({ passage, score })));
  }

  /** The rows of a list, with their vectors. */
  async #rowsOf(list: readonly RankedPassage[]): Promise<ScoredPassage[]> {
    const refs = list.map(({ passage }) => passage);
    const rows = new Map((await this.read(refs, { vectors: true })).map((passage) => [passage.id, passage]));
    return list.flatMap(({ passage: { id }, score }) => {
      const passage = rows.get(id);
      return passage ? [{ passage, score }] : [];
    });
  }

  /**
   * Who matches how much, most first. Ties go by id, so that the same index gives the same list whatever order its rows
   * were written in.
   */
  async #bestKeyMatches(column: KeyColumn, keys: readonly string[], options: IndexQueryOptions): Promise<KeyMatch[]> {
    options.signal?.throwIfAborted();
    if (keys.length === 0 || options.limit <= 0) return [];
    const predicate = filterPredicate(options.filter);
    const search = new KeySearch(this.#table, column, keys, predicate);
    const matches = await stored('follow links', async () => {
      const quickly = predicate === undefined ? await this.#withFreshKeys(search, column, keys) : undefined;
      return quickly ?? search.matches(options.limit);
    });
    options.signal?.throwIfAborted();
    return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, options.limit);
  }

  /**
   * What the index of the keys holds, and what it does not hold yet, as `#searchWords` does it for words; undefined
   * where all rows are in the index, or there is more than can be held.
   */
  async #withFreshKeys(search: KeySearch, column: KeyColumn, keys: readonly string[]): Promise<KeyMatch[] | undefined> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const version = await this.#fresh.refresh();
      if (version === undefined || this.#fresh.size === 0 || !this.#fresh.holdsKeys) return undefined;
      const indexed = await search.indexed();
      if (!indexed) return undefined;
      const fresh = this.#fresh.withKeys(column, new Set(keys)).map(({ ref, shared }) => ({ ...ref, score: shared }));
      const both = [...indexed.filter(({ row = -1n }) => !this.#fresh.has(row)), ...fresh];
      if (await this.#fresh.isAt(version)) return both;
    }
    return undefined;
  }

  async read(
    refs: readonly Pick<PassageRef, 'id' | 'row'>[],
    { vectors }: { vectors: boolean },
  ): Promise<IndexedPassage[]> {
    const columns = vectors ? this.#allColumns : this.#columns;
    const found = new Map((await this.#rowsAt(refs, columns)).map((passage) => [passage.id, passage]));
    const moved = refs.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    for (const passage of await rowsByIds(this.#table, moved, columns, this.#checked)) found.set(passage.id, passage);
    return refs.flatMap(({ id }) => found.get(id) ?? []);
  }

  /**
   * Reads the rows that now lie at these places. A compaction may have moved the old ones and put others there, so the
   * caller compares ids.
   */
  async #rowsAt(refs: readonly Pick<PassageRef, 'row'>[], columns: readonly string[]): Promise<IndexedPassage[]> {
    const places = refs.flatMap(({ row }) => row ?? []);
    if (places.length === 0) return [];
    try {
      return this.#passagesIn(
        await this.#table
          .takeRowIds(places)
          .select([...columns])
          .toArrow(),
      );
    } catch {
      return []; // nothing lies there any more: they are found by their ids, or that fails as well
    }
  }

  get(ids: readonly string[]): Promise<IndexedPassage[]> {
    return this.read(
      ids.map((id) => ({ id })),
      { vectors: true },
    );
  }

  async passagesOf(path: string): Promise<IndexedPassage[]> {
    const passages = await this.#where(`path = ${literal(path)}`, this.#allColumns);
    return passages.sort((a, b) => a.startLine - b.startLine || (a.startColumn ?? 0) - (b.startColumn ?? 0));
  }

  async #where(predicate: string, columns: readonly string[]): Promise<IndexedPassage[]> {
    return stored('read passages', async () =>
      this.#passagesIn(
        await this.#table
          .query()
          .where(predicate)
          .select([...columns])
          .toArrow(),
      ),
    );
  }

  #passagesIn(table: Table): IndexedPassage[] {
    return rowsFromArrow(table, this.#checked);
  }

  #scored(found: BestRows | undefined): ScoredPassage[] {
    if (!found) return [];
    const passages = this.#passagesIn(found.table);
    return inOrder(found, (row, score) => passages[row] && { passage: passages[row], score });
  }

  async documentFrequencies(terms: readonly string[]): Promise<{ total: number; frequencies: number[] }> {
    await this.#fresh.refresh();
    const total = await this.#total();
    // The larger of its two columns, as only one of them may be exact.
    const frequencies = await Promise.all(
      terms.map(async (term) => {
        const counts = await Promise.all(TEXT_COLUMNS.map((_, column) => this.#holding(term, column, total)));
        return Math.min(total, Math.max(...counts));
      }),
    );
    return { total, frequencies };
  }

  #total(): Promise<number> {
    return stored('count passages', () => this.#table.countRows());
  }

  /** Rows that hold a word in a column: of the full-text index as counted a little while ago, and those outside it. */
  async #holding(word: string, column: number, total: number): Promise<number> {
    const indexed = await this.#frequencies.get(`${column} ${word}`, total, () =>
      stored('count a term', async () => {
        const found = await this.#table
          .query()
          .fullTextSearch(new MatchQuery(word, TEXT_COLUMNS[column] ?? 'text'))
          .fastSearch()
          .select(['_score'])
          .limit(MOST_COUNTED)
          .toArrow();
        return found.numRows;
      }),
    );
    return indexed + this.#fresh.holding(word, column);
  }

  coverage(): Promise<IndexCoverage> {
    return this.#coverageNow();
  }

  async references({ stale = false, wait = true }: ReferenceOptions = {}): Promise<ReferenceGraph | undefined> {
    if (!this.#checked) return undefined;
    if (!stale) return this.#graphs.current();
    return wait ? this.#graphs.recent() : this.#graphs.ready();
  }
}

function scoresOf(table: Table, column: '_score' | '_distance'): number[] {
  const scores = table.getChild(column);
  return Array.from({ length: table.numRows }, (_, i) => Number(scores?.get(i) ?? 0));
}

const cosinesOf = (table: Table): number[] => scoresOf(table, '_distance').map((distance) => 1 - distance);

function ranked(found: BestRows | undefined): RankedPassage[] {
  if (!found) return [];
  const refs = refsFromArrow(found.table);
  return inOrder(found, (row, score) => refs[row] && { passage: refs[row], score });
}
