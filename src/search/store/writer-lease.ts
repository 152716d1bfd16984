import { stat } from 'node:fs/promises';
import path from 'node:path';
import { HeldLock, type Lease, type LockOptions, type LockOwner, readLockOwner } from '#base';
import type { LeaseHolder } from '../domain/index-state.ts';
import { IndexPlaceError, storageError } from './storage-errors.ts';

/** Keeps an index to one writer. */
export interface WriterLease {
  /**
   * The lease, or undefined when somebody else has it. `onLost` is called once if somebody takes it from us. Throws
   * StorageReadOnlyError or DiskFullError when the lease cannot be written, RemoteStorageError when it cannot be
   * reached.
   */
  tryAcquire(onLost?: () => void): Promise<Lease | undefined>;
  /** Who has it now; undefined when nobody has. */
  holder(): Promise<LeaseHolder | undefined>;
}

/** What people are told of the process that has the lease. `file`: the lock file, or the address of its table. */
export const holderOf = (file: string, lastBeat: number, owner: LockOwner | null | undefined): LeaseHolder => ({
  file,
  lastBeat,
  ...(owner && { pid: owner.pid, host: owner.host, ...(owner.since !== undefined && { since: owner.since }) }),
});

/** The lock of an index that lies in a folder. */
export const lockFileIn = (folder: string): string => path.join(folder, 'writer.lock');

/**
 * One writer per index that lies in a folder. The lock is our own: `proper-lockfile` and its like judge an owner by the
 * age of the file alone, which costs ten seconds or more after each kill, and they cannot say where the owner is met.
 */
export class LeaseFile implements WriterLease {
  readonly file: string;
  readonly #lock: HeldLock;

  /** @param says Written into the file beside its owner; then only this user may read it. */
  constructor(file: string, options: LockOptions = {}, says?: object) {
    this.file = file;
    this.#lock = new HeldLock(file, options, says && 0o600, says);
  }

  tryAcquire(onLost?: () => void): Promise<Lease | undefined> {
    return inItsFolder(() => this.#lock.tryAcquire(onLost));
  }

  /** As `tryAcquire`, but watches an owner of which nobody can tell whether it lives. */
  acquireUnlessAlive(signal?: AbortSignal, onLost?: () => void): Promise<Lease | undefined> {
    return inItsFolder(() => this.#lock.acquireUnlessAlive(signal, onLost));
  }

  async holder(): Promise<LeaseHolder | undefined> {
    const owner = await readLockOwner(this.file);
    const touched = await stat(this.file).catch(() => undefined);
    if (owner === undefined || !touched) return undefined;
    return holderOf(this.file, touched.mtimeMs, owner);
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
