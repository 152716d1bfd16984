import { lstat, readdir, readFile, realpath } from 'node:fs/promises';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/** Port: the disk, as reading needs it. Every method rejects with Node's errors (`code` is ENOENT, EACCES, …). */
export interface FileSystem {
  list(folder: string): Promise<{ name: string; kind: EntryKind }[]>;
  /** Of the entry itself: links are not followed. */
  stat(path: string): Promise<{ size: number; mtimeMs: number; kind: EntryKind }>;
  /** The path with all links followed. */
  realPath(path: string): Promise<string>;
  read(path: string): Promise<Uint8Array>;
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): EntryKind {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}

/** The real disk. */
export const nodeFileSystem: FileSystem = {
  list: async (folder) => (await readdir(folder, { withFileTypes: true })).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  stat: async (path) => {
    const stats = await lstat(path);
    return { size: stats.size, mtimeMs: stats.mtimeMs, kind: kindOf(stats) };
  },
  realPath: (path) => realpath(path),
  read: (path) => readFile(path),
};

/** Node's error code; '' when there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** True when the error says that the entry, or a folder above it, is no longer there. */
export const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ESTALE'].includes(errorCode(error));
