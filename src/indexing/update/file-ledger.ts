import { createHash } from 'node:crypto';
import type { FileRecord } from '../store/file-table.ts';
import type { IndexStore } from '../store/index-store.ts';

/**
 * What the writer knows of the files in the index. Loaded once and compared with the passages themselves: a record is believed only
 * when the passages agree with it, so that whatever a kill left behind is read again.
 */
export class FileLedger {
  private readonly records = new Map<string, FileRecord>();
  /** Files that have passages in the table, with a record or without. */
  private readonly withRows = new Set<string>();
  private total = 0;

  static async load(store: IndexStore): Promise<FileLedger> {
    const ledger = new FileLedger();
    const [records, summaries] = await Promise.all([store.files.all(), store.passages.fileSummaries()]);
    for (const uri of summaries.keys()) ledger.withRows.add(uri);
    for (const record of records) {
      const found = summaries.get(record.uri);
      const agrees = found ? found.hash === record.hash && found.passages === record.passages : record.passages === 0;
      if (agrees) ledger.put(record);
    }
    return ledger;
  }

  get(uri: string): FileRecord | undefined {
    return this.records.get(uri);
  }

  put(record: FileRecord): void {
    this.total += record.passages - (this.records.get(record.uri)?.passages ?? 0);
    this.records.set(record.uri, record);
    if (record.passages > 0) this.withRows.add(record.uri);
    else this.withRows.delete(record.uri);
  }

  delete(uri: string): void {
    this.total -= this.records.get(uri)?.passages ?? 0;
    this.records.delete(uri);
    this.withRows.delete(uri);
  }

  /** Notes passages that no file stands behind, so that they go when the folders are read. */
  addRowsOf(uris: Iterable<string>): void {
    for (const uri of uris) this.withRows.add(uri);
  }

  /** True when the table may hold passages of this file. */
  hasRows(uri: string): boolean {
    return this.withRows.has(uri);
  }

  all(): IterableIterator<FileRecord> {
    return this.records.values();
  }

  /** Every file that the index knows or holds rows of. */
  uris(): Set<string> {
    return new Set([...this.records.keys(), ...this.withRows]);
  }

  /** A file itself, and everything below it if it was a folder. */
  urisAtOrBelow(uri: string): string[] {
    const below = uri.endsWith('/') ? uri : `${uri}/`;
    return [...this.uris()].filter((known) => known === uri || known.startsWith(below));
  }

  /** Paths of files that have passages: what links can lead to. */
  indexedPaths(): string[] {
    return [...this.records.values()].filter((record) => !record.skip).map((record) => record.path);
  }

  /** Differs whenever the set of paths that links can lead to differs. */
  pathSetHash(): string {
    return createHash('sha256').update(this.indexedPaths().sort().join('\n')).digest('hex').slice(0, 24);
  }

  /** Files with passages, and passages. */
  get counts(): { files: number; passages: number } {
    let files = 0;
    for (const record of this.records.values()) if (!record.skip) files += 1;
    return { files, passages: this.total };
  }
}
