import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileTooLargeError, type FileSystem } from '../reading/file-system.ts';
import { foldersOfIgnoreFiles } from './walked-files.ts';

/** What an editor shows of a file; null: what lies on disk counts (again). */
export interface UnsavedText {
  /** `file:` URI. */
  uri: string;
  text: string | null;
}

interface Shown {
  bytes: Uint8Array;
  mtimeMs: number;
}

/**
 * The texts that editors show and have not saved. Whoever reads a file through {@link over} gets them in place of what
 * lies on disk, so that everything after that (passages, lines, citations) is of what a person sees.
 */
export class UnsavedTexts {
  readonly #texts = new Map<string, Shown>();
  readonly #now: () => number;

  /** @param now Milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Takes one text, or gives it up for the disk's. Files that say what is ignored hold as they are saved.
   *
   * @returns whether the file is to be read again
   */
  set({ uri, text }: UnsavedText): boolean {
    const file = pathOf(uri);
    if (text === null || foldersOfIgnoreFiles([uri]).size > 0) return this.#texts.delete(file);
    const bytes = Buffer.from(text);
    const before = this.#texts.get(file);
    if (before && Buffer.compare(before.bytes, bytes) === 0) return false;
    // No file was saved before 1970: what the index notes of this text is never taken for the disk's.
    this.#texts.set(file, { bytes, mtimeMs: -this.#now() });
    return true;
  }

  /** The bytes that an editor shows of a file (`file:` URI); undefined: what lies on disk counts. */
  bytesOf(uri: string): Uint8Array | undefined {
    return this.#texts.get(pathOf(uri))?.bytes;
  }

  /** The disk, with these texts in place of the files that they are of. A file that is gone from disk stays gone. */
  over(disk: FileSystem): FileSystem {
    return {
      ...disk,
      stat: async (file) => {
        const stats = await disk.stat(file);
        const shown = this.#texts.get(path.resolve(file));
        return shown && stats.kind === 'file' ? { ...stats, size: shown.bytes.length, mtimeMs: shown.mtimeMs } : stats;
      },
      read: (file, options) => {
        const shown = this.#texts.get(path.resolve(file));
        return shown ? upTo(shown.bytes, file, options.maxBytes) : disk.read(file, options);
      },
    };
  }
}

/** Bytes as if they were read from the file. @throws FileTooLargeError when there are more than may be read */
export async function upTo(bytes: Uint8Array, file: string, maxBytes: number): Promise<Uint8Array> {
  if (bytes.length > maxBytes) throw new FileTooLargeError(file, maxBytes);
  return bytes;
}

const pathOf = (uri: string): string => path.resolve(fileURLToPath(uri));
