import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { cacheFolder, hashOf, hashOfParts, HoptrailError, isRemote, lifeOf, localPath, readLockOwner } from '#base';
import type { IndexConfig } from '../indexer/index-service.ts';
import { lockFileIn } from '../store/writer-lease.ts';

/** Where the daemon of an index is met: its lock file names its socket or pipe, and the secret that opens it. */
export interface DaemonPlace {
  /** Path of a socket, or name of a Windows pipe. */
  address: string;
  /** Base64. Only this user can read the lock file that holds it. */
  secret: string;
  /** Hash of the program; see {@link programOf}. */
  program: string;
}

const place = z.object({ address: z.string().min(1), secret: z.string().min(16), program: z.string() });

/** A socket's path may have 104 bytes on macOS and 108 on Linux. */
const LONGEST_ADDRESS = 100;
const OTHERS = 0o077;

/** No folder was found in which only this user could meet a process of theirs. */
class NoPrivateFolderError extends HoptrailError {
  readonly code = 'index-process-unavailable';
  constructor(tried: readonly string[]) {
    super(`The index process cannot be started: no folder is this user's alone (tried ${tried.join(', ')}).`, {
      advice: 'Make one of them a folder of your own with the mode 700, or set TMPDIR to one.',
      action: 'show-log',
    });
  }
}

/**
 * A folder that only this user may enter, for sockets and logs: below the system's folder for temporary files, or else
 * below the cache. On Windows both are the user's own.
 */
export async function privateFolder(): Promise<string> {
  const user = process.getuid?.();
  const tried = [path.join(tmpdir(), user === undefined ? 'hoptrail' : `hoptrail-${user}`), runFolder()];
  for (const folder of tried) {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined); // looked at next
    const found = await lstat(folder).catch(() => undefined);
    if (!found?.isDirectory()) continue;
    if (user !== undefined && (found.uid !== user || (found.mode & OTHERS) !== 0)) continue;
    if (Buffer.byteLength(path.join(folder, socketName())) <= LONGEST_ADDRESS) return folder;
  }
  throw new NoPrivateFolderError(tried);
}

const runFolder = (): string => path.join(cacheFolder(), 'run');
const socketName = (): string => `${randomBytes(8).toString('hex')}.sock`;

/** A new address and secret, for a daemon that is about to listen. */
export async function newPlace(folder: string, program: string): Promise<DaemonPlace> {
  const address =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\hoptrail-${randomBytes(16).toString('hex')}`
      : path.join(folder, socketName());
  return { address, secret: randomBytes(32).toString('base64'), program };
}

/**
 * Lock files of an index, in the order in which they are tried. The first lies beside the index, or in this user's
 * cache for an index that lies elsewhere. The second is for a place that cannot be written now; it lies on another
 * disk, where there is one.
 */
export async function lockFilesOf({ indexUri }: Pick<IndexConfig, 'indexUri'>): Promise<string[]> {
  const lockIn = (folder: string, index: string): string => path.join(folder, `${hashOf(index, 24)}.lock`);
  if (isRemote(indexUri)) return [lockIn(runFolder(), indexUri)];
  const folder = localPath(indexUri);
  return [lockFileIn(folder), lockIn(await privateFolder(), await realpath(folder).catch(() => folder))];
}

/** A daemon, as its lock file tells of it. */
export interface FoundDaemon {
  pid: number;
  /** Whether its process certainly lives; Windows does not tell that of a process that has its id. */
  lives: boolean;
  /** Undefined where the owner of the lock is no daemon of this version. */
  place?: DaemonPlace;
}

/** The daemon of an index on this machine; undefined where there is certainly none. */
export async function findDaemon(locks: readonly string[]): Promise<FoundDaemon | undefined> {
  for (const lock of locks) {
    const owner = await readLockOwner(lock);
    if (!owner) continue;
    const life = await lifeOf(owner);
    const named = place.safeParse(owner);
    if (life === 'lives' || (life === 'unknown-here' && named.success))
      return { pid: owner.pid, lives: life === 'lives', ...(named.success && { place: named.data }) };
  }
  return undefined;
}

/** What tells one build of this program from another: a hash of the file that runs, and of where its models lie. */
export function programOf({ entry, modelsDir }: { entry: string; modelsDir: string }): Promise<string> {
  return hashOfParts(
    (async function* () {
      yield `${path.resolve(modelsDir)}\0`;
      for await (const chunk of createReadStream(entry)) yield chunk as Buffer;
    })(),
    24,
  );
}

/** Sockets of daemons that were killed are removed once they are so old: a young one may be about to listen. */
const SWEPT_AFTER_MS = 10_000;

/** Removes the sockets at which nobody listens any more. */
export async function sweepSockets(folder: string, now = Date.now()): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.sock'));
  for (const name of names) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && now - found.mtimeMs > SWEPT_AFTER_MS && (await isDead(file))) await rm(file, { force: true });
  }
}

const isDead = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(address, () => resolve(false));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
    socket.once('connect', () => socket.destroy());
  });

/**
 * What each side sends to show that it knows the secret, without sending it: whoever listens in its place learns
 * nothing.
 */
export const proofOf = (secret: string, side: 'daemon' | 'client', nonce: string): string =>
  createHmac('sha256', secret).update(`${side}\0${nonce}`).digest('base64');

export function isProof(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export const newNonce = (): string => randomBytes(16).toString('base64');
