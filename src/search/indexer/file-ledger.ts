import { hashOf } from '#base';
import type { FileRecord } from '../store/file-table.ts';
import type { IndexStore } from '../store/index-store.ts';
import { lyingBelow } from './walked-files.ts';
import type { FileReport, IndexCoverage, IndexReport } from '../domain/index-state.ts';
import type { SkippedFile } from '../domain/source-file.ts';

/**
 * What the writer knows of the files in the index. Loaded once and compared with the passages themselves: a record is
 * believed only when the passages agree with it, so that whatever a kill left behind is read again.
 */
export class FileLedger {
  readonly #records = new Map<string, FileRecord>();
  /** Files that have passages in the table, with a record or without. */
  readonly #withRows = new Set<string>();
  /** Of those with a record: files that are not left out, and passages. Every search asks. */
  #counts = { files: 0, passages: 0 };

  static async load(store: IndexStore): Promise<FileLedger> {
    const ledger = new FileLedger();
    const [records, summaries] = await Promise.all([store.files.all(), store.passages.fileSummaries()]);
    // Rows that are there twice cannot be told apart, and so not replaced: they go, and the file is read again.
    const doubled = [...summaries].filter(([, { repeats }]) => repeats).map(([uri]) => uri);
    await store.passages.change({ written: [], gone: [], goneFiles: doubled });
    for (const uri of doubled) summaries.delete(uri);
    for (const uri of summaries.keys()) ledger.#withRows.add(uri);
    for (const record of records) {
      if ((summaries.get(record.uri)?.digest ?? '') === record.digest) ledger.put(record);
    }
    return ledger;
  }

  get(uri: string): FileRecord | undefined {
    return this.#records.get(uri);
  }

  put(record: FileRecord): void {
    this.#count(this.#records.get(record.uri), -1);
    this.#count(record, 1);
    this.#records.set(record.uri, record);
    if (record.passages > 0) this.#withRows.add(record.uri);
    else this.#withRows.delete(record.uri);
  }

  delete(uri: string): void {
    this.#count(this.#records.get(uri), -1);
    this.#records.delete(uri);
    this.#withRows.delete(uri);
  }

  /** Notes passages that no file stands behind, so that they go when the folders are read. */
  addRowsOf(uris: Iterable<string>): void {
    for (const uri of uris) this.#withRows.add(uri);
  }

  /**
   * Forgets what is recorded of these files, since a write of them may have ended halfway: the next write replaces
   * whatever rows they have.
   */
  distrust(uris: Iterable<string>): void {
    for (const uri of uris) {
      this.delete(uri);
      this.#withRows.add(uri);
    }
  }

  /** True when the table may hold passages of this file. */
  hasRows(uri: string): boolean {
    return this.#withRows.has(uri);
  }

  all(): IterableIterator<FileRecord> {
    return this.#records.values();
  }

  /** Every file that the index knows or holds rows of. */
  uris(): Set<string> {
    return new Set([...this.#records.keys(), ...this.#withRows]);
  }

  /**
   * The files among these URIs, and everything below the others, which may have been folders: one pass over what is
   * known, for all of them.
   */
  atOrBelow(uris: Iterable<string>): Set<string> {
    const found = new Set<string>();
    const folders = new Set<string>();
    for (const uri of uris) {
      if (this.#records.has(uri) || this.#withRows.has(uri)) found.add(uri);
      else folders.add(uri);
    }
    if (folders.size > 0) for (const uri of lyingBelow(this.uris(), folders)) found.add(uri);
    return found;
  }

  /** Paths of files that have passages: what links can lead to. */
  indexedPaths(): string[] {
    return [...this.#records.values()].filter((record) => !record.skip).map((record) => record.path);
  }

  /** Differs whenever the set of paths that links can lead to differs. */
  pathSetHash(): string {
    return hashOf(this.indexedPaths().sort().join('\n'), 24);
  }

  /** Files with passages, and passages. */
  get counts(): { files: number; passages: number } {
    return { ...this.#counts };
  }

  #count(record: FileRecord | undefined, times: 1 | -1): void {
    if (!record) return;
    this.#counts.files += record.skip ? 0 : times;
    this.#counts.passages += times * record.passages;
  }
}

/**
 * The report on these records and on what a crawl left out; `complete` is false when that is not all that was left out.
 */
export function reportOnFiles(
  records: Iterable<FileRecord>,
  crawl: { leftOut: Iterable<SkippedFile>; complete: boolean },
): FileReport {
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
    fallbacks: read.flatMap(({ path, fallback }) => (fallback === undefined ? [] : [{ path, why: fallback }])),
  };
}

/** The report of an update that cost so many inferences and seconds; passages may be gone since they cost one. */
export function reportOfUpdate(
  { files: _, ...leftOut }: FileReport,
  { files, passages }: Pick<IndexCoverage, 'files' | 'passages'>,
  inferences: number,
  seconds: number,
): IndexReport {
  const embedded = Math.min(inferences, passages);
  return { files, ...leftOut, passages, embedded, reused: passages - embedded, seconds };
}

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);

/** What walks left out and why, by path as people see it. */
export class LeftOutFiles {
  #files = new Map<string, SkippedFile>();
  /** False until the folders were walked, or something else took their place. */
  complete = false;

  all(): Iterable<SkippedFile> {
    return this.#files.values();
  }

  /** Everything was walked, and this was left out. */
  walked(leftOut: ReadonlyMap<string, SkippedFile>): void {
    this.#files = new Map(leftOut);
    this.complete = true;
  }

  /**
   * What lies at and below these paths was looked at again, and this was left out. '' is all; undefined is no place of
   * ours.
   */
  lookedAgain(paths: readonly (string | undefined)[], leftOut: ReadonlyMap<string, SkippedFile>): void {
    const places = new Set(paths.flatMap((path) => (path === undefined ? [] : [path.replace(/\/$/, '')])));
    if (places.has('')) this.#files.clear();
    for (const path of [...places, ...lyingBelow(this.#files.keys(), places)]) this.#files.delete(path);
    for (const [path, skipped] of leftOut) this.#files.set(path, skipped);
  }
}
