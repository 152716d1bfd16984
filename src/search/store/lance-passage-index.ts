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
  ScoredPassage,
} from './passage-index.ts';
import { bestRows, inOrder, type BestRows, DocumentFrequencyCache, type KeyMatch, KeySearch } from './key-search.ts';
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
/** What a word in each column counts: in the text, and among names and parts of identifiers. */
const TEXT_BOOSTS = [2, 1];

/** The reading side of one index in LanceDB. */
export class LancePassageIndex implements PassageIndex {
  readonly #table: LanceTable;
  readonly #dimensions: number;
  readonly #frequencies = new DocumentFrequencyCache();
  readonly #coverageNow: () => Promise<IndexCoverage>;
  readonly #checked: boolean;
  readonly #graphs: StoredReferences;
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

  /** Rows that the full-text index lacks are read by LanceDB one by one; upkeep bounds their number. */
  async #searchWords(query: string, options: IndexQueryOptions, every = false): Promise<RankedPassage[]> {
    const { limit, filter, signal } = options;
    signal?.throwIfAborted();
    const words = (every ? [query] : [query, ...splitIdentifiers(query)]).join(' ').trim();
    if (words === '' || limit <= 0) return [];
    const predicate = filterPredicate(filter);
    const matching = { boosts: TEXT_BOOSTS, operator: every ? Operator.And : Operator.Or };
    const search = (): Query => {
      const found = this.#table
        .query()
        .fullTextSearch(new MultiMatchQuery(words, [...TEXT_COLUMNS], matching))
        .select([...REF_COLUMNS, '_score']);
      return predicate ? found.where(predicate) : found;
    };
    return ranked(await bestRows('search by words', { limit, signal }, (table) => scoresOf(table, '_score'), search));
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
    const matches = await stored('follow links', () => search.matches(options.limit));
    options.signal?.throwIfAborted();
    return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, options.limit);
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

  /** Rows that hold a word in a column, as counted a little while ago. */
  #holding(word: string, column: number, total: number): Promise<number> {
    return this.#frequencies.get(`${column} ${word}`, total, () =>
      stored('count a term', async () => {
        const found = await this.#table
          .query()
          .fullTextSearch(new MatchQuery(word, TEXT_COLUMNS[column] ?? 'text'))
          .select(['_score'])
          .limit(MOST_COUNTED)
          .toArrow();
        return found.numRows;
      }),
    );
  }

  coverage(): Promise<IndexCoverage> {
    return this.#coverageNow();
  }

  async references(): Promise<ReferenceGraph | undefined> {
    return this.#checked ? this.#graphs.current() : undefined;
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
