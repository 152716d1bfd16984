import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import { Field, Schema, Utf8 } from 'apache-arrow';
import { hashOf, isRemote, localPath, type LockOptions, makeFolder, replaceFile } from '#base';
import { arrowTable, rowsOf, SCHEMA_VERSION } from './schema.ts';
import { connectLance, type ConnectOptions } from './lance-connection.ts';
import { stored } from './storage-errors.ts';
import { type WriterLease, LeaseFile, lockFileIn } from './writer-lease.ts';
import { WriterTable } from './writer-table.ts';

/** One build of an index: its tables lie together, apart from those of any other build. */
export interface Generation {
  /** `v<schema>-<hash of the embedder>-<count>`. */
  name: string;
  connection: Connection;
  /** Put before the name of each table; '' where a generation has a place of its own. */
  tablePrefix: string;
}

/**
 * Where the builds of an index lie, and which of them answers. A new build grows beside the one that answers; a pointer
 * that is replaced in one step says when they change places.
 */
export interface IndexLayout {
  /** Where this machine notes what is being read. */
  readonly notesFile: string;
  /** True where other machines may read while one writes. */
  readonly hasReaders: boolean;
  /** `byForce`: a person says that this machine writes from now on; only where an index has readers. */
  lease(options?: LockOptions & { byForce?: boolean }): WriterLease;
  current(): Promise<string | undefined>;
  setCurrent(name: string): Promise<void>;
  list(): Promise<string[]>;
  open(name: string, options: { following: boolean }): Promise<Generation>;
  remove(name: string): Promise<void>;
  /** Moves a damaged build out of the way; returns where it lies now, or undefined where nothing is kept. */
  setAside(name: string): Promise<string | undefined>;
  /** Bytes of all builds; undefined when that cannot be told. */
  bytes(): Promise<number | undefined>;
}

const GENERATION = /^v(\d+)-([0-9a-f]{12})-(\d+)$/;

/** What the names of all builds for this schema and embedder begin with; their number follows. */
export function generationPrefix(embedderId: string): string {
  return `v${SCHEMA_VERSION}-${hashOf(embedderId, 12)}-`;
}

/** False for a build that another version of this program made. */
export function isOfThisVersion(name: string): boolean {
  return GENERATION.exec(name)?.[1] === String(SCHEMA_VERSION);
}

export function generationCount(name: string): number {
  return Number(GENERATION.exec(name)?.[3] ?? 0);
}

/**
 * For a remote address, what follows `#` is put before the names of its tables: several indices may so share one
 * database.
 */
export function createIndexLayout(indexUri: string, storageOptions?: Record<string, string>): IndexLayout {
  return isRemote(indexUri) ? new RemoteLayout(indexUri, storageOptions) : new FolderLayout(localPath(indexUri));
}

/**
 * What is read, or `missing` where nothing is there yet. Any other failure is one: who took it for an empty place would
 * begin a new build there, and remove the others.
 */
async function orMissing<T>(reading: Promise<T>, missing: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
}

