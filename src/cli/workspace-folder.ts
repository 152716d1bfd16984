import { realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkspaceRoot } from '../model/source-file.ts';
import { NoSuchFolderError } from './cli-error.ts';

/** A folder named on the command line as the one root of a workspace. @throws NoSuchFolderError for one that is not there, unless `mayBeGone` says of its path that it was */
export function workspaceFolder(directory: string, { mayBeGone = () => false }: { mayBeGone?(path: string): boolean } = {}): WorkspaceRoot & { directory: string } {
  const path = resolve(directory);
  try {
    if (!statSync(path).isDirectory()) throw new NoSuchFolderError(`${path} is a file, not a folder.`, { advice: 'Name the folder that holds your documents.' });
  } catch (cause) {
    if (cause instanceof NoSuchFolderError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT' && mayBeGone(path)) return rootAt(path);
    const problem = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : `cannot be read (${(cause as Error).message})`;
    throw new NoSuchFolderError(`The folder ${path} ${problem}.`, { cause, advice: 'Check the path.' });
  }
  return rootAt(realpathSync(path));
}

const rootAt = (path: string): WorkspaceRoot & { directory: string } => ({ directory: path, uri: pathToFileURL(path).href.replace(/\/$/, ''), name: basename(path) });
