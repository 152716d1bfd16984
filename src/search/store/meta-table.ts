import type { Table } from '@lancedb/lancedb';
import { Field, Schema, Utf8 } from 'apache-arrow';
import { arrowTable } from './schema.ts';
import { literal } from './lance-connection.ts';
import { stored } from './storage-errors.ts';

export const metaSchema = new Schema([new Field('key', new Utf8(), false), new Field('value', new Utf8(), false)]);

/**
 * `links`: hash of the paths that all links were last resolved against. `roots`: addresses of the folders that the
 * build is of, as JSON. `words-only`: number of passages that get no vector.
 */
export type MetaKey = 'links' | 'roots' | 'words-only';

/** Small facts about a build. */
export class MetaTable {
  private readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  async get(key: MetaKey): Promise<string | undefined> {
    const rows = await stored('read its notes', () =>
      this.table
        .query()
        .where(`key = ${literal(key)}`)
        .toArrow(),
    );
    const value: unknown = rows.getChild('value')?.get(0);
    return typeof value === 'string' ? value : undefined;
  }

  async set(key: MetaKey, value: string): Promise<void> {
    await stored('write its notes', () =>
      this.table
        .mergeInsert('key')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(arrowTable(metaSchema, { key: [key], value: [value] })),
    );
  }

  async optimize(now: number): Promise<void> {
    await stored('tidy its notes', () => this.table.optimize({ cleanupOlderThan: new Date(now - 5_000) }));
  }
}
