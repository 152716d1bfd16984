import { stat } from 'node:fs/promises';
import { HeldLock, type Lease, type LockOptions, type LockOwner, readLockOwner } from '#base';
import type { LeaseHolder } from '../domain/index-state.ts';
import { IndexPlaceError, storageError } from './storage-errors.ts';

/** What keeps the processes apart that would write one index. */
export interface WriterLease {
  /**
   * The lease, or undefined when somebody else has it. `onLost` is called once when it turns out that somebody took it
   * from us. Throws StorageReadOnlyError or DiskFullError when the lease cannot be written, RemoteStorageError when it
   * cannot be reached.
   */
  tryAcquire(onLost?: () => void): Promise<Lease | undefined>;
  /**
   * The lease, whoever has it: for a person who says that its owner is gone. An owner that lives after all notices, and
   * only reads from then on.
   */
  takeOver(onLost?: () => void): Promise<Lease>;
  /** Who has it now; undefined when nobody has. */
  holder(): Promise<LeaseHolder | undefined>;
}

/**
 * What people are told of the process that has the lease. Where the lock file does not name it: where that file lies
 * and when it was touched.
 */
export const holderOf = (file: string, lastBeat: number, owner: LockOwner | null | undefined): LeaseHolder => ({
  file,
  lastBeat,
  ...(owner && { pid: owner.pid, host: owner.host, ...(owner.since !== undefined && { since: owner.since }) }),
});

/** One writer per index that lies in a folder. */
export class LeaseFile implements WriterLease {
  readonly #file: string;
  readonly #lock: HeldLock;

  constructor(file: string, options: LockOptions = {}) {
    this.#file = file;
    this.#lock = new HeldLock(file, options);
  }

  tryAcquire(onLost?: () => void): Promise<Lease | undefined> {
    return inItsFolder(() => this.#lock.tryAcquire(onLost));
  }

  takeOver(onLost?: () => void): Promise<Lease> {
    return inItsFolder(() => this.#lock.takeOver(onLost));
  }

  async holder(): Promise<LeaseHolder | undefined> {
    const owner = await readLockOwner(this.#file);
    const touched = await stat(this.#file).catch(() => undefined);
    if (owner === undefined || !touched) return undefined;
    return holderOf(this.#file, touched.mtimeMs, owner);
  }
}

async function inItsFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Not a file that is missing, as a damaged index says it: nothing was read yet.
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new IndexPlaceError(error)
      : storageError(error, 'take its lock');
  }
}
