import type { Table } from '@lancedb/lancedb';
import { Field, Schema, Utf8 } from 'apache-arrow';
import { slicesOf } from '#base';
import { type FileCause, keptCause } from '../domain/file-cause.ts';
import type { SkipReason, SourceFile } from '../domain/source-file.ts';
import { arrowTable, fileSchema, textAt, keptVectorSchema } from './schema.ts';
import { IDS_PER_QUERY, isIn, literal, put, tidy } from './lance-connection.ts';
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

/**
 * The records of files. They are written after the passages they speak of, so a kill in between costs a reading, never
 * a passage.
 */
export class FileTable {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async all(): Promise<FileRecord[]> {
    return stored('read its list of files', async () => {
      const rows = await this.#table.query().toArrow();
      const column = (name: string) => rows.getChild(name);
      const text = (name: string, i: number): string => textAt(column(name), i);
      return Array.from({ length: rows.numRows }, (_, i): FileRecord => {
        const detail: unknown = column('detail')?.get(i);
        const stamp = text('stamp', i);
        const skipped = column('skipped')?.get(i) === true;
        return {
          uri: text('uri', i),
          path: text('path', i),
          rootUri: text('root_uri', i),
          size: Number(column('size')?.get(i)),
          mtimeMs: Number(column('mtime_ms')?.get(i)),
          ...(stamp !== '' && { stamp }),
          hash: text('hash', i),
          language: text('language', i),
          passages: Number(column('passages')?.get(i)),
          digest: text('digest', i),
          ...(skipped
            ? { skip: { reason: text('skip_reason', i) as SkipReason, why: keptCause(String(detail)) } }
            : {}),
          ...(!skipped && typeof detail === 'string' ? { fallback: keptCause(detail) } : {}),
        };
      });
    });
  }

  /** Adds or replaces records by uri. */
  async put(records: readonly FileRecord[]): Promise<void> {
    for (const slice of slicesOf(records, RECORDS_PER_COMMIT)) {
      await stored('write its list of files', () =>
        put(
          this.#table,
          'uri',
          arrowTable(fileSchema, {
            uri: slice.map((r) => r.uri),
            path: slice.map((r) => r.path),
            root_uri: slice.map((r) => r.rootUri),
            size: slice.map((r) => r.size),
            mtime_ms: slice.map((r) => r.mtimeMs),
            stamp: slice.map((r) => r.stamp ?? ''),
            hash: slice.map((r) => r.hash),
            language: slice.map((r) => r.language),
            passages: slice.map((r) => r.passages),
            digest: slice.map((r) => r.digest),
            skipped: slice.map((r) => r.skip !== undefined),
            skip_reason: slice.map((r) => r.skip?.reason ?? null),
            detail: slice.map(({ skip, fallback }) => keptAs(skip?.why ?? fallback)),
          }),
        ),
      );
    }
  }

  async remove(uris: readonly string[]): Promise<void> {
    for (const slice of slicesOf(uris, IDS_PER_QUERY))
      await stored('shorten its list of files', () => this.#table.delete(isIn('uri', slice)));
  }

  count(): Promise<number> {
    return stored('count files', () => this.#table.countRows('skipped = false'));
  }

  async optimize(now: number): Promise<void> {
    await stored('tidy its list of files', () => tidy(this.#table, now));
  }
}

const keptAs = (why: FileCause | undefined): string | null => (why ? JSON.stringify(why) : null);

export const metaSchema = new Schema([new Field('key', new Utf8(), false), new Field('value', new Utf8(), false)]);

/**
 * `links`: hash of the paths that all links were last resolved against. `roots`: addresses of the folders that the
 * build is of, as JSON. `words-only`: number of passages that get no vector. `program`: the version that read the files last.
 */
export type MetaKey = 'links' | 'roots' | 'words-only' | 'program';

/** Small facts about a build. */
export class MetaTable {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(key: MetaKey): Promise<string | undefined> {
    const rows = await stored('read its notes', () =>
      this.#table
        .query()
        .where(`key = ${literal(key)}`)
        .toArrow(),
    );
    const value: unknown = rows.getChild('value')?.get(0);
    return typeof value === 'string' ? value : undefined;
  }

  async set(key: MetaKey, value: string): Promise<void> {
    const row = arrowTable(metaSchema, { key: [key], value: [value] });
    await stored('write its notes', () => put(this.#table, 'key', row));
  }

  async optimize(now: number): Promise<void> {
    await stored('tidy its notes', () => tidy(this.#table, now));
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
        const times = (await this.#table.query().select(['kept_at']).toArrow()).getChild('kept_at');
        const sorted = Float64Array.from(times?.toArray() as Float64Array).sort();
        const threshold = sorted[sorted.length - MOST_KEPT_VECTORS / 2] ?? 0;
        await this.#table.delete(`kept_at < ${threshold}`);
        // Everything may have been kept in one moment: then age does not tell them apart, and all of them go.
        if ((await this.#table.countRows()) > MOST_KEPT_VECTORS) await this.#table.delete('true');
      }
      await tidy(this.#table, this.#now());
    });
  }
}
