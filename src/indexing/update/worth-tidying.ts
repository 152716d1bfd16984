import { MOST_UNINDEXED_TEXTS } from '../store/table-indices.ts';

/** A table is tidied when its versions are more than one per so many passages: a quarter of a thousand, or some eighty edits, for 128,000. */
const PASSAGES_PER_VERSION = 500;

/** True when so much was written since the last time that searches feel it: a large table is dear to rewrite, and bears more versions than a small one. */
export function isWorthTidying(table: { passages: number; versions: number; unindexedTexts: number }): boolean {
  return table.versions > table.passages / PASSAGES_PER_VERSION || table.unindexedTexts > MOST_UNINDEXED_TEXTS;
}
