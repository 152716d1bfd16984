import { createReadStream } from 'node:fs';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { hashOfParts, HoptrailError, isRemote, localPath } from '#base';
import { type IndexConfig, indexConfig } from '../../indexer/index-service.ts';

/** A socket's path may have 104 bytes on macOS and 108 on Linux. */
const LONGEST_ADDRESS = 100;
const OTHERS = 0o077;

/** What tells one program from another: only the very same build is spoken to. */
export interface Program {
  /** JavaScript file of the index process. */
  entry: string;
  modelsDir: string;
}

/**
 * Folder of the sockets, this user's alone; undefined on Windows, whose pipes have no folder that could keep others
 * out.
 */
export const socketFolder = (): string | undefined =>
  process.getuid === undefined ? undefined : path.join(tmpdir(), `hoptrail-${process.getuid()}`);

/**
 * Where the index process that writes an index can be met: a socket whose name follows from the index and the program.
 * Undefined where none may be: the index is not there yet, or the folder belongs to somebody else or lets others in.
 */
export async function sharedAddress(
  folder: string,
  program: Program,
  { indexUri }: Pick<IndexConfig, 'indexUri'>,
): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & OTHERS) !== 0) return undefined;
    const place = isRemote(indexUri) ? indexUri : await realpath(localPath(indexUri));
    const name = await hashOfParts(tellingParts(program, place), 24);
    const address = path.join(folder, `${name}.sock`);
    return Buffer.byteLength(address) <= LONGEST_ADDRESS ? address : undefined;
  } catch {
    return undefined; // each process then works for itself
  }
}

/** What tells one index, served by one program, from any other. */
async function* tellingParts({ entry, modelsDir }: Program, place: string): AsyncGenerator<string | Uint8Array> {
  yield `${path.resolve(modelsDir)}\0${place}\0`;
  for await (const chunk of createReadStream(entry)) yield chunk as Buffer;
}

/** The first message of a guest: which index it wants, and how. */
export const guestHello = z.object({ type: z.literal('hello'), config: indexConfig });
export type GuestHello = z.infer<typeof guestHello>;

/**
 * What a guest is answered first; where it is not let in, the connection ends. From then on both speak as a process and
 * its child do.
 */
export const welcome = z.object({ type: z.literal('welcome') });
export type Welcome = z.infer<typeof welcome>;

/** A shared process cannot do what a guest asks: the guest starts an index process of its own and asks that one. */
export class NotSharedError extends HoptrailError {
  readonly code = 'index-process-not-shared';
  constructor() {
    super('This needs an index process of its own.');
  }
}

/**
 * Whether the process that opened an index as `open` can serve a guest that wants it as `wanted`. A guest that only
 * follows does not say how files are read. A guest that takes over the lease believes that this process is gone, and is
 * not served.
 */
export function serves(open: IndexConfig, wanted: IndexConfig): boolean {
  if (wanted.takeOver) return false;
  const same = <K extends keyof IndexConfig>(key: K): boolean => isDeepStrictEqual(open[key], wanted[key]);
  const uris = (config: IndexConfig): string[] => config.roots.map(({ uri }) => uri);
  if (!same('embedder') || !same('storageOptions')) return false;
  if (wanted.follow) return isDeepStrictEqual(uris(open), uris(wanted));
  return same('roots') && same('excludeGlobs') && same('useGitignore') && same('maxFileBytes');
}
