import type { Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { arrowTable } from './arrow-columns.ts';
import { vectorChecksum } from './checksum.ts';
import { checkedVectors, PASSAGE_COLUMNS, rowsFromArrow, rowsToArrow, VECTOR_COLUMNS, type PassageRow } from './passage-rows.ts';
import { isIn } from './predicates.ts';
import { passageSchema, vectorUpdateSchema } from './schema.ts';
import { storageError, stored } from './storage-errors.ts';

/** A passage that waits for its vector. */
export interface PendingPassage {
  id: string;
  contentHash: string;
}

/** What the table holds of one file: enough to see whether a record of that file can be believed. */
export interface FileSummary {
  /** Undefined when the rows disagree, which no commit of ours leaves behind. */
  hash: string | undefined;
  passages: number;
}

/** Values per IN list; longer lists slow LanceDB's planner more than another query does. */
const IDS_PER_QUERY = 500;
/** Fragments longer than this are not rewritten column by column: a whole column would be copied for a few rows. */
const LONGEST_CHEAP_FRAGMENT = 8_000;

/** The rows of one index: every write is one commit, so that a kill at any moment leaves the rows of before or of after. */
export class PassageTable {
  private readonly schema: Schema;
  private readonly vectorSchema: Schema;
  /** True while rows without vectors lie in long fragments. */
  private rewriteWholeRows = false;
  readonly table: Table;
  readonly dimensions: number;

  constructor(table: Table, dimensions: number) {
    this.table = table;
    this.dimensions = dimensions;
    this.schema = passageSchema(dimensions);
    this.vectorSchema = vectorUpdateSchema(dimensions);
  }

  /** Adds rows of files that the table holds nothing of. One commit. */
  async append(rows: readonly PassageRow[]): Promise<void> {
    if (rows.length > 0) await stored('write passages', () => this.table.add(rowsToArrow(rows, this.schema)));
  }

  /** Makes `rows` all there is of the files `uris`, in one commit for all of them. */
  async replaceFiles(uris: readonly string[], rows: readonly PassageRow[]): Promise<void> {
    if (uris.length === 0) return;
    const ofTheseFiles = isIn('uri', uris);
    if (rows.length === 0) {
      await stored('delete passages', () => this.table.delete(ofTheseFiles));
      return;
    }
    await stored('replace passages', () =>
      this.table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where: ofTheseFiles })
        .execute(rowsToArrow(rows, this.schema)),
    );
  }

  /** Adds rows, over the ones of the same ids. One commit. */
  async upsert(rows: readonly PassageRow[]): Promise<void> {
    if (rows.length === 0) return;
    await stored('write passages', () =>
      this.table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rowsToArrow(rows, this.schema)),
    );
  }

  /** Writes rows over the ones of the same ids; ids that are gone stay gone. One commit. */
  async updateRows(rows: readonly PassageRow[]): Promise<void> {
    if (rows.length === 0) return;
    await stored('update passages', () => this.table.mergeInsert('id').whenMatchedUpdateAll().execute(rowsToArrow(rows, this.schema)));
  }

  /** Deletes by id, in one commit per 500. */
  async deleteIds(ids: readonly string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += IDS_PER_QUERY) {
      await stored('delete passages', () => this.table.delete(isIn('id', ids.slice(i, i + IDS_PER_QUERY))));
    }
  }

  /**
   * Gives rows their vectors, in one commit; ids that are gone are passed over. Only the vector column of the fragments
   * concerned is written: the text and its full-text index stay as they are.
   */
  async setVectors(entries: readonly { id: string; contentHash: string; vector: Float32Array }[]): Promise<void> {
    if (entries.length === 0) return;
    if (this.rewriteWholeRows) {
      const vectors = new Map(entries.map((entry) => [entry.id, entry.vector]));
      const rows = await this.rowsByIds([...vectors.keys()]);
      for (const row of rows) row.passage.vector = vectors.get(row.passage.id);
      await this.updateRows(rows);
      return;
    }
    const update = arrowTable(this.vectorSchema, {
      id: entries.map((entry) => entry.id),
      vector: entries.map((entry) => entry.vector),
      vector_checksum: entries.map((entry) => vectorChecksum(entry.vector, entry.contentHash)),
    });
    await stored('write vectors', () => this.table.mergeInsert('id').whenMatchedUpdateAll().execute(update));
  }

  /** To be called when rows without vectors may have been merged into long fragments: on opening, and after a compaction. */
  async chooseVectorWrites(pending: number): Promise<void> {
    const { fragmentStats } = await stored('read its statistics', () => this.table.stats());
    this.rewriteWholeRows = pending > 0 && fragmentStats.lengths.max > LONGEST_CHEAP_FRAGMENT;
  }

  /** Rows of these files, with vectors. */
  async rowsOfFiles(uris: readonly string[]): Promise<PassageRow[]> {
    const rows: PassageRow[] = [];
    for (let i = 0; i < uris.length; i += IDS_PER_QUERY) rows.push(...(await this.rowsWhere(isIn('uri', uris.slice(i, i + IDS_PER_QUERY)), true)));
    return rows;
  }

  /** Rows by id, without vectors, in no particular order; unknown ids are left out. */
  async rowsByIds(ids: readonly string[], withVectors = false): Promise<PassageRow[]> {
    const rows: PassageRow[] = [];
    for (let i = 0; i < ids.length; i += IDS_PER_QUERY) rows.push(...(await this.rowsWhere(isIn('id', ids.slice(i, i + IDS_PER_QUERY)), withVectors)));
    return rows;
  }

  private async rowsWhere(predicate: string, withVectors: boolean): Promise<PassageRow[]> {
    const columns = withVectors ? [...PASSAGE_COLUMNS, ...VECTOR_COLUMNS] : PASSAGE_COLUMNS;
    return stored('read passages', async () => rowsFromArrow(await this.table.query().where(predicate).select(columns).toArrow()));
  }

  /** All rows in slices of about a thousand, in storage order; between slices other work gets its turn. */
  async *scan(withVectors: boolean): AsyncGenerator<PassageRow[]> {
    const columns = withVectors ? [...PASSAGE_COLUMNS, ...VECTOR_COLUMNS] : PASSAGE_COLUMNS;
    const batches = this.table.query().select(columns);
    try {
      for await (const batch of batches) {
        for (let from = 0; from < batch.numRows; from += 500) yield rowsFromArrow(batch.slice(from, from + 500));
      }
    } catch (error) {
      throw storageError(error, 'scan passages');
    }
  }

  /** Vectors known by content hash; ones that fail their checksum count as unknown. */
  async vectorsOf(contentHashes: readonly string[]): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    for (let i = 0; i < contentHashes.length; i += IDS_PER_QUERY) {
      const predicate = `${isIn('content_hash', contentHashes.slice(i, i + IDS_PER_QUERY))} AND vector_checksum IS NOT NULL`;
      const rows = await stored('look up vectors', () => this.table.query().where(predicate).select(['content_hash', ...VECTOR_COLUMNS]).toArrow());
      for (const [hash, vector] of checkedVectors(rows)) found.set(hash, vector);
    }
    return found;
  }

  /** Passages without a vector, in storage order. */
  async pending(): Promise<PendingPassage[]> {
    return stored('list passages without vectors', async () => {
      const table = await this.table.query().where('vector_checksum IS NULL').select(['id', 'content_hash']).toArrow();
      const [id, hash] = [table.getChild('id'), table.getChild('content_hash')];
      return Array.from({ length: table.numRows }, (_, i) => ({ id: String(id?.get(i)), contentHash: String(hash?.get(i)) }));
    });
  }

  /** What there is of each file, by uri. */
  async fileSummaries(): Promise<Map<string, FileSummary>> {
    return stored('list its files', async () => {
      const files = new Map<string, FileSummary>();
      for await (const batch of this.table.query().select(['uri', 'file_hash'])) {
        const [uris, hashes] = [batch.getChild('uri'), batch.getChild('file_hash')];
        for (let i = 0; i < batch.numRows; i++) {
          const [uri, hash] = [String(uris?.get(i)), String(hashes?.get(i))];
          const known = files.get(uri);
          if (!known) files.set(uri, { hash, passages: 1 });
          else {
            known.passages += 1;
            if (known.hash !== hash) known.hash = undefined;
          }
        }
      }
      return files;
    });
  }

  /** All ids. */
  async ids(): Promise<Set<string>> {
    return stored('list its passages', async () => {
      const ids = new Set<string>();
      for await (const batch of this.table.query().select(['id'])) {
        const column = batch.getChild('id');
        for (let i = 0; i < batch.numRows; i++) ids.add(String(column?.get(i)));
      }
      return ids;
    });
  }

  count(): Promise<number> {
    return stored('count passages', () => this.table.countRows());
  }

  countEmbedded(): Promise<number> {
    return stored('count vectors', () => this.table.countRows('vector_checksum IS NOT NULL'));
  }
}
