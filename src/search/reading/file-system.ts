import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { HoptrailError } from '#base';
import { type Swap, swapInWords } from '../domain/file-cause.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface ReadOptions {
  /** Rejects with FileTooLargeError when the file holds more, however large it says that it is. */
  maxBytes: number;
  /**
   * The folder that the file must lie in. Links are not followed then: a path that leads elsewhere, because it or a
   * folder above it was swapped for a link meanwhile, rejects with SwappedPathError.
   */
  within?: string;
}

/** Port: the disk, as reading needs it. Every method rejects with Node's errors (`code` is ENOENT, EACCES, …). */
export interface FileSystem {
  list(folder: string): Promise<{ name: string; kind: EntryKind }[]>;
  /** Of the entry itself: links are not followed. `stamp`: see SourceFile. */
  stat(path: string): Promise<{ size: number; mtimeMs: number; kind: EntryKind; stamp?: string }>;
  /** The path with all links followed. */
  realPath(path: string): Promise<string>;
  /**
   * The bytes of a regular file. Pipes, devices and the like are never read: they could give bytes without end, or none
   * for ever.
   */
  read(path: string, options: ReadOptions): Promise<Uint8Array>;
}

/** The file holds more bytes than may be read. */
export class FileTooLargeError extends HoptrailError {
  readonly code = 'file-too-large';
  constructor(file: string, maxBytes: number) {
    super(`${file} holds more than ${maxBytes} bytes`, {
      advice: 'Leave it out, or raise the limit (hoptrail.index.maxFileSize).',
    });
  }
}

/** What was to be read is another file by now, lies elsewhere, or is no file at all. */
export class SwappedPathError extends HoptrailError {
  readonly code = 'path-swapped';
  constructor(
    file: string,
    readonly by: Swap,
    cause?: unknown,
  ) {
    super(`${file} is not read: ${swapInWords(by)}`, {
      cause,
      advice: 'Update the index again when nothing changes the folder.',
    });
  }
}

/** The real disk. */
export const nodeFileSystem: FileSystem = {
  list: async (folder) =>
    (await readdir(folder, { withFileTypes: true })).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  stat: async (file) => {
    const stats = await lstat(file);
    const { size, mtimeMs, ctimeMs, ino } = stats;
    return { size, mtimeMs, kind: kindOf(stats), stamp: `${ctimeMs} ${ino}` };
  },
  realPath: (file) => realpath(file),
  read: async (file, options) => readRegularFile(file, options),
};

/**
 * Without a wait in between: the process that reads files has nothing else to do, and each wait would cost more than
 * what it waits for.
 */
function readRegularFile(file: string, { maxBytes, within }: ReadOptions): Uint8Array {
  const before = within === undefined ? undefined : lstatSync(file);
  if (before?.isSymbolicLink()) throw new SwappedPathError(file, 'link');
  if (before && !before.isFile()) throw new SwappedPathError(file, 'no-file');
  const descriptor = openForReading(file, within !== undefined);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new SwappedPathError(file, 'no-file');
    if (before && !isSameFile(before, stats)) throw new SwappedPathError(file, 'other-file');
    if (within !== undefined) assertWithin(descriptor, file, within);
    return readUpTo(descriptor, stats.size, file, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

function openForReading(file: string, noFollow: boolean): number {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would never return. Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (noFollow ? (constants.O_NOFOLLOW ?? 0) : 0);
  try {
    return openSync(file, flags);
  } catch (error) {
    // ELOOP is what O_NOFOLLOW makes of a link.
    throw noFollow && errorCode(error) === 'ELOOP' ? new SwappedPathError(file, 'link', error) : error;
  }
}

const isSameFile = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino;

/**
 * A folder on the way may have been swapped for a link before the file was opened: what counts is where the opened file
 * lies.
 */
function assertWithin(descriptor: number, file: string, folder: string): void {
  const relative = path.relative(realpathSync(folder), realPathOf(descriptor, file));
  const outside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  if (outside) throw new SwappedPathError(file, 'link-above');
}

/**
 * Linux knows it of the opened file itself; elsewhere, and in a container without /proc, the path is looked at once
 * more.
 */
function realPathOf(descriptor: number, file: string): string {
  if (process.platform !== 'linux') return realpathSync(file);
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return realpathSync(file);
  }
}

/** Reads to the end of the file, which may not be where its size says. */
function readUpTo(descriptor: number, size: number, file: string, maxBytes: number): Uint8Array {
  // One byte more than it should hold, so that its end is noticed without a second buffer.
  let buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length > maxBytes) throw new FileTooLargeError(file, maxBytes);
      const larger = Buffer.allocUnsafe(Math.min(maxBytes + 1, Math.max(length * 2, 4096)));
      buffer.copy(larger);
      buffer = larger;
    }
    const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryKind {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}

/** Node's error code; '' when there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** True when the error says that the entry, or a folder above it, is no longer there. */
export const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ESTALE'].includes(errorCode(error));
