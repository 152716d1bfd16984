import type { Table } from '@lancedb/lancedb';
import { Field, Schema, Utf8 } from 'apache-arrow';
import { slicesOf } from '#base';
import { type FileCause, keptCause } from '../domain/file-cause.ts';
import type { SkipReason, SourceFile } from '../domain/source-file.ts';
import { arrowTable, type ColumnValues, fileSchema, keptVectorSchema, rowsOf } from './schema.ts';
import { IDS_PER_QUERY, isIn, put, tidy } from './lance-connection.ts';
import { stored } from './storage-errors.ts';
import { vectorChecksum, vectorsIn } from './passage-rows.ts';

/** What the index remembers of a file, so that an unchanged one is not read again. */
export interface FileRecord extends SourceFile {
  /** Hash of the bytes; '' when they were not read to the end. */
  hash: string;
  language: string;
  passages: number;
  /** See idsDigest: of the file's passages as they were written. */
  digest: string;
  /** Set when what is in the file is the reason that it gave no passages. */
  skip?: { reason: SkipReason; why: FileCause };
  /** Why the file was read as text blocks. */
  fallback?: FileCause;
}

/** Rows per commit. */
const RECORDS_PER_COMMIT = 5_000;

/** A record as its row; `stamp` is '' where there is none. */
interface FileRow extends Omit<FileRecord, 'rootUri' | 'mtimeMs' | 'skip' | 'fallback'> {
  root_uri: string;
  mtime_ms: number;
  skipped: boolean;
  skip_reason: string | null;
  detail: string | null;
}

/**
 * The records of files. They are written after the passages they speak of, so a kill in between costs a reading, never
 * a passage.
 */
export class FileTable {
  readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  async all(): Promise<FileRecord[]> {
    const rows = await stored('read its list of files', () => this.table.query().toArrow());
    return rowsOf<FileRow>(rows).map((row) => {
      const { root_uri: rootUri, mtime_ms: mtimeMs, stamp, skipped, skip_reason: reason, detail, ...rest } = row;
      return {
        ...rest,
        rootUri,
        mtimeMs,
        ...(stamp !== '' && { stamp }),
        ...(skipped && { skip: { reason: reason as SkipReason, why: keptCause(String(detail)) } }),
        ...(!skipped && detail !== null && { fallback: keptCause(detail) }),
      };
    });
  }

  /** Adds or replaces records by uri. */
  async put(records: readonly FileRecord[]): Promise<void> {
    for (const slice of slicesOf(records, RECORDS_PER_COMMIT)) {
      const rows = slice.map(({ skip, fallback, rootUri, mtimeMs, stamp = '', ...record }): FileRow => {
        const why = skip?.why ?? fallback;
        return {
          ...record,
          root_uri: rootUri,
          mtime_ms: mtimeMs,
          stamp,
          skipped: skip !== undefined,
          skip_reason: skip?.reason ?? null,
          detail: why ? JSON.stringify(why) : null,
        };
      });
      const columns = fileSchema.fields.map(({ name }) => [name, rows.map((row) => row[name as keyof FileRow])]);
      const table = arrowTable(fileSchema, Object.fromEntries(columns) as Record<string, ColumnValues>);
      await stored('write its list of files', () => put(this.table, 'uri', table));
    }
  }

  async remove(uris: readonly string[]): Promise<void> {
    for (const slice of slicesOf(uris, IDS_PER_QUERY))
      await stored('shorten its list of files', () => this.table.delete(isIn('uri', slice)));
  }

  count(): Promise<number> {
    return stored('count files', () => this.table.countRows('skipped = false'));
  }
}

export const metaSchema = new Schema([new Field('key', new Utf8(), false), new Field('value', new Utf8(), false)]);

/**
 * `links`: hash of the paths that all links were last resolved against. `roots`: addresses of the folders that the
 * build is of, as JSON. `words-only`: number of passages that get no vector. `program`: the version that read the files
 * last.
 */
export type MetaKey = 'links' | 'roots' | 'words-only' | 'program';

/** Small facts about a build. */
export class MetaTable {
  readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  async get(key: MetaKey): Promise<string | undefined> {
    const noted = this.table.query().where(isIn('key', [key]));
    const rows = await stored('read its notes', () => noted.toArrow());
    return rowsOf<{ value: string }>(rows)[0]?.value;
  }

  async set(key: MetaKey, value: string): Promise<void> {
    const row = arrowTable(metaSchema, { key: [key], value: [value] });
    await stored('write its notes', () => put(this.table, 'key', row));
  }
}

/** Most vectors that are kept for passages that are gone: 20,000 × 384 floats are 31 MB. */
const MOST_KEPT_VECTORS = 20_000;

/**
 * Vectors of deleted passages by content hash, for the file that comes back under another name. Losing them costs time
 * only.
 */
export class KeptVectors {
  readonly #table: Table;
  readonly #dimensions: number;
  readonly #now: () => number;

  constructor(table: Table, dimensions: number, now: () => number) {
    this.#table = table;
    this.#dimensions = dimensions;
    this.#now = now;
  }

  /** By content hash; what is kept already is not kept twice. */
  async keep(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    const known = await this.find([...vectors.keys()]);
    const entries = [...vectors].filter(([hash]) => !known.has(hash));
    if (entries.length === 0) return;
    await stored('keep vectors', () =>
      this.#table.add(
        arrowTable(keptVectorSchema(this.#dimensions), {
          content_hash: entries.map(([hash]) => hash),
          vector: entries.map(([, vector]) => vector),
          vector_checksum: entries.map(([hash, vector]) => vectorChecksum(vector, hash)),
          kept_at: entries.map(() => this.#now()),
        }),
      ),
    );
  }

  /** Those of the hashes that are kept; see vectorsIn. */
  find(contentHashes: readonly string[]): Promise<Map<string, Float32Array>> {
    return stored('look up kept vectors', () => vectorsIn(this.#table, contentHashes));
  }

  count(): Promise<number> {
    return stored('count kept vectors', () => this.#table.countRows());
  }

  /** Drops the older half when there are too many, and the space of all that was dropped before. */
  async trim(): Promise<void> {
    await stored('drop old vectors', async () => {
      if ((await this.#table.countRows()) > MOST_KEPT_VECTORS) {
        const rows = rowsOf<{ kept_at: number }>(await this.#table.query().select(['kept_at']).toArrow());
        const sorted = Float64Array.from(rows, (row) => row.kept_at).sort();
        const threshold = sorted[sorted.length - MOST_KEPT_VECTORS / 2] ?? 0;
        await this.#table.delete(`kept_at < ${threshold}`);
        // Everything may have been kept in one moment: then age does not tell them apart, and all of them go.
        if ((await this.#table.countRows()) > MOST_KEPT_VECTORS) await this.#table.delete('true');
      }
    });
    await tidy(this.#table, this.#now());
  }
}
