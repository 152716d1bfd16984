import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { lazy } from './waiting.ts';

/** Tells a process apart from a later one with the same id, and from one with that id in another container. */
interface ProcessIdentity {
  /** When it began, as the system tells it; undefined where the system does not (Windows). */
  started?: string;
  /**
   * Identifies this boot of the machine and its namespace of process ids; undefined where the system does not tell
   * them.
   */
  space?: string;
}

/**
 * On macOS a program has to be run to learn when a process began. Its answer is used again for so many milliseconds.
 */
const BELIEVED_MS = 1_000;

/** True while some process has this id, whichever that is. */
export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it lives, and belongs to somebody else
  }
}

/** When the process with this id began; undefined where that cannot be told, or where there is none. */
async function startOfProcess(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case 'linux':
      return startOnLinux(pid);
    case 'darwin':
      return startOnMac(pid);
    default:
      return undefined;
  }
}

/** Of this process. Asked of the system once. */
const ownIdentity = lazy(async (): Promise<ProcessIdentity> => {
  const [started, space] = [await startOfProcess(process.pid), ownSpace()];
  return { ...(started !== undefined && { started }), ...(space !== undefined && { space }) };
});

/** Linux: the boot's id and the namespace of process ids, which two containers of one machine do not share. */
const ownSpace = lazy((): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined; // a system that shows neither: then start times and signs of life have to do
  }
});

/**
 * Field 22 of /proc/PID/stat, in ticks since the boot. The name before it stands in brackets and may hold spaces and
 * brackets of its own. A process that has ended keeps its id until its parent asks how it ended, which some parents
 * never do: `ended` is told of it in place of a time, which no owner of a lock has written.
 */
async function startOnLinux(pid: number): Promise<string | undefined> {
  // It has ended meanwhile, or /proc is not there.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'ended' : fields[19];
}

let lastAsked: { pid: number; at: number; start: Promise<string | undefined> } | undefined;

function startOnMac(pid: number): Promise<string | undefined> {
  if (lastAsked?.pid === pid && performance.now() - lastAsked.at < BELIEVED_MS) return lastAsked.start;
  const start = new Promise<string | undefined>((resolve) => {
    // In one language and one time zone: what is written by one process is compared by another.
    execFile(
      '/bin/ps',
      ['-o', 'lstart=', '-p', String(pid)],
      { env: { LC_ALL: 'C', TZ: 'UTC' }, timeout: 2_000 },
      (error, out) => resolve(error ? undefined : out.trim() || undefined),
    );
  });
  lastAsked = { pid, at: performance.now(), start };
  return start;
}

/** Who holds a lock, as written into its file. What an earlier version wrote has the first three alone. */
export interface LockOwner extends ProcessIdentity {
  token: string;
  pid: number;
  host: string;
  /** When the lock was taken, in milliseconds since the epoch. */
  since?: number;
}

/** This process as the owner of a lock that it takes now. */
export async function ownerHere(): Promise<LockOwner> {
  return { token: randomUUID(), pid: process.pid, host: hostname(), ...(await ownIdentity()), since: Date.now() };
}

/**
 * Makes a lock file with this process as its owner; undefined when there is one already. `mode`: rights of the file; as
 * usual when undefined. `says`: further fields of the file.
 */
export async function createLock(file: string, mode?: number, says?: object): Promise<LockOwner | undefined> {
  const owner = { ...says, ...(await ownerHere()) }; // before the file is made: one that is not signed at once looks abandoned
  const handle = await open(file, 'wx', mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!handle) return undefined;
  try {
    await handle.writeFile(JSON.stringify(owner));
  } catch (error) {
    await rm(file, { force: true }); // no space for the signature: an unsigned lock would be in everybody's way
    throw error;
  } finally {
    await handle.close();
  }
  return owner;
}

/**
 * The owner as written; null when the file says nothing (yet: its owner may have been killed between two system calls),
 * undefined when there is none.
 */
