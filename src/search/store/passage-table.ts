import { addTo, slicesOf } from '#base';
import type { Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { arrowTable, passageSchema, rowsOf, vectorUpdateSchema } from './schema.ts';
import {
  idsDigest,
  rowsByIds,
  rowsFromArrow,
  rowsToArrow,
  VECTOR_COLUMNS,
  vectorChecksum,
  vectorsIn,
  WRITTEN_COLUMNS,
} from './passage-rows.ts';
import type { IndexedPassage } from './passage-index.ts';
import { IDS_PER_QUERY, isIn, put } from './lance-connection.ts';
import { storageError, stored } from './storage-errors.ts';

/** A passage that waits for its vector. */
export interface PendingPassage {
  id: string;
  contentHash: string;
  /** Of its file. */
  uri: string;
}

/** What the table holds of one file: enough to see whether a record of that file can be believed. */
interface FileSummary {
  /** See idsDigest. */
  digest: string;
  /** True when an id is there twice. */
  repeats: boolean;
}

/** What one commit changes. */
export interface RowChanges {
  /** Rows that are new, or not as they were. */
  written: readonly IndexedPassage[];
  /** Ids of rows that go: a list of a few hundred, because LanceDB's planner is slow with longer ones. */
  gone: readonly string[];
  /** Files of which nothing stays but what is written. */
  goneFiles: readonly string[];
}

/** Fragments longer than this are not rewritten column by column: a whole column would be copied for a few rows. */
const LONGEST_CHEAP_FRAGMENT = 8_000;

/**
 * The rows of one index: every write is one commit, so that a kill at any moment leaves the rows of before or of after.
 */
export class PassageTable {
  readonly #schema: Schema;
  readonly #vectorSchema: Schema;
  /** True while rows without vectors lie in long fragments. */
  #rewriteWholeRows = false;
  readonly table: Table;

  constructor(table: Table, dimensions: number) {
    this.table = table;
    this.#schema = passageSchema(dimensions);
    this.#vectorSchema = vectorUpdateSchema(dimensions);
  }

  /** Adds rows of files that the table holds nothing of. One commit. */
  async append(rows: readonly IndexedPassage[]): Promise<void> {
    if (rows.length > 0) await stored('write passages', () => this.table.add(rowsToArrow(rows, this.#schema)));
  }

  /**
   * Adds or replaces rows and deletes others, in one commit for all of them. Rows of other ids stay untouched, and in
   * their indices.
   */
  async change({ written, gone, goneFiles }: RowChanges): Promise<void> {
    const going = [
      ...(goneFiles.length > 0 ? [isIn('uri', goneFiles)] : []),
      ...(gone.length > 0 ? [isIn('id', gone)] : []),
    ].join(' OR ');
    if (going === '') return this.upsert(written);
    if (written.length === 0) {
      await stored('delete passages', () => this.table.delete(going));
      return;
    }
    await stored('replace passages', () =>
      this.table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where: going })
        .execute(rowsToArrow(written, this.#schema)),
    );
  }

  /** Adds rows, over the ones of the same ids. One commit. */
  async upsert(rows: readonly IndexedPassage[]): Promise<void> {
    if (rows.length === 0) return;
    await stored('write passages', () => put(this.table, 'id', rowsToArrow(rows, this.#schema)));
  }

  /** Writes rows over the ones of the same ids; ids that are gone stay gone. One commit. */
  async updateRows(rows: readonly IndexedPassage[]): Promise<void> {
    if (rows.length === 0) return;
    await stored('update passages', () =>
      this.table.mergeInsert('id').whenMatchedUpdateAll().execute(rowsToArrow(rows, this.#schema)),
    );
  }

  /** Deletes by id, in one commit per 500. */
  async deleteIds(ids: readonly string[]): Promise<void> {
    for (const slice of slicesOf(ids, IDS_PER_QUERY))
      await stored('delete passages', () => this.table.delete(isIn('id', slice)));
  }

  /**
   * Gives rows their vectors, in one commit; ids that are gone are passed over. Only the vector column of the fragments
   * concerned is written: the text and its full-text index stay as they are.
   */
  async setVectors(entries: readonly { id: string; contentHash: string; vector: Float32Array }[]): Promise<void> {
    if (entries.length === 0) return;
    if (this.#rewriteWholeRows) {
      const vectors = new Map(entries.map((entry) => [entry.id, entry.vector]));
      const rows = await this.rowsByIds([...vectors.keys()]);
      for (const row of rows) row.vector = vectors.get(row.id);
      await this.updateRows(rows);
      return;
    }
    const update = arrowTable(this.#vectorSchema, {
      id: entries.map((entry) => entry.id),
      vector: entries.map((entry) => entry.vector),
      vector_checksum: entries.map((entry) => vectorChecksum(entry.vector, entry.contentHash)),
    });
    await stored('write vectors', () => this.table.mergeInsert('id').whenMatchedUpdateAll().execute(update));
  }

  /**
   * To be called when rows without vectors may have been merged into long fragments: on opening, and after a
   * compaction.
   */
  async chooseVectorWrites(pending: number): Promise<void> {
    const { fragmentStats } = await stored('read its statistics', () => this.table.stats());
    this.#rewriteWholeRows = pending > 0 && fragmentStats.lengths.max > LONGEST_CHEAP_FRAGMENT;
  }

  /** Rows of these files, with vectors. */
  async rowsOfFiles(uris: readonly string[]): Promise<IndexedPassage[]> {
    const rows: IndexedPassage[] = [];
    for (const slice of slicesOf(uris, IDS_PER_QUERY)) {
      const read = await stored('read passages', async () =>
        rowsFromArrow(await this.table.query().where(isIn('uri', slice)).select(columnsOf(true)).toArrow()),
      );
      rows.push(...read);
    }
    return rows;
  }

  /** Rows by id, in no particular order; unknown ids are left out. */
  rowsByIds(ids: readonly string[], withVectors = false): Promise<IndexedPassage[]> {
    return rowsByIds(this.table, ids, columnsOf(withVectors));
  }

  /** All rows in slices of 500 at most, in storage order; between slices other work gets its turn. */
  async *scan(withVectors: boolean): AsyncGenerator<IndexedPassage[]> {
    const batches = this.table.query().select(columnsOf(withVectors));
    try {
      for await (const batch of batches) {
        for (let from = 0; from < batch.numRows; from += 500) yield rowsFromArrow(batch.slice(from, from + 500));
      }
    } catch (error) {
      throw storageError(error, 'scan passages');
    }
  }

  /** See vectorsIn. */
  vectorsOf(contentHashes: readonly string[]): Promise<Map<string, Float32Array>> {
    return stored('look up vectors', () => vectorsIn(this.table, contentHashes));
  }

  /** Passages without a vector, in storage order. */
  async pending(): Promise<PendingPassage[]> {
    return stored('list passages without vectors', async () => {
      const table = await this.table
        .query()
        .where('vector_checksum IS NULL')
        .select(['id', 'content_hash', 'uri'])
        .toArrow();
      const rows = rowsOf<{ id: string; content_hash: string; uri: string }>(table);
      return rows.map(({ id, content_hash: contentHash, uri }) => ({ id, contentHash, uri }));
    });
  }

  /** What there is of each file, by uri. */
  async fileSummaries(): Promise<Map<string, FileSummary>> {
    return stored('list its files', async () => {
      const ids = new Map<string, string[]>();
      for await (const batch of this.table.query().select(['id', 'uri'])) {
        for (const { id, uri } of rowsOf<{ id: string; uri: string }>(batch)) addTo(ids, uri, id);
      }
      return new Map(
        [...ids].map(([uri, of]) => [uri, { digest: idsDigest(of), repeats: new Set(of).size < of.length }]),
      );
    });
  }

  count(): Promise<number> {
    return stored('count passages', () => this.table.countRows());
  }

  countEmbedded(): Promise<number> {
    return stored('count vectors', () => this.table.countRows('vector_checksum IS NOT NULL'));
  }
}

const columnsOf = (withVectors: boolean): string[] =>
  withVectors ? [...WRITTEN_COLUMNS, ...VECTOR_COLUMNS] : WRITTEN_COLUMNS;
