import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createLock, hasDied, processIsAlive, readLockOwner, whileGuarded, type LockOwner } from '../../files/lock-owner.ts';
import { IndexPlaceError, storageError } from './storage-errors.ts';

/** An owner signs its lock within microseconds of making it: one that stays unsigned was killed in between. */
const UNSIGNED_MS = 2_000;

export interface WriterLock {
  /** True while the lock file is still ours; false after somebody took it (this machine slept too long, say). */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** The owner's sign of life, in milliseconds between touches; default 5,000. */
  heartbeatMs?: number;
  /** How long the sign of life must be seen standing still before an owner on another machine counts as dead; default 30,000. */
  staleMs?: number;
  /** Monotonic milliseconds. */
  now?: () => number;
  isAlive?: (pid: number) => boolean;
}

/**
 * One writer per index. A lock file holds its owner's process id and is touched as long as the owner lives. A dead owner on this
 * machine is recognised at once by its id; one elsewhere when its file was not touched for a while of *our* watching, so that neither
 * clocks nor sleeping machines matter. (The usual lock packages go by the file's age alone: ten seconds or more after every kill.)
 */
export class WriterLockFile {
  private readonly file: string;
  private readonly options: Required<LockOptions>;
  /** The sign of life that was last seen on somebody else's lock, and since when it stands still. */
  private watched: { sign: string; since: number } | undefined;

  constructor(file: string, options: LockOptions = {}) {
    this.file = file;
    this.options = { heartbeatMs: 5_000, staleMs: 30_000, now: () => performance.now(), isAlive: processIsAlive, ...options };
  }

  /** The lock, or undefined when somebody else holds it. Throws StorageReadOnlyError or DiskFullError when it cannot be written. */
  async tryAcquire(): Promise<WriterLock | undefined> {
    try {
      await mkdir(path.dirname(this.file), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new IndexPlaceError(error) : error; // not a file that is missing: nothing was read yet
      });
      const lock = await this.create();
      if (lock) return lock;
      if (!(await this.ownerIsGone())) return undefined;
      return await this.replaceDeadOwner();
    } catch (error) {
      throw storageError(error, 'take its lock');
    }
  }

  private async create(): Promise<WriterLock | undefined> {
    const owner = await createLock(this.file);
    return owner && this.held(owner);
  }

  private held(owner: LockOwner): WriterLock {
    const isHeld = async (): Promise<boolean> => (await readLockOwner(this.file))?.token === owner.token;
    const touch = async (): Promise<void> => {
      if (!(await isHeld())) return; // somebody else's sign of life is theirs to give
      const now = new Date();
      await utimes(this.file, now, now);
    };
    // A lock that is gone is noticed by isHeld(), before anything is written.
    const beat = setInterval(() => void touch().catch(() => undefined), this.options.heartbeatMs);
    beat.unref();
    return {
      isHeld,
      release: async () => {
        clearInterval(beat);
        if (await isHeld()) await rm(this.file, { force: true });
      },
    };
  }

  private async ownerIsGone(): Promise<boolean> {
    const owner = await readLockOwner(this.file);
    if (owner === undefined) return true;
    if (owner && hasDied(owner, this.options.isAlive)) return true;
    const touched = await stat(this.file).catch(() => undefined);
    if (!touched) return true;
    const sign = `${owner?.token ?? ''} ${touched.mtimeMs}`;
    if (this.watched?.sign !== sign) this.watched = { sign, since: this.options.now() };
    return this.options.now() - this.watched.since > (owner ? this.options.staleMs : Math.min(UNSIGNED_MS, this.options.staleMs));
  }

  private async replaceDeadOwner(): Promise<WriterLock | undefined> {
    return whileGuarded(this.file, { staleMs: this.options.staleMs }, async () => {
      if (!(await this.ownerIsGone())) return undefined;
      await rm(this.file, { force: true });
      this.watched = undefined;
      return this.create();
    });
  }
}
