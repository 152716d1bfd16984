import type { Connection, Table } from '@lancedb/lancedb';
import { Field, Float64, Schema, Utf8 } from 'apache-arrow';
import {
  type Lease,
  lifeOf,
  type LockOptions,
  lockOptions,
  type LockOwner,
  lockOwnerIn,
  MOST_TRIES,
  ownerHere,
  SignWatch,
  systemClock,
} from '#base';
import type { LeaseHolder } from '../domain/index-state.ts';
import { literal } from './lance-connection.ts';
import { arrowTable } from './schema.ts';
import { stored } from './storage-errors.ts';
import { holderOf, type WriterLease } from './writer-lease.ts';

const leaseSchema = new Schema([
  new Field('token', new Utf8(), false),
  new Field('owner', new Utf8(), false),
  new Field('beat', new Float64(), false),
]);

/** Each sign of life leaves three objects behind: they are removed after so many, or after the next so many. */
const BEATS_PER_TIDYING = 30;

/** The one row of the table. Nobody holds the lease where the token is ''. */
interface LeaseRow {
  token: string;
  /** Undefined where the row does not say it. */
  owner: LockOwner | undefined;
  /** The owner's last sign of life, in milliseconds since the epoch, by its own clock. */
  beat: number;
}

/** Milliseconds until a table that another process makes is looked for again, times the tries so far. */
const BEING_MADE = 50;
const MOST_LOOKS = 6;
/**
 * A process that found no table writes an empty one, and LanceDB lets it do so even where another process has made the
 * table meanwhile and taken the lease in it: that lease is lost. It can happen while the table has so few versions. A
 * lease taken then counts if it still stands after so many milliseconds, which is longer than a process needs from
 * looking for the table to writing it.
 */
const YOUNG_VERSIONS = 16;
const SETTLED_AFTER = 1_000;
/** What LanceDB says to a change of a table that was written over at the same moment. */
const WRITTEN_OVER = /incompatible with concurrent transaction/iu;
/** What LanceDB says when other processes committed before each of its tries. It changed nothing: we may ask again. */
const OUTRUN = /too many concurrent writers/iu;
const MOST_OUTRUN = 3;
/** Milliseconds until we ask again, times the tries so far. */
const OUTRUN_WAIT = 50;

/**
 * One writer per index where there is no file system to lock: a table of one row that says who writes. It is changed on
 * condition that it is as it was last read. LanceDB makes each commit by a conditional put (`If-None-Match`, or what
 * the storage has for it) and judges the condition again when another commit came between: of several that take the
 * lease at once, one gets it. A dead owner on this machine is recognised at once, one elsewhere when its sign of life
 * stood still for a while of *our* watching. So an owner writes only within `heartbeatMs` of a sign of life that has
 * arrived, by both of its clocks (one of them stands still while a machine sleeps); later it gives another one first.
 */
export class LeaseTable implements WriterLease {
  readonly #connect: () => Promise<Connection>;
  readonly #name: string;
  readonly #place: string;
  readonly #options: Required<LockOptions>;
  #opened: Table | undefined;
  readonly #watch: SignWatch;

  /**
   * `connect` opens a connection whose reads look for what others wrote; `place` is told to people. Default heartbeat
   * 10,000, stale after 40,000.
   */
  constructor(connect: () => Promise<Connection>, name: string, place: string, options: LockOptions = {}) {
    this.#connect = connect;
    this.#name = name;
    this.#place = place;
    this.#options = lockOptions({ heartbeatMs: 10_000, staleMs: 40_000, ...options });
    this.#watch = new SignWatch(this.#options.now);
  }

  async tryAcquire(onLost?: () => void): Promise<Lease | undefined> {
    const table = await this.#table(true);
    for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
      const row = await this.#read(table);
      if (!(await this.#isFree(row))) return undefined;
      const lease = await this.#claim(table, row, onLost);
      if (lease) return lease; // else somebody took it, or the table was written over: the next look tells
    }
    return undefined;
  }

  /** An owner that may live has time to notice before the lease is given to the caller. */
  async takeOver(onLost?: () => void): Promise<Lease> {
    const table = await this.#table(true);
    for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
      const row = await this.#read(table);
      const lease = await this.#claim(table, row, onLost);
      if (!lease) continue; // its owner gave a sign of life, or somebody else took it, at this moment
      const gone = row.owner === undefined || (await lifeOf(row.owner, this.#options.isAlive)) === 'died';
      if (!gone) await systemClock.sleep(this.#options.heartbeatMs);
      return lease;
    }
    throw new Error(`the lease ${this.#place} could not be taken over: other processes keep taking it`);
  }

  async holder(): Promise<LeaseHolder | undefined> {
    const table = await this.#table(false);
    if (!table) return undefined;
    const { token, owner, beat } = await this.#read(table);
    return token === '' ? undefined : holderOf(this.#place, beat, owner);
  }

  async #table(mayCreate: true): Promise<Table>;
  async #table(mayCreate: false): Promise<Table | undefined>;
  async #table(mayCreate: boolean): Promise<Table | undefined> {
    this.#opened ??= await stored('open its lease', async () => {
      const connection = await this.#connect();
      const isThere = async (): Promise<boolean> =>
        (await connection.tableNames({ limit: 10_000 })).includes(this.#name);
      if (!(await isThere())) {
        if (!mayCreate) return undefined;
        const free = arrowTable(leaseSchema, { token: [''], owner: [''], beat: [0] });
        await connection.createTable(this.#name, free, { mode: 'create' }).catch(async (error: unknown) => {
          if (!(await isThere())) throw error; // else another window made it at this moment
        });
      }
      return this.#openMade(connection);
    });
    return this.#opened;
  }

  /**
   * A table is listed before its first version is written: that is waited for, where another process makes it at this
   * moment.
   */
  async #openMade(connection: Connection): Promise<Table> {
    for (let tries = 1; ; tries++) {
      try {
        return await connection.openTable(this.#name);
      } catch (error) {
        if (tries === MOST_LOOKS) throw error;
        await systemClock.sleep(BEING_MADE * tries);
      }
    }
  }

  #read(table: Table): Promise<LeaseRow> {
    return stored('read its lease', async () => {
      const row = (await table.query().limit(1).toArrow()).get(0);
      return {
        token: String(row?.token ?? ''),
        owner: lockOwnerIn(String(row?.owner)) ?? undefined,
        beat: Number(row?.beat ?? 0),
      };
    });
  }

