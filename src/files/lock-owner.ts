import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Who holds a lock, as written into its file. */
export interface LockOwner {
  token: string;
  pid: number;
  host: string;
}

/** Makes a lock file with this process as its owner; undefined when there is one already. `mode`: rights of the file; as usual when undefined. */
export async function createLock(file: string, mode?: number): Promise<LockOwner | undefined> {
  const handle = await createExclusively(file, mode);
  if (!handle) return undefined;
  const owner: LockOwner = { token: randomUUID(), pid: process.pid, host: hostname() };
  await handle.writeFile(JSON.stringify(owner)).finally(() => handle.close());
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

/** True when the owner's process ran on this machine and runs no more. */
export const hasDied = (owner: LockOwner, isAlive: (pid: number) => boolean): boolean => owner.host === hostname() && !isAlive(owner.pid);

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

export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it lives, and belongs to somebody else
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
