import { Index, type IndexStatistics, type Table } from '@lancedb/lancedb';
import { stored } from './storage-errors.ts';

/** Below this, comparing all vectors is as fast as an index and exact. */
const VECTOR_INDEX_FROM = 50_000;
/**
 * Rows outside the full-text index are read word by word by each query, 0.15 ms for a row of 200 words: so many cost 75
 * ms.
 */
export const MOST_UNINDEXED_TEXTS = 500;
const MOST_UNINDEXED_VECTORS = 20_000;

/**
 * `icu/split` parts words at punctuation and underscores as `simple` does, and finds the words of Chinese, Japanese and
 * Korean.
 */
const fullText = (): Index =>
  Index.fts({
    baseTokenizer: 'icu/split',
    language: 'English',
    stem: true,
    removeStopWords: true,
    asciiFolding: true,
    lowercase: true,
    withPosition: false,
    maxTokenLength: 64,
  });

/** Parts are written as they are searched for. */
const parts = (): Index =>
  Index.fts({
    baseTokenizer: 'whitespace',
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    lowercase: false,
    withPosition: false,
  });

/** Columns that are searched by words. */
export const TEXT_COLUMNS = ['text', 'identifiers'] as const;
/** The column that is searched by parts of words. */
export const PARTS_COLUMN = 'parts';
/** Columns that are searched by keys: what a passage is called, and what it links to. */
const KEY_COLUMNS = ['name_keys', 'link_keys'] as const;
export type KeyColumn = (typeof KEY_COLUMNS)[number];
const TEXT_INDICES: readonly [column: string, config: () => Index][] = [
  ...TEXT_COLUMNS.map((column): [string, () => Index] => [column, fullText]),
  [PARTS_COLUMN, parts],
];
const SCALAR_INDICES: readonly [column: string, config: () => Index][] = [
  ['id', Index.btree],
  ['uri', Index.btree],
  ['path', Index.btree],
  ['content_hash', Index.btree],
  ...KEY_COLUMNS.map((column): [column: string, config: () => Index] => [column, Index.labelList]),
];

/** Makes the indices that queries need, on a table without rows. */
export async function createIndices(table: Table): Promise<void> {
  const present = new Set(
    (await stored('list its search indices', () => table.listIndices())).flatMap((index) => index.columns),
  );
  for (const [column, config] of [...TEXT_INDICES, ...SCALAR_INDICES]) {
    if (!present.has(column)) await build(table, column, config());
  }
}

/** Rows that a full-text query must read one by one. */
export async function unindexedTexts(table: Table): Promise<{ indexed: number; unindexed: number }> {
  return counts(await indexStatistics(table, 'text'));
}

/** Rows outside the full-text index are scored a little differently: at the end of an update few may be left. */
const LEFT_SHARE = 0.05;
/** An edit of so many rows is not worth building an index for. */
const LEFT_ROWS = 8;

/**
 * Builds text and key indices anew when enough rows came since. On the way each doubling once, so that all builds
 * together cost two of the last one.
 */
export async function refreshTextIndices(table: Table, finished: boolean): Promise<boolean> {
  const { indexed, unindexed } = await unindexedTexts(table);
  const enough = finished
    ? Math.min(MOST_UNINDEXED_TEXTS, indexed && Math.max(LEFT_ROWS, indexed * LEFT_SHARE))
    : Math.max(2 * MOST_UNINDEXED_TEXTS, indexed);
  if (unindexed <= enough) return false;
  // Keys are found alike in few rows outside their index.
  const scalar = unindexed > MOST_UNINDEXED_TEXTS ? SCALAR_INDICES : [];
  for (const [column, config] of [...TEXT_INDICES, ...scalar]) await build(table, column, config());
  return true;
}

/** Builds the vector index when the table has outgrown exact search, and again when many vectors are outside it. */
export async function refreshVectorIndex(table: Table, embedded: number): Promise<boolean> {
  if (embedded < VECTOR_INDEX_FROM) return false;
  const { indexed, unindexed } = counts(await indexStatistics(table, 'vector'));
  if (indexed > 0 && unindexed < Math.max(MOST_UNINDEXED_VECTORS, indexed)) return false;
  await build(table, 'vector', Index.ivfRq({ distanceType: 'cosine' }));
  return true;
}

function build(table: Table, column: string, config: Index): Promise<void> {
  return stored(`build its search index of ${column}`, () => table.createIndex(column, { config, replace: true }));
}

/** How far the index of a column reaches; undefined where there is none. */
function indexStatistics(table: Table, column: string): Promise<IndexStatistics | undefined> {
  return stored('read its statistics', () => table.indexStats(`${column}_idx`));
}

function counts(stats: IndexStatistics | undefined): { indexed: number; unindexed: number } {
  return { indexed: stats?.numIndexedRows ?? 0, unindexed: stats?.numUnindexedRows ?? 0 };
}

/** Commits after which old versions are dropped and small fragments joined. */
const MOST_VERSIONS = 60;
const MOST_SMALL_FRAGMENTS = 60;

/**
 * A table is tidied when its versions are more than one per so many passages: a quarter of a thousand, or some eighty
 * edits, for 128,000.
 */
const PASSAGES_PER_VERSION = 500;

/**
 * True when so much was written since the last time that searches feel it: a large table is dear to rewrite, and bears
 * more versions than a small one.
 */
export function isWorthTidying(table: { passages: number; versions: number; unindexedTexts: number }): boolean {
  return table.versions > table.passages / PASSAGES_PER_VERSION || table.unindexedTexts > MOST_UNINDEXED_TEXTS;
}

/**
 * True when a compaction is worth its price (it rewrites nearly everything): many versions or fragments have piled up
 * for a table of so many passages, or many rows are outside the full-text index.
 */
export async function needsCompaction(table: Table, passages: number): Promise<boolean> {
  const [stats, versions, texts] = await stored('read its statistics', () =>
    Promise.all([table.stats(), table.listVersions(), unindexedTexts(table)]),
  );
  const { unindexed } = texts;
  const piledUp =
    versions.length > MOST_VERSIONS ||
    stats.fragmentStats.numSmallFragments > MOST_SMALL_FRAGMENTS ||
    unindexed > MOST_UNINDEXED_TEXTS;
  return piledUp && isWorthTidying({ passages, versions: versions.length, unindexedTexts: unindexed });
}