  async #isFree({ token, owner, beat }: LeaseRow): Promise<boolean> {
    if (token === '') return true;
    const life = owner ? await lifeOf(owner, this.#options.isAlive) : 'elsewhere';
    if (life === 'died') return true;
    if (life === 'lives') return false;
    return this.#watch.standsFor(`${token} ${beat}`) > this.#options.staleMs;
  }

  /** Undefined where the row is not as it was any more. */
  async #claim(table: Table, was: LeaseRow, onLost?: () => void): Promise<Lease | undefined> {
    const owner = await ownerHere();
    const began = moment();
    await change(table, was, { token: owner.token, owner: JSON.stringify(owner), beat: Date.now() });
    if ((await stored('read its lease', () => table.version())) < YOUNG_VERSIONS)
      await systemClock.sleep(SETTLED_AFTER);
    return (await this.#read(table)).token === owner.token ? this.#held(table, owner, began, onLost) : undefined;
  }

  #held(table: Table, { token }: LockOwner, since: Moment, onLost?: () => void): Lease {
    const { heartbeatMs } = this.#options;
    let heard = since;
    let is: 'held' | 'lost' | 'released' = 'held';
    let beats = 0;
    let beating: Promise<void> | undefined;
    const giveSign = async (): Promise<void> => {
      const began = moment();
      // A commit whose reply was lost is made again, and finds nothing to change any more: the row itself tells.
      const changed = await change(table, { token }, { beat: Date.now() });
      const still = changed > 0 || (await this.#read(table)).token === token;
      if (still) heard = began;
      else if (is === 'held') {
        is = 'lost';
        clearInterval(timer);
        onLost?.();
      }
      if (still && ++beats % BEATS_PER_TIDYING === 0)
        await table.optimize({ cleanupOlderThan: new Date(Date.now() - heartbeatMs) }).catch(() => undefined);
    };
    const beat = (): Promise<void> => (beating ??= giveSign().finally(() => (beating = undefined)));
    // One that fails is made up for by the next, and nothing is written before it has arrived.
    const timer = setInterval(() => void beat().catch(() => undefined), heartbeatMs);
    timer.unref();
    return {
      isHeld: async () => {
        const isOld = (): boolean => is === 'held' && elapsed(heard) > heartbeatMs;
        if (isOld()) await beating; // it may have arrived before somebody took the lease
        if (isOld()) await beat();
        return is === 'held';
      },
      release: async () => {
        clearInterval(timer);
        await beating?.catch(() => undefined);
        if (is !== 'held') return;
        is = 'released';
        // Where the storage cannot be reached, others wait until it is stale.
        await change(table, { token }, { token: '', owner: '', beat: 0 }).catch(() => undefined);
      },
    };
  }
}

/** Changes the row where it is as expected. Gives the number of rows changed, as far as that is known. */
async function change(
  table: Table,
  { token, beat }: Pick<LeaseRow, 'token'> & Partial<LeaseRow>,
  values: Record<string, string | number>,
): Promise<number> {
  const where = `token = ${literal(token)}${beat === undefined ? '' : ` AND beat = ${beat}`}`;
  return stored('write its lease', async () => {
    for (let outrun = 0; ; outrun++) {
      try {
        return (await table.update({ where, values })).rowsUpdated;
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        if (WRITTEN_OVER.test(message)) return 0;
        if (outrun === MOST_OUTRUN || !OUTRUN.test(message)) throw error;
        await systemClock.sleep(OUTRUN_WAIT * (outrun + 1));
      }
    }
  });
}

interface Moment {
  wall: number;
  monotonic: number;
}

const moment = (): Moment => ({ wall: Date.now(), monotonic: performance.now() });

const elapsed = (since: Moment): number =>
  Math.max(Math.abs(Date.now() - since.wall), performance.now() - since.monotonic);
