import type { Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { RankedPassage } from './passage-index.ts';
import { REF_COLUMNS, refOf, type RefRow } from './passage-rows.ts';
import { rowsOf } from './schema.ts';
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

/**
 * The best rows of a search, equally good ones by id, so that two indexes of the same passages give the same list in
 * whatever order their rows were written. `search` selects REF_COLUMNS; it is made anew, for more rows, where the last
 * of the wanted ones is as good as the last one read. Rejects on abort.
 * @param what Done, in the words of an error
 */
export async function bestRows<Row extends RefRow>(
  what: string,
  { limit, signal }: { limit: number; signal?: AbortSignal },
  scoreOf: (row: Row) => number,
  search: () => Query | VectorQuery,
): Promise<RankedPassage[]> {
  for (let most = limit + SPARE; ; most = Math.min(MOST, most * 4)) {
    const table = await stored(what, () => search().withRowId().limit(most).toArrow());
    signal?.throwIfAborted();
    const all = rowsOf<Row>(table).map((row) => ({ passage: refOf(row), score: scoreOf(row) }));
    all.sort(bestFirst);
    const [lastWanted, lastRead] = [all[limit - 1], all.at(-1)];
    const settled = all.length < most || !lastWanted || !lastRead || lastRead.score < lastWanted.score;
    if (settled || most >= MOST) return all.slice(0, limit);
  }
}

/** Ties go by id, so that the same index gives the same list whatever order its rows were written in. */
export const bestFirst = (a: RankedPassage, b: RankedPassage): number =>
  b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1);

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

/** So many matches are all looked at. */
const MOST_MATCHES = 2_000;

/**
 * Passages that have any of some keys, with how many, in no particular order. Which of them are looked at never depends
 * on the order in which rows were written: all while there are at most 2,000. Otherwise some keys are everywhere (the
 * title of a handbook, say): then all matches of the rarer keys, and where those are fewer than `wanted`, 2,000 of the
 * others, by id.
 * @param filter A predicate that all rows must meet as well.
 */
export async function keyMatches(
  table: Table,
  column: KeyColumn,
  asked: readonly string[],
  filter: string | undefined,
  wanted: number,
): Promise<RankedPassage[]> {
  const keys = new Set(asked);
  const predicate = (some: readonly string[]): string =>
    [sharesAny(column, some), filter].filter(Boolean).join(' AND ');
  const having = (some: readonly string[]): Query =>
    table
      .query()
      .where(predicate(some))
      .select([...REF_COLUMNS, column])
      .withRowId();
  const read = async (query: Query): Promise<RankedPassage[]> =>
    rowsOf<RefRow & { [C in KeyColumn]: string[] }>(await query.toArrow()).map((row) => ({
      passage: refOf(row),
      score: row[column].filter((key) => keys.has(key)).length,
    }));

  const all = await read(having([...keys]).limit(MOST_MATCHES + 1));
  if (all.length <= MOST_MATCHES) return all;
  const counted = await Promise.all(
    [...keys].map(async (key) => ({ key, matches: await table.countRows(predicate([key])) })),
  );
  counted.sort((a, b) => a.matches - b.matches || (a.key < b.key ? -1 : 1));
  let together = 0;
  const rare = counted.filter(({ matches }) => (together += matches) <= MOST_MATCHES).map(({ key }) => key);
  const found = rare.length === 0 ? [] : await read(having(rare));
  if (found.length >= wanted) return found;
  const known = new Set(found.map(({ passage }) => passage.id));
  const common = counted.slice(rare.length).map(({ key }) => key);
  const others = await read(having(common).orderBy({ columnName: 'id' }).limit(MOST_MATCHES));
  return [...found, ...others.filter(({ passage }) => !known.has(passage.id))];
}
