import { MatchQuery, MultiMatchQuery, type Table, type VectorQuery } from '@lancedb/lancedb';
import type { IndexCoverage } from '../../model/answer.ts';
import type { IndexedPassage, IndexQueryOptions, PassageIndex, ScoredPassage } from '../passage-index.ts';
import { DocumentFrequencyCache } from './document-frequency-cache.ts';
import { listColumn, PASSAGE_COLUMNS, rowsFromArrow, VECTOR_COLUMNS } from './passage-rows.ts';
import { filterPredicate, isIn, literal, sharesAny } from './predicates.ts';
import { splitIdentifiers } from './split-identifiers.ts';
import { stored } from './storage-errors.ts';

/** Weight of a word in the text against the same word among names and identifier parts. */
const TEXT_BOOSTS = [2, 1];
const TEXT_COLUMNS = ['text', 'identifiers'];
/** How many partitions of the vector index are searched, and how many candidates per result are compared exactly. */
const PROBES = 20;
const REFINE = 10;
/** Rows that share a key are ranked by how many they share; of a key that is everywhere only these many are looked at. */
const MOST_KEY_MATCHES = 2_000;
/** A term found in more passages than this is common; how common does not matter any more. */
const MOST_COUNTED = 20_000;
const IDS_PER_QUERY = 500;
const ALL_COLUMNS = [...PASSAGE_COLUMNS, ...VECTOR_COLUMNS];

/** The reading side of one index in LanceDB. */
export class LancePassageIndex implements PassageIndex {
  private readonly table: Table;
  private readonly dimensions: number;
  private readonly frequencies = new DocumentFrequencyCache();
  private readonly coverageNow: () => Promise<IndexCoverage>;

  /** `coverage` is told by whoever writes the index, or counted. */
  constructor(table: Table, dimensions: number, coverage: () => Promise<IndexCoverage>) {
    this.table = table;
    this.dimensions = dimensions;
    this.coverageNow = coverage;
  }

  async textSearch(query: string, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    options.signal?.throwIfAborted();
    const words = [query, ...splitIdentifiers(query)].join(' ').trim();
    if (words === '' || options.limit <= 0) return [];
    const rows = await stored('search by words', async () => {
      const search = this.table.query().fullTextSearch(new MultiMatchQuery(words, TEXT_COLUMNS, { boosts: TEXT_BOOSTS }));
      const predicate = filterPredicate(options.filter);
      if (predicate) search.where(predicate);
      return scored(await search.select([...ALL_COLUMNS, '_score']).limit(options.limit).toArrow(), '_score');
    });
    options.signal?.throwIfAborted();
    return rows;
  }

  async vectorSearch(vector: Float32Array, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    options.signal?.throwIfAborted();
    // Vectors of another model, while an index of that model still answers, cannot be compared.
    if (vector.length !== this.dimensions || options.limit <= 0) return [];
    const rows = await stored('search by meaning', async () => {
      const search: VectorQuery = this.table.query().nearestTo(vector).distanceType('cosine').nprobes(PROBES).refineFactor(REFINE);
      const predicate = filterPredicate(options.filter);
      if (predicate) search.where(predicate);
      return scored(await search.select([...ALL_COLUMNS, '_distance']).limit(options.limit).toArrow(), '_distance');
    });
    options.signal?.throwIfAborted();
    return rows.filter((row) => row.passage.vector).map(({ passage, score }) => ({ passage, score: 1 - score }));
  }

  findByName(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.findByKeys('name_keys', keys, options);
  }

  findLinkingTo(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.findByKeys('link_keys', keys, options);
  }

  /** First who matches how much (ids and keys only), then the best rows. */
  private async findByKeys(column: 'name_keys' | 'link_keys', keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    options.signal?.throwIfAborted();
    if (keys.length === 0 || options.limit <= 0) return [];
    const predicate = [sharesAny(column, keys), filterPredicate(options.filter)].filter(Boolean).join(' AND ');
    const wanted = new Set(keys);
    const matches = await stored('follow links', async () => {
      const found = await this.table.query().where(predicate).select(['id', column]).limit(MOST_KEY_MATCHES).toArrow();
      const ids = found.getChild('id');
      const shared = listColumn(found, column).map((all) => all.filter((key) => wanted.has(key)).length);
      return shared.map((score, i) => ({ id: String(ids?.get(i)), score }));
    });
    options.signal?.throwIfAborted();
    // Ties go by id, so that the same index gives the same list whatever order its rows were written in.
    matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    const best = matches.slice(0, options.limit);
    const passages = new Map((await this.get(best.map((match) => match.id))).map((passage) => [passage.id, passage]));
    return best.flatMap(({ id, score }) => {
      const passage = passages.get(id);
      return passage ? [{ passage, score }] : [];
    });
  }

  async get(ids: readonly string[]): Promise<IndexedPassage[]> {
    const found = new Map<string, IndexedPassage>();
    for (let i = 0; i < ids.length; i += IDS_PER_QUERY) {
      for (const passage of await this.where(isIn('id', ids.slice(i, i + IDS_PER_QUERY)))) found.set(passage.id, passage);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async passagesOf(path: string): Promise<IndexedPassage[]> {
    const passages = await this.where(`path = ${literal(path)}`);
    return passages.sort((a, b) => a.startLine - b.startLine || (a.startColumn ?? 0) - (b.startColumn ?? 0));
  }

  private async where(predicate: string): Promise<IndexedPassage[]> {
    return stored('read passages', async () =>
      rowsFromArrow(await this.table.query().where(predicate).select(ALL_COLUMNS).toArrow()).map((row) => row.passage),
    );
  }

  async documentFrequencies(terms: readonly string[]): Promise<{ total: number; frequencies: number[] }> {
    const total = await stored('count passages', () => this.table.countRows());
    const frequencies = await Promise.all(terms.map((term) => this.frequencies.get(term, total, () => this.countTerm(term))));
    return { total, frequencies: frequencies.map((count) => Math.min(count, total)) };
  }

  /** Passages that the full-text index finds for a term; the larger of its two columns when only one of them is exact. */
  private async countTerm(term: string): Promise<number> {
    const counts = await Promise.all(
      TEXT_COLUMNS.map((column) =>
        stored('count a term', async () => {
          const found = await this.table.query().fullTextSearch(new MatchQuery(term, column)).select(['_score']).limit(MOST_COUNTED).toArrow();
          return found.numRows;
        }),
      ),
    );
    return Math.max(...counts);
  }

  coverage(): Promise<IndexCoverage> {
    return this.coverageNow();
  }
}

function scored(table: Parameters<typeof rowsFromArrow>[0], scoreColumn: '_score' | '_distance'): ScoredPassage[] {
  const scores = table.getChild(scoreColumn);
  return rowsFromArrow(table).map(({ passage }, i) => ({ passage, score: Number(scores?.get(i) ?? 0) }));
}
