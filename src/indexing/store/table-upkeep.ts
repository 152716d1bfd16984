import type { Table } from '@lancedb/lancedb';
import { stored } from './storage-errors.ts';
import { MOST_UNINDEXED_TEXTS, unindexedTexts } from './table-indices.ts';

/** Commits after which old versions are dropped and small fragments joined. */
const MOST_VERSIONS = 60;
const MOST_SMALL_FRAGMENTS = 60;

/**
 * True when a compaction is worth its price (it rewrites nearly everything): many versions or fragments have piled up, or many
 * rows are outside the full-text index.
 */
export async function needsCompaction(table: Table): Promise<boolean> {
  const [stats, versions, texts] = await stored('read its statistics', () =>
    Promise.all([table.stats(), table.listVersions(), unindexedTexts(table)]),
  );
  return versions.length > MOST_VERSIONS || stats.fragmentStats.numSmallFragments > MOST_SMALL_FRAGMENTS || texts.unindexed > MOST_UNINDEXED_TEXTS;
}

/**
 * Joins fragments, brings all indices up to date, and drops every version but the last. Queries go on meanwhile: versions of the
 * last seconds are left for the ones that have just begun.
 */
export async function compact(table: Table, now: number): Promise<void> {
  await stored('tidy up', () => table.optimize({ cleanupOlderThan: new Date(now - 5_000) }));
}
