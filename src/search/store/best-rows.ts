import type { Query, VectorQuery } from '@lancedb/lancedb';
import type { Table } from 'apache-arrow';
import { stored } from './storage-errors.ts';

/** Rows beyond the wanted ones that are looked at, to see whether the last one is as good as the next. */
const SPARE = 16;
/**
 * So many rows are looked at where many are equally good; beyond, which of them are found depends on the order in which
 * they were written.
 */
const MOST = 8_192;

/** Rows of a result and which of them are the best, best first. */
export interface BestRows {
  table: Table;
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
  scoresOf: (table: Table) => readonly number[],
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
