import type { PassageRow } from '../store/passage-rows.ts';
import type { RowChanges } from '../store/passage-table.ts';

/** So many rows are deleted by their ids; in a batch of more, files are replaced as a whole. */
const MOST_GONE = 500;

/**
 * What is to be written so that of these files the table holds `rows` instead of `before`. Rows that stay as they are are left alone, because
 * each one that is written anew is outside the full-text index until the next tidy-up.
 */
export function compareRows(before: readonly PassageRow[], rows: readonly PassageRow[]): RowChanges {
  const now = new Set(rows.map(({ passage }) => passage.id));
  const gone = before.filter(({ passage }) => !now.has(passage.id));
  if (gone.length > MOST_GONE) return { written: rows, gone: [], goneFiles: [...new Set(before.map(({ passage }) => passage.uri))] };
  const known = new Map(before.map((row) => [row.passage.id, row]));
  const written = rows.filter((row) => {
    const old = known.get(row.passage.id);
    return old === undefined || !isSame(old, row);
  });
  return { written, gone: gone.map(({ passage }) => passage.id), goneFiles: [] };
}

/** For rows of one id, and so of one place, title and text. */
function isSame({ passage: a }: PassageRow, { passage: b }: PassageRow): boolean {
  return a.path === b.path && a.endLine === b.endLine && a.endColumn === b.endColumn && a.page === b.page && a.kind === b.kind && a.language === b.language
    && a.title === b.title && a.text === b.text && JSON.stringify(a.links) === JSON.stringify(b.links);
}
