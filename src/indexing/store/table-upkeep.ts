import type { Table } from '@lancedb/lancedb';
import { stored } from './storage-errors.ts';
import { MOST_UNINDEXED_TEXTS, unindexedTexts } from './table-indices.ts';

/** Commits after which old versions are dropped and small fragments joined. */
const MOST_VERSIONS = 60;
const MOST_SMALL_FRAGMENTS = 60;

/** A table is tidied when its versions are more than one per so many passages: a quarter of a thousand, or some eighty edits, for 128,000. */
const PASSAGES_PER_VERSION = 500;

/** True when so much was written since the last time that searches feel it: a large table is dear to rewrite, and bears more versions than a small one. */
export function isWorthTidying(table: { passages: number; versions: number; unindexedTexts: number }): boolean {
  return table.versions > table.passages / PASSAGES_PER_VERSION || table.unindexedTexts > MOST_UNINDEXED_TEXTS;
}

/**
 * True when a compaction is worth its price (it rewrites nearly everything): many versions or fragments have piled up for a table of so many
 * passages, or many rows are outside the full-text index.
 */
export async function needsCompaction(table: Table, passages: number): Promise<boolean> {
  const [stats, versions, texts] = await stored('read its statistics', () =>
    Promise.all([table.stats(), table.listVersions(), unindexedTexts(table)]),
  );
  const { unindexed } = texts;
  const piledUp = versions.length > MOST_VERSIONS || stats.fragmentStats.numSmallFragments > MOST_SMALL_FRAGMENTS || unindexed > MOST_UNINDEXED_TEXTS;
  return piledUp && isWorthTidying({ passages, versions: versions.length, unindexedTexts: unindexed });
}

/**
 * Joins fragments, brings all indices up to date, and drops every version but the last. Queries go on meanwhile: versions of the
 * last seconds are left for the ones that have just begun.
 */
export async function compact(table: Table, now: number): Promise<void> {
  await stored('tidy up', () => table.optimize({ cleanupOlderThan: new Date(now - 5_000) }));
}
