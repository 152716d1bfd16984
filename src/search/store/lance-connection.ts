import { connect, type Connection, Session, type Table } from '@lancedb/lancedb';
import type { Schema, Table as ArrowTable } from 'apache-arrow';
import { stored } from './storage-errors.ts';
import { plainPath, writtenForms } from '../domain/path-filter.ts';
import type { PassageFilter } from '../domain/passage-chain.ts';

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
export async function openTable(
  connection: Connection,
  name: string,
  schema: Schema,
  mayCreate: boolean,
): Promise<Table | undefined> {
  const names = await stored('list its tables', () => connection.tableNames({ limit: 10_000 }));
  if (names.includes(name)) return stored(`open its table ${name}`, () => connection.openTable(name));
  if (!mayCreate) return undefined;
  return stored(`make its table ${name}`, () =>
    connection.createEmptyTable(name, schema, { mode: 'create', existOk: true }),
  );
}

/** Adds rows, over the ones of the same key. One commit. */
export function put(table: Table, key: string, rows: ArrowTable): Promise<unknown> {
  return table.mergeInsert(key).whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
}

/**
 * Joins fragments, brings all indices up to date, and drops every version but the last. Queries go on meanwhile:
 * versions of the last seconds are left for the ones that have just begun.
 */
export async function tidy(table: Table, now: number): Promise<void> {
  await stored('tidy up', () => table.optimize({ cleanupOlderThan: new Date(now - 5_000) }));
}

/** A SQL string literal. LanceDB's predicates take no parameters, so every value goes through here. */
export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Most values of one IN list: longer ones slow LanceDB's planner more than another query does. */
export const IDS_PER_QUERY = 500;

/** `column IN ('a', 'b')`; an empty list matches nothing. */
export function isIn(column: string, values: readonly string[]): string {
  if (values.length === 0) return 'false';
  if (values.length === 1) return `${column} = ${literal(values[0] ?? '')}`;
  return `${column} IN (${values.map(literal).join(', ')})`;
}

/** True for rows whose list column shares an element with the values. */
export function sharesAny(column: string, values: readonly string[]): string {
  return values.length === 0 ? 'false' : `array_has_any(${column}, [${values.map(literal).join(', ')}])`;
}

function pathPredicate(path: string): string {
  const clean = plainPath(path);
  if (clean === '') return 'true';
  const forms = writtenForms(clean).map(
    (form) => `path = ${literal(form)} OR starts_with(path, ${literal(`${form}/`)})`,
  );
  return `(${forms.join(' OR ')})`;
}

/** The predicate of a filter; undefined when it restricts nothing. An empty list of anything matches nothing. */
export function filterPredicate(filter: PassageFilter | undefined): string | undefined {
  if (!filter) return undefined;
  const parts: string[] = [];
  if (filter.paths)
    parts.push(filter.paths.length === 0 ? 'false' : `(${filter.paths.map(pathPredicate).join(' OR ')})`);
  if (filter.languages) parts.push(isIn('language', filter.languages));
  if (filter.kinds) parts.push(isIn('kind', filter.kinds));
  if (filter.ids) parts.push(isIn('id', filter.ids));
  if (filter.excludeIds && filter.excludeIds.length > 0) parts.push(`NOT (${isIn('id', filter.excludeIds)})`);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}
