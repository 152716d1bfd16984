import type { FileReport } from '../../model/index-state.ts';
import type { SkippedFile } from '../../model/source-file.ts';
import type { FileRecord } from '../store/file-table.ts';

/** The report on these records and on what a crawl left out; `complete` is false when that is not all that was left out. */
export function reportOnFiles(records: Iterable<FileRecord>, crawl: { leftOut: Iterable<SkippedFile>; complete: boolean }): FileReport {
  const skipped = new Map<string, SkippedFile>();
  for (const file of crawl.leftOut) skipped.set(file.path, file);
  const read: FileRecord[] = [];
  for (const record of records) {
    if (record.skip) skipped.set(record.path, { path: record.path, ...record.skip });
    else read.push(record);
  }
  read.sort(byPath);
  return {
    files: read.map(({ path, language, passages }) => ({ path, language, passages })),
    skipped: [...skipped.values()].sort(byPath),
    ...(crawl.complete ? {} : { skippedKnown: false as const }),
    fallbacks: read.flatMap(({ path, fallback }) => (fallback === undefined ? [] : [{ path, reason: fallback }])),
  };
}

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
