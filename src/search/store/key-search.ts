import type { Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import type { PassageRef } from './passage-index.ts';
import { listColumn, REF_COLUMNS, refsFromArrow } from './passage-rows.ts';
import { sharesAny } from './lance-connection.ts';
import { stored } from './storage-errors.ts';
import type { KeyColumn } from './table-upkeep.ts';

/** Rows beyond the wanted ones that are looked at, to see whether the last one is as good as the next. */
const SPARE = 16;
/**
 * So many rows are looked at where many are equally good; beyond, which of them are found depends on the order in which
 * they were written.
 */
const MOST = 8_192;

/** Rows of a result and which of them are the best, best first. */
export interface BestRows {
  table: ArrowTable;
  scores: readonly number[];
  order: readonly number[];
}

/**
 * The best rows of a search, equally good ones by id, so that two indexes of the same passages give the same list in
 * whatever order their rows were written. `search` selects an `id`; it is made anew, for more rows, where the
 * last of the wanted ones is as good as the last one read. Rejects on abort.
 * @param what Done, in the words of an error
 */
export async function bestRows(
  what: string,
  { limit, signal }: { limit: number; signal?: AbortSignal },
  scoresOf: (table: ArrowTable) => readonly number[],
  search: () => Query | VectorQuery,
): Promise<BestRows> {
  for (let most = limit + SPARE; ; most = Math.min(MOST, most * 4)) {
    const table = await stored(what, () => search().withRowId().limit(most).toArrow());
    signal?.throwIfAborted();
    const scores = scoresOf(table);
    const column = table.getChild('id');
    const ids = scores.map((_, row) => String(column?.get(row)));
    const score = (row: number): number => scores[row] ?? 0;
    const order = scores
      .map((_, row) => row)
      .sort((a, b) => score(b) - score(a) || ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1));
    const [lastWanted, lastRead] = [order[limit - 1], order.at(-1)];
    const settled =
      table.numRows < most || lastWanted === undefined || lastRead === undefined || score(lastRead) < score(lastWanted);
    if (settled || most >= MOST) return { table, scores, order: order.slice(0, limit) };
  }
}

/** What is made of each of the best rows; those of which nothing is made are left out. */
export const inOrder = <T>({ order, scores }: BestRows, make: (row: number, score: number) => T | undefined): T[] =>
  order.flatMap((row) => make(row, scores[row] ?? 0) ?? []);

const MOST_TERMS = 50_000;
/** Counts are kept until the number of passages has changed by this share: how exact they are. */
const COUNT_TOLERANCE = 0.01;

/** How many passages hold a term, remembered while the index stays about the same size. */
export class DocumentFrequencyCache {
  readonly #counts = new Map<string, Promise<number>>();
  #totalWhenCounted = 0;

  get(term: string, total: number, count: () => Promise<number>): Promise<number> {
    if (
      Math.abs(total - this.#totalWhenCounted) > COUNT_TOLERANCE * this.#totalWhenCounted ||
      this.#counts.size > MOST_TERMS
    ) {
      this.#counts.clear();
      this.#totalWhenCounted = total;
    }
    const known = this.#counts.get(term);
    if (known) return known;
    const counting = count();
    this.#counts.set(term, counting);
    counting.catch(() => this.#counts.delete(term));
    return counting;
  }
}

/** A passage and how many of the keys it has. */
export interface KeyMatch extends PassageRef {
  score: number;
}

/** So many matches are all looked at. */
const MOST_MATCHES = 2_000;

/**
 * Passages that have any of some keys. Which of them are looked at never depends on the order in which rows were
 * written.
 */
export class KeySearch {
  readonly #table: Table;
  readonly #column: KeyColumn;
  readonly #keys: ReadonlySet<string>;
  readonly #filter: string | undefined;

  /** `filter` is a predicate that all rows must meet as well. */
  constructor(table: Table, column: KeyColumn, keys: readonly string[], filter: string | undefined) {
    this.#table = table;
    this.#column = column;
    this.#keys = new Set(keys);
    this.#filter = filter;
  }

  /**
   * All matches while there are at most 2,000. Otherwise some keys are everywhere (the title of a handbook, say): then
   * all matches of the rarer keys, and where those are fewer than `wanted`, 2,000 of the others, by id.
   */
  async matches(wanted: number): Promise<KeyMatch[]> {
    const keys = [...this.#keys];
    const all = await this.#read(this.#having(keys).limit(MOST_MATCHES + 1));
    if (all.length <= MOST_MATCHES) return all;
    const { rare, common } = await this.#byRarity(keys);
    const found = rare.length === 0 ? [] : await this.#read(this.#having(rare));
    if (found.length >= wanted) return found;
    const known = new Set(found.map(({ id }) => id));
    const others = await this.#read(this.#having(common).orderBy({ columnName: 'id' }).limit(MOST_MATCHES));
    return [...found, ...others.filter(({ id }) => !known.has(id))];
  }

  /** The rarest keys, as many as have 2,000 matches together at most, and the others. */
  async #byRarity(keys: readonly string[]): Promise<{ rare: string[]; common: string[] }> {
    const counted = await Promise.all(
      keys.map(async (key) => ({ key, matches: await this.#table.countRows(this.#predicate([key])) })),
    );
    counted.sort((a, b) => a.matches - b.matches || (a.key < b.key ? -1 : 1));
    let together = 0;
    const rare = counted.filter(({ matches }) => (together += matches) <= MOST_MATCHES).map(({ key }) => key);
    return { rare, common: counted.slice(rare.length).map(({ key }) => key) };
  }

  #predicate(keys: readonly string[]): string {
    return [sharesAny(this.#column, keys), this.#filter].filter(Boolean).join(' AND ');
  }

  #having(keys: readonly string[]): Query {
    return this.#table
      .query()
      .where(this.#predicate(keys))
      .select([...REF_COLUMNS, this.#column])
      .withRowId();
  }

  async #read(query: Query): Promise<KeyMatch[]> {
    const found = await query.toArrow();
    const shared = listColumn(found, this.#column).map((all) => all.filter((key) => this.#keys.has(key)).length);
    return refsFromArrow(found).map((passage, i) => ({ ...passage, score: shared[i] ?? 0 }));
  }
}
