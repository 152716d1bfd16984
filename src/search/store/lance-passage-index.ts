import {
  BooleanQuery,
  MatchQuery,
  MultiMatchQuery,
  Occur,
  Operator,
  type Query,
  type Table as LanceTable,
  type VectorQuery,
} from '@lancedb/lancedb';
import type { IndexCoverage } from '../domain/index-state.ts';
import type {
  IndexedPassage,
  IndexQueryOptions,
  ListQuery,
  PassageIndex,
  PassageRef,
  RankedPassage,
  ScoredPassage,
} from './passage-index.ts';
import { bestFirst, bestRows, DocumentFrequencyCache, keyMatches } from './key-search.ts';
import {
  PASSAGE_COLUMNS,
  PASSAGE_COLUMNS_BEFORE,
  REF_COLUMNS,
  type RefRow,
  rowsByIds,
  rowsFromArrow,
  splitIdentifiers,
  VECTOR_COLUMNS,
} from './passage-rows.ts';
import type { ReferenceGraph } from '../references/reference-graph.ts';
import { StoredReferences } from './stored-references.ts';
import { filterPredicate, isIn } from './lance-connection.ts';
import { stored } from './storage-errors.ts';
import { type KeyColumn, PARTS_COLUMN, TEXT_COLUMNS } from './table-upkeep.ts';

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
/** What a word in each column counts: in the text, and among names and parts of identifiers. */
const TEXT_BOOSTS = [2, 1];

/** The reading side of one index in LanceDB. */
export class LancePassageIndex implements PassageIndex {
  readonly #table: LanceTable;
  readonly #dimensions: number;
  readonly #frequencies = new DocumentFrequencyCache();
  readonly #checked: boolean;
  readonly #graphs: StoredReferences;
  /** Of a row without its vector. */
  readonly #columns: readonly string[];
  readonly coverage: () => Promise<IndexCoverage>;

  /**
   * `coverage` is told by whoever writes the index, or counted; `checked` is false for a build of another version (see
   * rowsFromArrow).
   */
  constructor(table: LanceTable, dimensions: number, coverage: () => Promise<IndexCoverage>, checked: boolean) {
    this.#table = table;
    this.#graphs = new StoredReferences(table);
    this.#dimensions = dimensions;
    this.coverage = coverage;
    this.#checked = checked;
    this.#columns = checked ? PASSAGE_COLUMNS : PASSAGE_COLUMNS_BEFORE;
  }

  async textSearch(query: string, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#rowsIn(await this.#searchWords({ words: query }, options));
  }

  async vectorSearch(vector: Float32Array, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#rowsIn(await this.#searchMeaning(vector, options));
  }

  async findByName(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#rowsIn(await this.#findByKeys('name_keys', keys, options));
  }

  async findLinkingTo(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#rowsIn(await this.#findByKeys('link_keys', keys, options));
  }

  async rank(query: ListQuery, options: IndexQueryOptions): Promise<RankedPassage[]> {
    if ('names' in query) return this.#findByKeys('name_keys', query.names, options);
    if ('words' in query) return this.#searchWords(query, options);
    return this.#searchMeaning(query.vector, options);
  }