export async function readLockOwner(file: string): Promise<LockOwner | null | undefined> {
  try {
    return lockOwnerIn(await readFile(file, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

/** The owner that a lock's text names; null when it names none. */
export function lockOwnerIn(signature: string): LockOwner | null {
  try {
    const owner = JSON.parse(signature) as Partial<LockOwner>;
    return typeof owner.token === 'string' && typeof owner.pid === 'number' && typeof owner.host === 'string'
      ? (owner as LockOwner)
      : null;
  } catch {
    return null;
  }
}

/**
 * Whether the process that took a lock still runs. `lives` and `died` are certain. `unknown-here`: it ran on a machine
 * of this name, and its id or its start cannot be compared (another boot, another container, a system that does not
 * tell when a process began): its sign of life decides, by this machine's clock. `elsewhere`: it ran on another
 * machine: its sign of life decides, but the clock of that machine may differ from ours.
 */
type OwnerLife = 'lives' | 'died' | 'unknown-here' | 'elsewhere';

export async function lifeOf(owner: LockOwner, isAlive: (pid: number) => boolean = processIsAlive): Promise<OwnerLife> {
  if (owner.host !== hostname()) return 'elsewhere';
  if (owner.space !== undefined && ownSpace() !== undefined && owner.space !== ownSpace()) return 'unknown-here';
  if (!isAlive(owner.pid)) return 'died';
  const started = owner.started === undefined ? undefined : await startOfProcess(owner.pid);
  if (started === undefined) return 'unknown-here';
  return started === owner.started ? 'lives' : 'died';
}

/**
 * Watches an owner's signs of life where nothing else tells whether it lives. Clocks of two machines differ: what
 * counts is for how long a sign stands still while it is watched from here.
 */
export class SignWatch {
  readonly #now: () => number;
  #last: { sign: string; since: number } | undefined;

  /** @param now Monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds since the first of the looks that have seen this sign and no other since. */
  standsFor(sign: string): number {
    const now = this.#now();
    if (this.#last?.sign !== sign) this.#last = { sign, since: now };
    return now - this.#last.since;
  }
}

/** An owner signs its lock within microseconds of making it: one that stays unsigned was killed in between. */
export const UNSIGNED_MS = 2_000;

interface GuardOptions {
  /** How old a guard must be before its owner counts as dead where that cannot be told otherwise. */
  staleMs: number;
  /** Rights of the guard's file; as usual when undefined. */
  mode?: number;
  isAlive?: (pid: number) => boolean;
}

/**
 * Judges and replaces a lock while no other process does, so that nobody removes one that another has just made: a file
 * beside it guards that. It is signed like a lock, since its owner may be killed as well: nobody waits for one that
 * died on this machine. undefined: another process is at it.
 */
export async function whileGuarded<T>(
  file: string,
  options: GuardOptions,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const guard = `${file}.guard`;
  await removeAbandoned(guard, options);
  const owner = await createLock(guard, options.mode);
  if (!owner) return undefined;
  try {
    return await work();
  } finally {
    await giveUp(owner.token, guard);
  }
}

async function removeAbandoned(guard: string, { staleMs, isAlive }: GuardOptions): Promise<void> {
  const owner = await readLockOwner(guard);
  const found = await stat(guard).catch(() => undefined);
  if (owner === undefined || !found) return;
  const patience = owner ? staleMs : Math.min(UNSIGNED_MS, staleMs);
  const isOld = Math.abs(Date.now() - found.mtimeMs) > patience;
  if (isOld || (owner && (await lifeOf(owner, isAlive)) === 'died')) await removeIfOf(owner?.token, guard);
}

/** A lock that cannot be read or removed just now (a virus scanner or a backup has it open) is tried again so often. */
export const MOST_LOOKS = 10;
export const LOOK_AGAIN_MS = 20;

/**
 * Removes a lock with this token, nobody else's, which may have been made by now; undefined: one that is not signed.
 * @throws where it cannot be read or removed for longer than a moment
 */
async function removeIfOf(token: string | undefined, file: string): Promise<void> {
  for (let look = 1; ; look++) {
    const owner = await readLockOwner(file);
    if (owner === undefined || (owner && owner.token !== token)) return;
    try {
      if (owner?.token === token) return await rm(file, { force: true });
    } catch (error) {
      if (look === MOST_LOOKS) throw error;
    }
    if (look === MOST_LOOKS) throw new Error(`${file} cannot be read: whose lock it is cannot be told`);
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Gives up a lock of ours, which others wait for where it cannot be removed: what was done under it counts. */
export const giveUp = (token: string, file: string): Promise<boolean> =>
  removeIfOf(token, file).then(
    () => true,
    () => false,
  );
