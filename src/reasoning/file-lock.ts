import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who holds a lock, as written into its file. */
interface LockOwner {
  token: string;
  pid: number;
  host: string;
}

export interface FileLockOptions {
  /** Milliseconds of our watching after which an owner that may live still counts as dead: a file is changed in far less. */
  staleMs?: number;
  /** Milliseconds between looks at a lock that somebody else holds. */
  pollMs?: number;
  isAlive?: (pid: number) => boolean;
}

/**
 * Does work on a file while no other process does: one lock file beside it, `<path>.lock`, made exclusively. What is read, changed and
 * replaced in between is lost to nobody. For work of milliseconds: others wait. The lock of an owner that died on this machine is taken
 * over at once, any other that stands still for `staleMs` as well. @throws what the file system says of a place that cannot be written
 */
export async function whileLocked<T>(path: string, work: () => Promise<T>, { staleMs = 10_000, pollMs = 10, isAlive = processIsAlive }: FileLockOptions = {}): Promise<T> {
  const file = `${path}.lock`;
  await mkdir(dirname(file), { recursive: true });
  const token = await acquire(file, { staleMs, pollMs, isAlive });
  try {
    return await work();
  } finally {
    if ((await readOwner(file))?.token === token) await rm(file, { force: true });
  }
}

async function acquire(file: string, { staleMs, pollMs, isAlive }: Required<FileLockOptions>): Promise<string> {
  let watched: { sign: string; since: number } | undefined;
  for (;;) {
    const token = await create(file);
    if (token !== undefined) return token;
    const owner = await readOwner(file);
    const sign = owner?.token ?? '';
    if (watched?.sign !== sign) watched = { sign, since: performance.now() };
    const dead = owner?.host === hostname() && !isAlive(owner.pid);
    if (dead || performance.now() - watched.since > staleMs) await removeLockOf(sign, file, staleMs);
    else await sleep(pollMs * (0.5 + Math.random()));
  }
}

/** Its token; undefined when there is a lock already. */
async function create(file: string): Promise<string | undefined> {
  const handle = await createExclusively(file);
  if (!handle) return undefined;
  const owner: LockOwner = { token: randomUUID(), pid: process.pid, host: hostname() };
  await handle.writeFile(JSON.stringify(owner)).finally(() => handle.close());
  return owner.token;
}

/** Only one process at a time judges and removes, so that nobody removes the lock that another has just made. */
async function removeLockOf(token: string, file: string, staleMs: number): Promise<void> {
  const guard = `${file}.guard`;
  const age = await stat(guard).then((found) => Date.now() - found.mtimeMs, () => 0);
  if (Math.abs(age) > staleMs) await rm(guard, { force: true }); // its owner was killed
  const handle = await createExclusively(guard);
  if (!handle) return void (await sleep(1));
  try {
    const owner = await readOwner(file);
    if (owner !== undefined && (owner?.token ?? '') === token) await rm(file, { force: true });
  } finally {
    await handle.close();
    await rm(guard, { force: true });
  }
}

/** undefined when it is there already. */
async function createExclusively(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/** The owner as written; null when the file says nothing (yet), undefined when there is none. */
async function readOwner(file: string): Promise<LockOwner | null | undefined> {
  try {
    const owner = JSON.parse(await readFile(file, 'utf8')) as Partial<LockOwner>;
    return typeof owner.token === 'string' && typeof owner.pid === 'number' && typeof owner.host === 'string' ? (owner as LockOwner) : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it lives, and belongs to somebody else
  }
}
