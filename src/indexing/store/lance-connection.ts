import { connect, Session, type Connection, type Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { stored } from './storage-errors.ts';

/** LanceDB's own defaults are 6 GB and 1 GB; an editor's helper has to be content with less. */
const INDEX_CACHE_BYTES = 512n * 1024n * 1024n;
const METADATA_CACHE_BYTES = 128n * 1024n * 1024n;

export interface ConnectOptions {
  storageOptions?: Record<string, string>;
  /** True for a process that reads what another one writes: each query looks for a newer version first. */
  following: boolean;
}

/** Connects to a folder, an object store or a LanceDB server. */
export function connectLance(uri: string, options: ConnectOptions): Promise<Connection> {
  return stored('open its storage', () =>
    connect(uri, {
      storageOptions: options.storageOptions,
      session: new Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES),
      ...(options.following ? { readConsistencyInterval: 0 } : {}),
    }),
  );
}

/** Opens a table, or makes it when it is not there; undefined when it is not there and may not be made. */
export async function openTable(connection: Connection, name: string, schema: Schema, mayCreate: boolean): Promise<Table | undefined> {
  const names = await stored('list its tables', () => connection.tableNames({ limit: 10_000 }));
  if (names.includes(name)) return stored(`open its table ${name}`, () => connection.openTable(name));
  if (!mayCreate) return undefined;
  return stored(`make its table ${name}`, () => connection.createEmptyTable(name, schema, { mode: 'create', existOk: true }));
}

export const isRemote = (uri: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(uri) && !/^file:/i.test(uri);
