import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes a folder and those above it that are missing; one that is there is left as it is. Each is tried twice at most:
 * Node's own recursive `mkdir` tries for ever where the file system says of a place that it is not there and makes no
 * folder in it either (/proc). @throws what the file system says
 */
export async function makeFolder(folder: string): Promise<void> {
  const failure = await tryToMake(folder);
  if (!failure) return;
  const parent = dirname(folder);
  if (failure.code !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw failure;
  await makeFolder(parent);
  const again = await tryToMake(folder);
  if (again) throw again;
}

/** The failure; undefined when the folder is there now. */
async function tryToMake(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder);
    return undefined;
  } catch (error) {
    return (await isFolder(folder)) ? undefined : (error as NodeJS.ErrnoException);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Of this process: no two of them write the same file at once. */
let replacements = 0;

/**
 * Gives a file another content, all or nothing: a reader never sees half of it. `mode`: rights of the file; as usual
 * when undefined.
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  const next = `${path}.${process.pid}.${++replacements}.next`;
  try {
    // On the disk before it takes the other's place: after a power cut there is the one or the other, whole.
    await writeFile(next, text, { mode, flush: true });
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined); // half of it, where the disk is full
    throw error;
  }
}

const IS_FILE = /^file:/i;

/** True for an address of something that does not lie in this file system: `s3://…`, not `file:///…`. */
export const isRemote = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]+:\/\//i.test(address) && !IS_FILE.test(address);

/** The absolute path that a path or a `file:` address names. */
export const localPath = (address: string): string =>
  IS_FILE.test(address) ? fileURLToPath(address) : resolve(address);

/** A path or address without the slashes at its end. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === '/') end -= 1;
  return path.slice(0, end);
}

/** Folder in which what can be made again is kept for this user, apart from that of other programs. */
export function cacheFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const under = (): string => {
    const named = environment['XDG_CACHE_HOME'];
    if (named && isAbsolute(named)) return named; // another is to be ignored, says the XDG specification
    if (platform === 'win32') return environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
    if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
    return join(homedir(), '.cache');
  };
  return join(under(), 'hoptrail');
}
