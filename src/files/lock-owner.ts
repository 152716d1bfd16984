import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { ownIdentity, ownSpace, processIsAlive, startOfProcess, type ProcessIdentity } from './process-identity.ts';

/** Who holds a lock, as written into its file. What an earlier version wrote has the first three alone. */
export interface LockOwner extends ProcessIdentity {
  token: string;
  pid: number;
  host: string;
  /** When the lock was taken, in milliseconds since the epoch. */
  since?: number;
}

/** Makes a lock file with this process as its owner; undefined when there is one already. `mode`: rights of the file; as usual when undefined. */
export async function createLock(file: string, mode?: number): Promise<LockOwner | undefined> {
  const identity = await ownIdentity(); // before the file is made: one that is not signed at once looks abandoned
  const handle = await createExclusively(file, mode);
  if (!handle) return undefined;
  const owner: LockOwner = { token: randomUUID(), pid: process.pid, host: hostname(), ...identity, since: Date.now() };
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

/** The owner as written; null when the file says nothing (yet: its owner may have been killed between two system calls), undefined when there is none. */
export async function readLockOwner(file: string): Promise<LockOwner | null | undefined> {
  try {
    const owner = JSON.parse(await readFile(file, 'utf8')) as Partial<LockOwner>;
    return typeof owner.token === 'string' && typeof owner.pid === 'number' && typeof owner.host === 'string' ? (owner as LockOwner) : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

/**
 * Whether the process that took a lock still runs. `lives` and `died` are certain. `unknown-here`: it ran on a machine of this name, and its id or
 * its start cannot be compared (another boot, another container, a system that does not tell when a process began): its sign of life decides, by this
 * machine's clock. `elsewhere`: so for another machine, whose clock may be another.
 */
export type OwnerLife = 'lives' | 'died' | 'unknown-here' | 'elsewhere';

export async function lifeOf(owner: LockOwner, isAlive: (pid: number) => boolean = processIsAlive): Promise<OwnerLife> {
  if (owner.host !== hostname()) return 'elsewhere';
  if (owner.space !== undefined && ownSpace() !== undefined && owner.space !== ownSpace()) return 'unknown-here';
  if (!isAlive(owner.pid)) return 'died';
  const started = owner.started === undefined ? undefined : await startOfProcess(owner.pid);
  if (started === undefined) return 'unknown-here';
  return started === owner.started ? 'lives' : 'died';
}

/**
 * Judges and replaces a lock while no other process does, so that nobody removes one that another has just made: a file beside it guards that, whose
 * own owner counts as killed after `staleMs`. undefined when another is at it.
 */
export async function whileGuarded<T>(file: string, { staleMs, mode }: { staleMs: number; mode?: number }, work: () => Promise<T>): Promise<T | undefined> {
  const guard = `${file}.guard`;
  const age = await stat(guard).then((found) => Date.now() - found.mtimeMs, () => 0);
  if (Math.abs(age) > staleMs) await rm(guard, { force: true });
  const handle = await createExclusively(guard, mode);
  if (!handle) return undefined;
  try {
    return await work();
  } finally {
    await handle.close();
    await rm(guard, { force: true });
  }
}

/** undefined when it is there already. */
async function createExclusively(file: string, mode?: number): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'wx', mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}
