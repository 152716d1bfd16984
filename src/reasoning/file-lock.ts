import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLock, lifeOf, readLockOwner, whileGuarded } from '../files/lock-owner.ts';
import { makeFolder } from '../files/make-folder.ts';
import { processIsAlive } from '../files/process-identity.ts';

/** Rights of lock files: what is learnt is its owner's alone. */
const MODE = 0o600;

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
  await makeFolder(dirname(file));
  const token = await acquire(file, { staleMs, pollMs, isAlive });
  try {
    return await work();
  } finally {
    if ((await readLockOwner(file))?.token === token) await rm(file, { force: true });
  }
}

async function acquire(file: string, { staleMs, pollMs, isAlive }: Required<FileLockOptions>): Promise<string> {
  let watched: { sign: string; since: number } | undefined;
  for (;;) {
    const made = await createLock(file, MODE);
    if (made) return made.token;
    const owner = await readLockOwner(file);
    const sign = owner?.token ?? '';
    if (watched?.sign !== sign) watched = { sign, since: performance.now() };
    const dead = owner ? (await lifeOf(owner, isAlive)) === 'died' : false;
    if (dead || performance.now() - watched.since > staleMs) await removeLockOf(sign, file, staleMs);
    else await sleep(pollMs * (0.5 + Math.random()));
  }
}

async function removeLockOf(token: string, file: string, staleMs: number): Promise<void> {
  const judged = await whileGuarded(file, { staleMs, mode: MODE }, async () => {
    const owner = await readLockOwner(file);
    if (owner !== undefined && (owner?.token ?? '') === token) await rm(file, { force: true });
    return true;
  });
  if (!judged) await sleep(1);
}
