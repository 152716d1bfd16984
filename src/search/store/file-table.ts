import type { Table } from '@lancedb/lancedb';
import type { SkipReason, SourceFile } from '../domain/source-file.ts';
import { arrowTable, fileSchema, textAt } from './schema.ts';
import { isIn } from './lance-connection.ts';
import { stored } from './storage-errors.ts';

/** What the index remembers of a file, so that an unchanged one is not read again. */
export interface FileRecord extends SourceFile {
  /** Hash of the bytes; '' when they were not read to the end. */
  hash: string;
  language: string;
  passages: number;
  /** See idsDigest: of the file's passages as they were written. */
  digest: string;
  /** Set when what is in the file is the reason that it gave no passages. */
  skip?: { reason: SkipReason; detail: string };
  /** Why the file was read as text blocks. */
  fallback?: string;
}

/** Rows per commit. */
const RECORDS_PER_COMMIT = 5_000;

/**
 * The records of files. They are written after the passages they speak of, so a kill in between costs a reading, never
 * a passage.
 */
export class FileTable {
  private readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  async all(): Promise<FileRecord[]> {
    return stored('read its list of files', async () => {
      const rows = await this.table.query().toArrow();
      const column = (name: string) => rows.getChild(name);
      const text = (name: string, i: number): string => {
        const values = column(name);
        return values ? textAt(values, i) : '';
      };
      return Array.from({ length: rows.numRows }, (_, i): FileRecord => {
        const detail: unknown = column('detail')?.get(i);
        const skipped = column('skipped')?.get(i) === true;
        return {
          uri: text('uri', i),
          path: text('path', i),
          rootUri: text('root_uri', i),
          size: Number(column('size')?.get(i)),
          mtimeMs: Number(column('mtime_ms')?.get(i)),
          hash: text('hash', i),
          language: text('language', i),
          passages: Number(column('passages')?.get(i)),
          digest: text('digest', i),
          ...(skipped ? { skip: { reason: text('skip_reason', i) as SkipReason, detail: String(detail) } } : {}),
          ...(!skipped && typeof detail === 'string' ? { fallback: detail } : {}),
        };
      });
    });
  }

  /** Adds or replaces records by uri. */
  async put(records: readonly FileRecord[]): Promise<void> {
    for (let i = 0; i < records.length; i += RECORDS_PER_COMMIT) {
      const slice = records.slice(i, i + RECORDS_PER_COMMIT);
      await stored('write its list of files', () =>
        this.table
          .mergeInsert('uri')
          .whenMatchedUpdateAll()
          .whenNotMatchedInsertAll()
          .execute(
            arrowTable(fileSchema, {
              uri: slice.map((r) => r.uri),
              path: slice.map((r) => r.path),
              root_uri: slice.map((r) => r.rootUri),
              size: slice.map((r) => r.size),
              mtime_ms: slice.map((r) => r.mtimeMs),
              hash: slice.map((r) => r.hash),
              language: slice.map((r) => r.language),
              passages: slice.map((r) => r.passages),
              digest: slice.map((r) => r.digest),
              skipped: slice.map((r) => r.skip !== undefined),
              skip_reason: slice.map((r) => r.skip?.reason ?? null),
              detail: slice.map((r) => r.skip?.detail ?? r.fallback ?? null),
            }),
          ),
      );
    }
  }

  async remove(uris: readonly string[]): Promise<void> {
    for (let i = 0; i < uris.length; i += 500) {
      const slice = uris.slice(i, i + 500);
      await stored('shorten its list of files', () => this.table.delete(isIn('uri', slice)));
    }
  }

  count(): Promise<number> {
    return stored('count files', () => this.table.countRows('skipped = false'));
  }

  /** A number that changes whenever the table changes. */
  version(): Promise<number> {
    return stored('read the version of its list of files', () => this.table.version());
  }

  async optimize(now: number): Promise<void> {
    await stored('tidy its list of files', () => this.table.optimize({ cleanupOlderThan: new Date(now - 5_000) }));
  }
}
