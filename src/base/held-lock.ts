import { rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HoptrailError } from './errors.ts';
import {
  createLock,
  giveUp,
  lifeOf,
  LOOK_AGAIN_MS,
  type LockOwner,
  MOST_LOOKS,
  processIsAlive,
  readLockOwner,
  SignWatch,
  UNSIGNED_MS,
  whileGuarded,
} from './lock-file.ts';
import { makeFolder } from './paths.ts';
import { systemClock } from './waiting.ts';

/** Tokens of locks that this process has given up without being able to remove them: nobody holds those. */
const givenUp = new Set<string>();

/** A folder lies where a lock file has to be. */
class LockBlockedError extends HoptrailError {
  readonly code = 'lock-blocked';
  constructor(file: string) {
    super(`${file} is a folder. Hoptrail keeps its lock file there.`, {
      advice: 'Remove or rename that folder, then try again.',
      action: 'retry',
    });
  }
}

/** A lock, as this process has it. */
export interface Lease {
  /**
   * True while the lock is still ours; false after somebody removed or took it (this machine slept too long).
   */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** The owner's sign of life, in milliseconds between touches; default 5,000. */
  heartbeatMs?: number;
  /**
   * How old the sign of life must be, by this machine's clock, or be seen standing still, before an owner counts as
   * dead; default 30,000.
   */
  staleMs?: number;
  /** Monotonic milliseconds. */
  now?: () => number;
  isAlive?: (pid: number) => boolean;
}

/** What a lock goes by, with this process's clock and this machine's processes where nothing else is said. */
const lockOptions = (
  options: LockOptions & Required<Pick<LockOptions, 'heartbeatMs' | 'staleMs'>>,
): Required<LockOptions> => ({ now: () => performance.now(), isAlive: processIsAlive, ...options });

type Judgement = 'free' | 'abandoned' | 'held';

/**
 * A lock that one process holds for as long as it likes: its file says which process that is (id, start, machine), and
 * is touched as long as that lives. A dead owner on this machine is recognised at once, also where another process has
 * its id by now; one whose start cannot be compared (another boot, another container) by the age of its last touch; one
 * elsewhere when its file was not touched for a while of *our* watching, because clocks of two machines differ. (The
 * usual lock packages go by the file's age alone: ten seconds or more after every kill.)
 */
export class HeldLock {
  readonly #file: string;
  readonly #options: Required<LockOptions>;
  readonly #mode: number | undefined;
  readonly #says: object | undefined;
  readonly #watch: SignWatch;

  /** @param mode Rights of the file; as usual when undefined. @param says Written into the file beside its owner. */
  constructor(file: string, options: LockOptions = {}, mode?: number, says?: object) {
    this.#file = file;
    this.#options = lockOptions({ heartbeatMs: 5_000, staleMs: 30_000, ...options });
    this.#mode = mode;
    this.#says = says;
    this.#watch = new SignWatch(this.#options.now);
  }