  /** Rows that the full-text index lacks are read by LanceDB one by one; upkeep bounds their number. */
  async #searchWords(
    { words: query, every = false, parts = '' }: Extract<ListQuery, { words: string }>,
    options: IndexQueryOptions,
  ): Promise<RankedPassage[]> {
    const { limit, filter, signal } = options;
    signal?.throwIfAborted();
    const words = (every ? [query] : [query, ...splitIdentifiers(query)]).join(' ').trim();
    if (words === '' || limit <= 0) return [];
    const predicate = filterPredicate(filter);
    const matching = { boosts: TEXT_BOOSTS, operator: every ? Operator.And : Operator.Or };
    const whole = new MultiMatchQuery(words, [...TEXT_COLUMNS], matching);
    const isWhole = every || parts === '' || !this.#checked;
    const both = (): BooleanQuery =>
      new BooleanQuery([whole, new MatchQuery(parts, PARTS_COLUMN)].map((one) => [Occur.Should, one]));
    const search = (): Query => {
      const found = this.#table
        .query()
        .fullTextSearch(isWhole ? whole : both())
        .select([...REF_COLUMNS, '_score']);
      return predicate ? found.where(predicate) : found;
    };
    const scoreOf = (row: RefRow & { _score: number }): number => row._score;
    return bestRows('search by words', { limit, signal }, scoreOf, search);
  }

  /** None where vectors are of another model, while an index of that model still answers: they cannot be compared. */
  async #searchMeaning(vector: Float32Array, { limit, filter, signal }: IndexQueryOptions): Promise<RankedPassage[]> {
    signal?.throwIfAborted();
    if (vector.length !== this.#dimensions || limit <= 0) return [];
    const search = (): VectorQuery => {
      const found = this.#table
        .query()
        .nearestTo(vector)
        .distanceType('cosine')
        .nprobes(PROBES)
        .refineFactor(REFINE)
        .select([...REF_COLUMNS, '_distance']);
      const predicate = filterPredicate(filter);
      return predicate ? found.where(predicate).maximumNprobes(ALL_PARTITIONS) : found;
    };
    const cosineOf = (row: RefRow & { _distance: number }): number => 1 - row._distance;
    const found = await bestRows('search by meaning', { limit, signal }, cosineOf, search);
    return found.filter(({ passage }) => passage.embedded);
  }

  async #findByKeys(column: KeyColumn, keys: readonly string[], options: IndexQueryOptions): Promise<RankedPassage[]> {
    const { limit, filter, signal } = options;
    signal?.throwIfAborted();
    if (keys.length === 0 || limit <= 0) return [];
    const matches = await stored('follow links', () =>
      keyMatches(this.#table, column, keys, filterPredicate(filter), limit),
    );
    signal?.throwIfAborted();
    return matches.sort(bestFirst).slice(0, limit);
  }

  /** The rows of a list, with their vectors. */
  async #rowsIn(list: readonly RankedPassage[]): Promise<ScoredPassage[]> {
    const refs = list.map(({ passage }) => passage);
    const rows = new Map((await this.read(refs, { vectors: true })).map((passage) => [passage.id, passage]));
    return list.flatMap(({ passage: { id }, score }) => {
      const passage = rows.get(id);
      return passage ? [{ passage, score }] : [];
    });
  }

  async read(
    refs: readonly Pick<PassageRef, 'id' | 'row'>[],
    { vectors }: { vectors: boolean },
  ): Promise<IndexedPassage[]> {
    const columns = vectors ? [...this.#columns, ...VECTOR_COLUMNS] : [...this.#columns];
    const found = new Map((await this.#rowsAt(refs, columns)).map((passage) => [passage.id, passage]));
    const moved = refs.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    for (const passage of await rowsByIds(this.#table, moved, columns, this.#checked)) found.set(passage.id, passage);
    return refs.flatMap(({ id }) => found.get(id) ?? []);
  }

  /**
   * Reads the rows that now lie at these places. A compaction may have moved the old ones and put others there, so the
   * caller compares ids.
   */
  async #rowsAt(refs: readonly Pick<PassageRef, 'row'>[], columns: string[]): Promise<IndexedPassage[]> {
    const places = refs.flatMap(({ row }) => row ?? []);
    if (places.length === 0) return [];
    try {
      return rowsFromArrow(await this.#table.takeRowIds(places).select(columns).toArrow(), this.#checked);
    } catch {
      return []; // nothing lies there any more: they are found by their ids, or that fails as well
    }
  }

  get(ids: readonly string[]): Promise<IndexedPassage[]> {
    const refs = ids.map((id) => ({ id }));
    return this.read(refs, { vectors: true });
  }

  async passagesOf(path: string): Promise<IndexedPassage[]> {
    const found = this.#table
      .query()
      .where(isIn('path', [path]))
      .select([...this.#columns, ...VECTOR_COLUMNS]);
    const passages = await stored('read passages', async () => rowsFromArrow(await found.toArrow(), this.#checked));
    return passages.sort((a, b) => a.startLine - b.startLine || (a.startColumn ?? 0) - (b.startColumn ?? 0));
  }

  async documentFrequencies(terms: readonly string[]): Promise<{ total: number; frequencies: number[] }> {
    const total = await stored('count passages', () => this.#table.countRows());
    // The larger of its two columns, as only one of them may be exact.
    const frequencies = await Promise.all(
      terms.map(async (term) => {
        const counts = await Promise.all(TEXT_COLUMNS.map((column) => this.#holding(term, column, total)));
        return Math.min(total, Math.max(...counts));
      }),
    );
    return { total, frequencies };
  }

  /** Rows that hold a word in a column, as counted a little while ago. */
  #holding(word: string, column: (typeof TEXT_COLUMNS)[number], total: number): Promise<number> {
    const found = this.#table
      .query()
      .fullTextSearch(new MatchQuery(word, column))
      .select(['_score'])
      .limit(MOST_COUNTED);
    return this.#frequencies.get(`${column} ${word}`, total, () =>
      stored('count a term', async () => (await found.toArrow()).numRows),
    );
  }

  async references(): Promise<ReferenceGraph | undefined> {
    return this.#checked ? this.#graphs.current() : undefined;
  }
}
