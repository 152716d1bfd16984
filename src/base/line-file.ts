import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HoptrailError } from './errors.ts';
import { HeldLock, type LockOptions, whileLocked } from './held-lock.ts';
import { replaceFile } from './paths.ts';
import { isAbortError } from './waiting.ts';

/** A file of what was learnt that cannot be read or written. */
export class LearningFileError extends HoptrailError {
  readonly code = 'learning-file';
}

/** Port: a text of lines that several windows may change. */
export interface LineFile {
  /** '' when there is none yet. */
  read(): Promise<string>;
  /** All or nothing: a reader never sees half of it. What stands there is not read. */
  replace(text: string): Promise<void>;
  /** Reads, changes and replaces it while nobody else does. */
  change<T>(change: (text: string) => { text: string; result: T }): Promise<T>;
}

async function attempt<T>(path: string, what: 'read' | 'written', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof LearningFileError || isAbortError(cause)) throw cause;
    throw new LearningFileError(`${path} cannot be ${what}: ${(cause as Error).message}`, {
      cause,
      advice: 'Check that the folder exists and may be written, and that the disk is not full.',
    });
  }
}

/** Rights of what is learnt: it is its owner's alone. */
const MODE = 0o600;

/**
 * Lets one process at a time do work, for hours maybe: a lock file tells the others.
 * @param refusal What is thrown where another process is at it.
 */
export function turnsOnDisk(
  path: string,
  refusal: () => Error,
  options: LockOptions = {},
): <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  const lock = new HeldLock(path, options, MODE);
  return async (work, signal) => {
    const lease = await attempt(path, 'written', () => lock.acquireUnlessAlive(signal));
    if (!lease) throw refusal();
    try {
      return await work();
    } finally {
      await lease.release();
    }
  };
}

/** A line file on disk; its folder is made when it is first written. @throws LearningFileError naming the file. */
export function fileOnDisk(path: string): LineFile {
  const put = async (text: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text, MODE);
  };
  const file: LineFile = {
    read: () =>
      attempt(path, 'read', async () => {
        try {
          return await readFile(path, 'utf8');
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
          throw error;
        }
      }),
    replace: (text) => attempt(path, 'written', () => whileLocked(path, () => put(text))),
    change: (change) =>
      attempt(path, 'written', () =>
        whileLocked(path, async () => {
          const { text, result } = change(await file.read());
          await put(text);
          return result;
        }),
      ),
  };
  return file;
}

/** A JSON value in a file: state that is replaced as a whole. undefined: nothing stored, before and after. */
export interface JsonFile {
  load(): Promise<unknown>;
  save(value: unknown): Promise<void>;
  /** Loads, changes and saves it while nobody else does. */
  change(change: (value: unknown) => unknown): Promise<void>;
}

/** @throws LearningFileError */
export function jsonOnDisk(path: string): JsonFile {
  const file = fileOnDisk(path);
  const read = (text: string): unknown => {
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new LearningFileError(`${path} is damaged: it holds no JSON.`, {
        cause,
        advice: 'Delete it, or reset what was learnt.',
      });
    }
  };
  const textOf = (value: unknown): string => (value === undefined ? '' : `${JSON.stringify(value)}\n`);
  return {
    load: async () => read(await file.read()),
    save: (value) => file.replace(textOf(value)),
    change: (change) => file.change((text) => ({ text: textOf(change(read(text))), result: undefined })),
  };
}