class FolderLayout implements IndexLayout {
  readonly notesFile: string;
  readonly hasReaders = false;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.notesFile = path.join(root, 'writer.reading.json');
  }

  lease(options?: LockOptions): WriterLease {
    return new LeaseFile(lockFileIn(this.#root), options);
  }

  get #pointer(): string {
    return path.join(this.#root, 'current.json');
  }

  async current(): Promise<string | undefined> {
    const text = await stored('read which build answers', () => orMissing(readFile(this.#pointer, 'utf8'), ''));
    try {
      const name = (JSON.parse(text) as { generation?: unknown } | null)?.generation;
      return typeof name === 'string' && GENERATION.test(name) ? name : undefined;
    } catch {
      return undefined; // no pointer, or one that says nothing: the builds that lie there are looked at instead
    }
  }

  async setCurrent(name: string): Promise<void> {
    await stored('switch to its new build', () => replaceFile(this.#pointer, JSON.stringify({ generation: name })));
  }

  async list(): Promise<string[]> {
    const names = await stored('list its builds', () => orMissing(readdir(this.#root), []));
    return names.filter((name) => GENERATION.test(name));
  }

  async open(name: string, options: { following: boolean }): Promise<Generation> {
    const folder = path.join(this.#root, name);
    if (!options.following) await stored('make its folder', () => makeFolder(folder));
    return { name, connection: await connectLance(folder, options), tablePrefix: '' };
  }

  async remove(name: string): Promise<void> {
    await stored('remove its earlier build', () =>
      rm(path.join(this.#root, name), { recursive: true, force: true, maxRetries: 5 }),
    );
  }

  async setAside(name: string): Promise<string | undefined> {
    return stored('set the damaged build aside', async () => {
      const aside = path.join(this.#root, 'damaged');
      await rm(aside, { recursive: true, force: true, maxRetries: 5 }); // one is enough to look into
      await rename(path.join(this.#root, name), aside).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      return aside;
    });
  }

  async bytes(): Promise<number> {
    let total = 0;
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      total += await stat(path.join(entry.parentPath, entry.name)).then(
        (found) => found.size,
        () => 0,
      );
    }
    return total;
  }
}

const POINTER_TABLE = 'hoptrail_current';
const WRITER_TABLE = 'hoptrail_writer';
const pointerSchema = new Schema([new Field('generation', new Utf8(), false)]);

/** Object stores and servers: all builds share one database, told apart by the names of their tables. */
class RemoteLayout implements IndexLayout {
  readonly notesFile: string;
  readonly hasReaders = true;
  readonly #uri: string;
  readonly #storageOptions: Record<string, string> | undefined;
  /** Put before the names of all tables of this index; '' where it has the database for itself. */
  readonly #prefix: string;

  constructor(uri: string, storageOptions: Record<string, string> | undefined) {
    const [address = '', name = ''] = uri.split('#', 2);
    this.#uri = address;
    this.#prefix = name === '' ? '' : `${name}__`;
    this.#storageOptions = storageOptions;
    this.notesFile = path.join(tmpdir(), 'hoptrail-notes', `${hashOf(uri, 24)}.reading.json`);
  }

  lease({ byForce, heartbeatMs }: LockOptions & { byForce?: boolean } = {}): WriterLease {
    const name = this.#prefix + WRITER_TABLE;
    const connect = (): Promise<Connection> => this.#connect({ following: true });
    return new WriterTable(connect, name, `${this.#uri}/${name}`, { byForce, believedMs: heartbeatMs });
  }

  #connect(options: Pick<ConnectOptions, 'following'>): Promise<Connection> {
    return connectLance(this.#uri, { ...options, storageOptions: this.#storageOptions });
  }

  /** Names of this index's tables, without the prefix. */
  async #tableNames(): Promise<{ connection: Connection; names: string[] }> {
    const connection = await this.#connect({ following: true });
    const all = await stored('list its tables', () => connection.tableNames({ limit: 10_000 }));
    return {
      connection,
      names: all.filter((name) => name.startsWith(this.#prefix)).map((name) => name.slice(this.#prefix.length)),
    };
  }

  async current(): Promise<string | undefined> {
    const { connection, names } = await this.#tableNames();
    if (!names.includes(POINTER_TABLE)) return undefined;
    const table = await stored('read which build answers', async () =>
      (await connection.openTable(this.#prefix + POINTER_TABLE)).query().limit(1).toArrow(),
    );
    const name = rowsOf<{ generation: string }>(table)[0]?.generation;
    return name !== undefined && GENERATION.test(name) ? name : undefined;
  }

  async setCurrent(name: string): Promise<void> {
    const connection = await this.#connect({ following: false });
    await stored('switch to its new build', () =>
      connection.createTable(this.#prefix + POINTER_TABLE, arrowTable(pointerSchema, { generation: [name] }), {
        mode: 'overwrite',
      }),
    );
  }

  async list(): Promise<string[]> {
    const { names } = await this.#tableNames();
    return [...new Set(names.flatMap((name) => name.split('__', 1)))].filter((name) => GENERATION.test(name));
  }

  async open(name: string, options: { following: boolean }): Promise<Generation> {
    return { name, connection: await this.#connect(options), tablePrefix: `${this.#prefix}${name}__` };
  }

  async remove(name: string): Promise<void> {
    const { connection, names } = await this.#tableNames();
    for (const table of names) {
      if (table.startsWith(`${name}__`))
        await stored('remove its earlier build', () => connection.dropTable(this.#prefix + table));
    }
  }

  async setAside(name: string): Promise<undefined> {
    await this.remove(name);
  }

  bytes(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
