import { rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
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

/** How often a lock is asked for that is to be taken from its owner: others may be asking for it at the same moment. */
export const MOST_TRIES = 50;

/** Tokens of locks that this process has given up without being able to remove them: nobody holds those. */
const givenUp = new Set<string>();

/** A lock, as this process has it. */
export interface Lease {
  /**
   * True while the lock is still ours; false after somebody took it (this machine slept too long, or a person said that
   * we are gone).
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
export const lockOptions = (
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
  readonly #watch: SignWatch;

  /** @param mode Rights of the file; as usual when undefined. */
  constructor(file: string, options: LockOptions = {}, mode?: number) {
    this.#file = file;
    this.#options = lockOptions({ heartbeatMs: 5_000, staleMs: 30_000, ...options });
    this.#mode = mode;
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
    return this.#replaceOwner(() => this.#judged(), onLost);
  }

  /**
   * As {@link tryAcquire}, for who does not ask again. Of an owner elsewhere (another machine, a container that may be
   * gone) only signs of life tell: they are waited for, and undefined is given as soon as one comes. Rejects with
   * AbortError on abort.
   */
  async acquireUnlessAlive(signal?: AbortSignal): Promise<Lease | undefined> {
    for (let before: string | undefined; ;) {
      const lock = await this.tryAcquire();
      if (lock) return lock;
      const sign = await this.#signFromElsewhere();
      if (sign === undefined || (before ?? sign) !== sign) return undefined;
      before = sign;
      await systemClock.sleep(this.#options.heartbeatMs / 2, signal);
    }
  }

  /** The lock, whoever has it. An owner that lives after all notices. */
  async takeOver(onLost?: () => void): Promise<Lease> {
    await makeFolder(dirname(this.#file));
    for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
      const lock = (await this.#create(onLost)) ?? (await this.#replaceOwner(() => this.#judged(true), onLost));
      if (lock) return lock;
      // Somebody else is judging the same lock at this moment.
      await systemClock.sleep(100);
    }
    throw new Error(`the lock ${this.#file} could not be taken over: other processes keep taking it`);
  }

  async #create(onLost?: () => void): Promise<Lease | undefined> {
    const owner = await createLock(this.#file, this.#mode);
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

  /** Whether there is a lock, and somebody holds it; `byForce`: who it is signed by is held for gone. */
  async #judged(byForce = false): Promise<Judgement> {
    const owner = await readLockOwner(this.#file);
    if (owner === undefined) return 'free';
    if (byForce || (owner && givenUp.has(owner.token))) return 'abandoned';
    const life = owner ? await lifeOf(owner, this.#options.isAlive) : 'unknown-here';
    if (life === 'died') return 'abandoned';
    if (life === 'lives') return 'held';
    const touched = await stat(this.#file).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : null,
    );
    if (!touched) return touched === undefined ? 'free' : 'held'; // it may be, and cannot be looked at just now
    // One that is no more than unreadable just now was signed.
    const isSigned = owner !== null || touched.size > 0;
    const patience = isSigned ? this.#options.staleMs : Math.min(UNSIGNED_MS, this.#options.staleMs);
    if (life === 'unknown-here' && Date.now() - touched.mtimeMs > patience) return 'abandoned';
    return this.#watch.standsFor(signOf(owner, touched)) > patience ? 'abandoned' : 'held';
  }

  /** The last sign of life of an owner elsewhere; undefined where there is none. */
  async #signFromElsewhere(): Promise<string | undefined> {
    const owner = await readLockOwner(this.#file);
    if (!owner || (await lifeOf(owner, this.#options.isAlive)) !== 'elsewhere') return undefined;
    const touched = await stat(this.#file).catch(() => undefined);
    return touched && signOf(owner, touched);
  }

  async #replaceOwner(judge: () => Promise<Judgement>, onLost?: () => void): Promise<Lease | undefined> {
    const { staleMs, isAlive } = this.#options;
    return whileGuarded(this.#file, { staleMs, isAlive, mode: this.#mode }, async () => {
      const judged = await judge();
      if (judged === 'held') return undefined;
      // One that is free is not removed: somebody, who need not be guarded for that, may take it at this moment.
      if (judged === 'abandoned') await rm(this.#file, { force: true });
      return this.#create(onLost);
    });
  }
}

const signOf = (owner: LockOwner | null, { mtimeMs }: { mtimeMs: number }): string =>
  `${owner?.token ?? ''} ${mtimeMs}`;
