import { hostname } from 'node:os';
import type { Connection, Table } from '@lancedb/lancedb';
import { Field, Float64, Schema, Utf8 } from 'apache-arrow';
import { type Lease, lifeOf, type LockOwner, lockOwnerIn, ownerHere, systemClock } from '#base';
import type { LeaseHolder } from '../domain/index-state.ts';
import { literal } from './lance-connection.ts';
import { arrowTable, rowsOf } from './schema.ts';
import { stored } from './storage-errors.ts';
import { holderOf, type WriterLease } from './writer-lease.ts';

const writerSchema = new Schema([
  new Field('token', new Utf8(), false),
  new Field('owner', new Utf8(), false),
  new Field('since', new Float64(), false),
]);

interface WriterRow {
  /** '' where nobody writes. */
  token: string;
  owner: LockOwner | undefined;
  since: number;
}

/** Milliseconds for which a look at the row is believed: a writer that was replaced stops writing within that time. */
const BELIEVED_MS = 10_000;
/** LanceDB lets two processes make the same table at one moment; the second look tells who was last. */
const SETTLED_MS = 1_000;
/** LanceDB's answer to a change of a table that another process changed at the same moment: nothing was written. */
const WRITTEN_OVER = /incompatible with concurrent transaction|too many concurrent writers/iu;

/**
 * States who writes an index in object storage: one row, changed only if it is as it was last read. It is no lock: a
 * machine that is named there stays the writer until it closes the index, its process is gone from its own machine, or
 * a person says that another machine writes from now on. All others read.
 */
export class WriterTable implements WriterLease {
  readonly #connect: () => Promise<Connection>;
  readonly #name: string;
  readonly #place: string;
  readonly #byForce: boolean;
  readonly #believedMs: number;
  #opened: Table | undefined;

  /**
   * @param connect Opens a connection that sees what others write. @param place Told to people. @param byForce A person
   *   says that this machine writes from now on.
   */
  constructor(
    connect: () => Promise<Connection>,
    name: string,
    place: string,
    { byForce = false, believedMs = BELIEVED_MS } = {},
  ) {
    this.#connect = connect;
    this.#name = name;
    this.#place = place;
    this.#byForce = byForce;
    this.#believedMs = believedMs;
  }

  async tryAcquire(onLost?: () => void): Promise<Lease | undefined> {
    const made = await this.#table(true);
    const row = await read(made.table);
    const free = await isFree(row);
    if (!free && !this.#byForce) return undefined;
    const owner = await ownerHere();
    await change(made.table, row.token, { token: owner.token, owner: JSON.stringify(owner), since: Date.now() });
    if (made.isNew) await systemClock.sleep(SETTLED_MS);
    // A writer elsewhere that still lives notices within this time.
    else if (!free) await systemClock.sleep(this.#believedMs);
    if ((await read(made.table)).token !== owner.token) return undefined;
    return this.#held(made.table, owner.token, onLost);
  }

  async holder(): Promise<LeaseHolder | undefined> {
    const made = await this.#table(false);
    if (!made) return undefined;
    const { token, owner, since } = await read(made.table);
    return token === '' ? undefined : holderOf(this.#place, since, owner);
  }

  #held(table: Table, token: string, onLost?: () => void): Lease {
    let lookedAt = performance.now();
    let is: 'held' | 'lost' | 'released' = 'held';
    return {
      isHeld: async () => {
        if (is === 'held' && performance.now() - lookedAt > this.#believedMs) {
          const still = (await read(table)).token === token;
          lookedAt = performance.now();
          if (!still) {
            is = 'lost';
            onLost?.();
          }
        }
        return is === 'held';
      },
      release: async () => {
        if (is !== 'held') return;
        is = 'released';
        await change(table, token, { token: '', owner: '', since: 0 }).catch(() => undefined); // told by the process id
      },
    };
  }

  async #table(mayCreate: true): Promise<{ table: Table; isNew: boolean }>;
  async #table(mayCreate: false): Promise<{ table: Table; isNew: boolean } | undefined>;
  async #table(mayCreate: boolean): Promise<{ table: Table; isNew: boolean } | undefined> {
    if (this.#opened) return { table: this.#opened, isNew: false };
    return stored('read who writes it', async () => {
      const connection = await this.#connect();
      const isThere = (await connection.tableNames({ limit: 10_000 })).includes(this.#name);
      if (!isThere && !mayCreate) return undefined;
      if (!isThere) {
        const free = arrowTable(writerSchema, { token: [''], owner: [''], since: [0] });
        await connection.createTable(this.#name, free, { mode: 'create' }).catch(() => undefined); // made by another
      }
      this.#opened = await connection.openTable(this.#name);
      return { table: this.#opened, isNew: !isThere };
    });
  }
}

/** A process that is gone from this machine writes no more, and one of before its last start does not either. */
async function isFree({ token, owner }: WriterRow): Promise<boolean> {
  if (token === '' || !owner) return true;
  return owner.host === hostname() && (await lifeOf(owner)) !== 'lives';
}

function read(table: Table): Promise<WriterRow> {
  return stored('read who writes it', async () => {
    const rows = rowsOf<{ token: string; owner: string; since: number }>(await table.query().limit(1).toArrow());
    const { token, owner, since } = rows[0] ?? { token: '', owner: '', since: 0 };
    return { token, owner: lockOwnerIn(owner) ?? undefined, since };
  });
}

/** Changes the row where it still has this token. */
async function change(table: Table, token: string, values: Record<string, string | number>): Promise<void> {
  await stored('write who writes it', async () => {
    await table.update({ where: `token = ${literal(token)}`, values }).catch((error: unknown) => {
      if (!(error instanceof Error && WRITTEN_OVER.test(error.message))) throw error;
    });
  });
}
