import type { IndexedPassage } from '../store/passage-index.ts';
import type { RowChanges } from '../store/passage-table.ts';
import type { SerialQueue } from '#base';
import type { Passage } from '../domain/passage.ts';
import type { LinkResolver } from '../reading/resolve-links.ts';
import type { FileRecord } from '../store/file-table.ts';
import type { IndexStore } from '../store/index-store.ts';
import type { EmbeddingRun } from './embedding-run.ts';
import type { FileLedger } from './file-ledger.ts';
import { resolvedLinks } from './refresh-links.ts';
import { findVectors, type VectorDonor } from './vector-reuse.ts';

/** So many rows are deleted by their ids; in a batch of more, files are replaced as a whole. */
const MOST_GONE = 500;

/**
 * What is to be written so that of these files the table holds `rows` instead of `before`. Rows that stay as they are
 * are left alone, because each one that is written anew is outside the full-text index until the next tidy-up.
 */
export function compareRows(before: readonly IndexedPassage[], rows: readonly IndexedPassage[]): RowChanges {
  const now = new Set(rows.map(({ id }) => id));
  const gone = before.filter(({ id }) => !now.has(id));
  if (gone.length > MOST_GONE)
    return { written: rows, gone: [], goneFiles: [...new Set(before.map(({ uri }) => uri))] };
  const known = new Map(before.map((row) => [row.id, asWritten(row)]));
  return {
    written: rows.filter((row) => known.get(row.id) !== asWritten(row)),
    gone: gone.map(({ id }) => id),
    goneFiles: [],
  };
}

/** All of a row but its vector; its fields may come in any order. */
const asWritten = ({ vector: _, ...row }: IndexedPassage): string =>
  JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A file as it should be in the index from now on. */
export interface FileChange {
  uri: string;
  /** Undefined: the rows stay as they are. */
  passages?: readonly Passage[];
  /** Undefined for a file that is gone, and for passages that no file stands behind. */
  record?: FileRecord;
}

interface PassageWriterOptions {
  store: IndexStore;
  ledger: FileLedger;
  embedding: EmbeddingRun;
  writes: SerialQueue;
  /** Other builds that may know vectors. */
  donors: readonly VectorDonor[];
  /** Where links lead, as far as is known now. */
  resolver(): LinkResolver;
  /** Runs after each batch, before the next one. */
  afterWrite(): Promise<void>;
}

/** Puts files into the index. The rows of all files of a batch change in one commit; their records follow. */
export class PassageWriter {
  readonly #options: PassageWriterOptions;
  /** Whether any vector could be found at all: a fresh build asks for none. */
  #vectorsExist: boolean;

  constructor(options: PassageWriterOptions, vectorsExist: boolean) {
    this.#options = options;
    this.#vectorsExist = vectorsExist;
  }

  /** From now on vectors are looked for. */
  vectorsAppeared(): void {
    this.#vectorsExist = true;
  }

  /** Writes a batch; `urgent` passages are embedded before all others. */
  write(changes: readonly FileChange[], urgent: boolean): Promise<void> {
    return this.#options.writes.run(() => this.#writeNow(changes, urgent));
  }

  async #writeNow(changes: readonly FileChange[], urgent: boolean): Promise<void> {
    const { store, ledger, embedding } = this.#options;
    const resolver = this.#options.resolver();
    const rows: IndexedPassage[] = [];
    const replaced: string[] = [];
    for (const { uri, passages } of changes) {
      if (!passages) continue;
      if (ledger.hasRows(uri)) replaced.push(uri);
      for (const passage of passages) rows.push({ ...passage, links: resolvedLinks(resolver, passage) });
    }

    const before = replaced.length > 0 ? await store.passages.rowsOfFiles(replaced) : [];
    const rowChanges = compareRows(before, rows);
    await this.#giveKnownVectors(rows, before);
    await this.#keepLostVectors(rows, before);
    try {
      if (replaced.length === 0) await store.passages.append(rows);
      else await store.passages.change(rowChanges);
      embedding.remove(before.map(({ id }) => id));
      embedding.add(
        rows.filter(({ vector }) => !vector),
        urgent,
      );
      await this.#writeRecords(changes);
    } catch (error) {
      ledger.distrust(changes.filter(({ passages }) => passages).map(({ uri }) => uri));
      throw error;
    }
    await this.#options.afterWrite();
  }

  async #writeRecords(changes: readonly FileChange[]): Promise<void> {
    const { store, ledger } = this.#options;
    const records = changes.flatMap(({ record }) => record ?? []);
    const gone = changes.filter(({ record }) => !record).map(({ uri }) => uri);
    await store.files.put(records);
    await store.files.remove(gone.filter((uri) => ledger.get(uri) ?? ledger.hasRows(uri)));
    for (const record of records) ledger.put(record);
    for (const uri of gone) ledger.delete(uri);
    for (const { uri, record, passages } of changes) if (!record && passages?.length) ledger.addRowsOf([uri]);
  }

  async #giveKnownVectors(rows: readonly IndexedPassage[], before: readonly IndexedPassage[]): Promise<void> {
    const known = new Map<string, Float32Array>();
    for (const { contentHash, vector } of before) if (vector) known.set(contentHash, vector);
    if (this.#vectorsExist) {
      const missing = new Set(rows.map(({ contentHash }) => contentHash).filter((hash) => !known.has(hash)));
      for (const [hash, vector] of await findVectors(this.#options.donors, [...missing])) known.set(hash, vector);
    }
    for (const passage of rows) {
      const vector = known.get(passage.contentHash);
      if (vector) passage.vector = vector;
    }
  }

  /** Vectors that would go with their rows are kept for a while: the file may only be on its way to another name. */
  async #keepLostVectors(rows: readonly IndexedPassage[], before: readonly IndexedPassage[]): Promise<void> {
    const staying = new Set(rows.map(({ contentHash }) => contentHash));
    const lost = new Map<string, Float32Array>();
    for (const { contentHash, vector } of before)
      if (vector && !staying.has(contentHash)) lost.set(contentHash, vector);
    await this.#options.store.kept.keep(lost);
    if (lost.size > 0) this.#vectorsExist = true;
  }
}