  /**
   * The lock, or undefined when somebody else has it. `onLost` is called once when it turns out that somebody took it
   * from us. @throws what the file system says of a place that cannot be written
   */
  async tryAcquire(onLost?: () => void): Promise<Lease | undefined> {
    await makeFolder(dirname(this.#file));
    const lock = await this.#create(onLost);
    if (lock) return lock;
    if ((await this.#judged()) === 'held') return undefined;
    return this.#replaceOwner(onLost);
  }

  /**
   * As {@link tryAcquire}, for a caller that asks once. If only signs of life tell whether the owner lives (it is on
   * another machine, or not named), they are waited for; undefined as soon as one comes. Rejects with AbortError on
   * abort.
   */
  async acquireUnlessAlive(signal?: AbortSignal, onLost?: () => void): Promise<Lease | undefined> {
    for (let before: string | undefined; ;) {
      const lock = await this.tryAcquire(onLost);
      if (lock) return lock;
      const sign = await this.#uncertainSign();
      if (sign === undefined || (before ?? sign) !== sign) return undefined;
      before = sign;
      await systemClock.sleep(this.#options.heartbeatMs / 2, signal);
    }
  }

  async #create(onLost?: () => void): Promise<Lease | undefined> {
    const owner = await createLock(this.#file, this.#mode, this.#says);
    return owner && this.#held(owner, onLost);
  }

  #held(owner: LockOwner, onLost?: () => void): Lease {
    const isHeld = async (): Promise<boolean> => {
      for (let look = 1; ; look++) {
        const holder = await readLockOwner(this.#file);
        if (holder !== null || look === MOST_LOOKS) return holder?.token === owner.token;
        await systemClock.sleep(LOOK_AGAIN_MS);
      }
    };
    let released = false;
    const touch = async (): Promise<void> => {
      const holder = await readLockOwner(this.#file);
      if (holder === null) return; // it cannot be read just now
      if (holder?.token !== owner.token) {
        // somebody else's sign of life is theirs to give
        clearInterval(beat);
        if (!released) onLost?.();
        released = true;
        return;
      }
      const now = new Date();
      await utimes(this.#file, now, now);
    };
    // A touch that fails is made up for by the next one, and isHeld() is asked before anything is written.
    const beat = setInterval(() => void touch().catch(() => undefined), this.#options.heartbeatMs);
    beat.unref();
    return {
      isHeld,
      release: async () => {
        released = true;
        clearInterval(beat);
        givenUp.add(owner.token); // it may still be signed by us: it could not be read, or not be removed
        if (await giveUp(owner.token, this.#file)) givenUp.delete(owner.token);
      },
    };
  }

  /** Whether there is a lock, and somebody holds it. @throws LockBlockedError where a folder has its name */
  async #judged(): Promise<Judgement> {
    const owner = await readLockOwner(this.#file);
    if (owner === undefined) return 'free';
    if (owner && givenUp.has(owner.token)) return 'abandoned';
    const life = owner ? await lifeOf(owner, this.#options.isAlive) : 'unknown-here';
    if (life === 'died') return 'abandoned';
    if (life === 'lives') return 'held';
    const touched = await stat(this.#file).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : null,
    );
    if (!touched) return touched === undefined ? 'free' : 'held'; // it may be, and cannot be looked at just now
    if (touched.isDirectory()) throw new LockBlockedError(this.#file);
    // One that is no more than unreadable just now was signed.
    const isSigned = owner !== null || touched.size > 0;
    const patience = isSigned ? this.#options.staleMs : Math.min(UNSIGNED_MS, this.#options.staleMs);
    if (life === 'unknown-here' && Date.now() - touched.mtimeMs > patience) return 'abandoned';
    return this.#watch.standsFor(signOf(owner, touched)) > patience ? 'abandoned' : 'held';
  }

  /** The last sign of life of an owner elsewhere, or of one that is not named; undefined for one of this machine. */
  async #uncertainSign(): Promise<string | undefined> {
    const owner = await readLockOwner(this.#file);
    if (owner && (await lifeOf(owner, this.#options.isAlive)) !== 'elsewhere') return undefined;
    const touched = await stat(this.#file).catch(() => undefined);
    return signOf(owner ?? null, touched ?? { mtimeMs: 0 });
  }

  async #replaceOwner(onLost?: () => void): Promise<Lease | undefined> {
    const { staleMs, isAlive } = this.#options;
    return whileGuarded(this.#file, { staleMs, isAlive, mode: this.#mode }, async () => {
      const judged = await this.#judged();
      if (judged === 'held') return undefined;
      // One that is free is not removed: somebody, who need not be guarded for that, may take it at this moment.
      if (judged === 'abandoned') await rm(this.#file, { force: true });
      return this.#create(onLost);
    });
  }
}

const signOf = (owner: LockOwner | null, { mtimeMs }: { mtimeMs: number }): string =>
  `${owner?.token ?? ''} ${mtimeMs}`;

/** Rights of the lock files of what is learnt: it is its owner's alone. */
const OWNER_ONLY = 0o600;

interface FileLockOptions {
  /** Milliseconds after which an owner that may live still counts as dead: a file is changed in far less. */
  staleMs?: number;
  /** Milliseconds between looks at a lock that somebody else holds. */
  pollMs?: number;
  isAlive?: (pid: number) => boolean;
}

/**
 * Does work on a file while no other process does, by a lock beside it, `<path>.lock`. For work of milliseconds: others
 * wait. @throws what the file system says of a place that cannot be written
 */
export async function whileLocked<T>(
  path: string,
  work: () => Promise<T>,
  { staleMs = 10_000, pollMs = 10, isAlive = processIsAlive }: FileLockOptions = {},
): Promise<T> {
  const lock = new HeldLock(`${path}.lock`, { staleMs, heartbeatMs: staleMs / 2, isAlive }, OWNER_ONLY);
  for (;;) {
    const lease = await lock.tryAcquire();
    if (lease) {
      try {
        return await work();
      } finally {
        await lease.release();
      }
    }
    await systemClock.sleep(pollMs * (0.5 + Math.random()));
  }
}
