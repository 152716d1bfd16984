import { readingLimits } from '../reading-limits.ts';
import { FileTooLargeError, type FileSystem } from '../file-system.ts';
import { ignoresCase } from './root-paths.ts';

/** What git tracks, by path from the repository's top with slashes, as {@link sameCase} writes it. */
export interface TrackedPaths {
  files: ReadonlySet<string>;
  /** All folders above tracked files. */
  folders: ReadonlySet<string>;
}

/** A path as it is compared. */
export const sameCase = (path: string): string => (ignoresCase ? path.toLowerCase() : path);

/** Bytes of an entry before its flags: times, device, owner, size (40) and the name of its content (20, SHA-1). */
const BEFORE_FLAGS = 60;
const EXTENDED = 0x4000;
/** Types of entries, in the upper bits of their mode: files, links, folders that a sparse checkout left out. */
const TYPES = new Set([0o100000, 0o120000, 0o040000]);
const TYPE_OF_SUBMODULE = 0o160000;

/**
 * The paths in repositories' indexes (gitformat-index(5), versions 2 to 4), which git keeps whatever `.gitignore` says.
 * Each is read again when it has changed.
 */
export class GitIndexes {
  readonly #read = new Map<string, { stamp: string; paths: Promise<TrackedPaths | undefined> }>();

  /** Undefined where there is no index, or one of another format (SHA-256, a split index), or one that is too large. */
  async pathsIn(file: string, files: FileSystem): Promise<TrackedPaths | undefined> {
    try {
      const { mtimeMs, size } = await files.stat(file);
      const stamp = `${mtimeMs} ${size}`;
      const known = this.#read.get(file);
      if (known?.stamp === stamp) return await known.paths;
      const paths = readIndex(file, files);
      // Whoever asks while it is read waits for the same.
      this.#read.set(file, { stamp, paths });
      paths.catch((error: unknown) => {
        // What could not be opened just now is tried again by who asks next.
        if (!isOfItsBytes(error) && this.#read.get(file)?.paths === paths) this.#read.delete(file);
      });
      return await paths;
    } catch {
      return undefined; // as with rules that cannot be read: they do not apply
    }
  }
}

/** A failure that comes again as long as the file is the same. */
const isOfItsBytes = (error: unknown): boolean => error instanceof RangeError || error instanceof FileTooLargeError;

/** Rejects with RangeError when the bytes end too early. */
async function readIndex(file: string, files: FileSystem): Promise<TrackedPaths | undefined> {
  const read = await files.read(file, { maxBytes: readingLimits.gitIndexBytes });
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const tracked = new Set<string>();
  const folders = new Set<string>();
  let at = 12;
  let name = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const mode = bytes.readUInt32BE(start + 24);
    const flags = bytes.readUInt16BE(start + BEFORE_FLAGS);
    at += BEFORE_FLAGS + 2 + (version >= 3 && flags & EXTENDED ? 2 : 0);
    let kept = 0; // bytes of the name before, with which this one begins
    if (version === 4) {
      const cut = readOffset(bytes, at);
      kept = name.length - cut.value;
      at = cut.end;
    }
    const end = bytes.indexOf(0, at);
    const type = mode & 0o170000;
    if (end < 0 || kept < 0 || !(TYPES.has(type) || type === TYPE_OF_SUBMODULE)) return undefined;
    name = Buffer.concat([name.subarray(0, kept), bytes.subarray(at, end)]);
    // Names of versions 2 and 3 are padded to a multiple of eight bytes.
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
    const path = sameCase(name.toString('utf8'));
    if (path === '') return undefined; // a split index has the names elsewhere
    if (type === TYPE_OF_SUBMODULE) continue; // a repository of its own
    tracked.add(path);
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { files: tracked, folders };
}

/** A number of variable length, as git writes offsets: seven bits a byte, each further byte adding one. */
function readOffset(bytes: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let byte = bytes.readUInt8(at++);
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}
