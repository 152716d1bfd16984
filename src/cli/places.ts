import { homedir } from 'node:os';
import { basename, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { cacheFolder } from '#base';
import { nameOfFolders, type WorkspaceRoot } from '#search';
import { NoSuchFolderError, UsageError } from './exit.ts';

/**
 * Index folder of a workspace that no editor has opened: under the user's cache, never in the workspace. Several
 * folders have one of their own, whatever their order.
 */
export function defaultIndexUri(
  directory: string | readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(cacheFolder(environment, platform), nameOfFolders([directory].flat()));
}

/** Folder of what the command line learns from its runs. */
export const learningFolder = (): string => join(cacheFolder(process.env, process.platform), 'learning');

/**
 * A folder named on the command line as the one root of a workspace. @throws NoSuchFolderError for one that is not
 * there, unless `mayBeGone` says of its path that it was
 */
export function workspaceFolder(
  directory: string,
  { mayBeGone = () => false }: { mayBeGone?(path: string): boolean } = {},
): WorkspaceRoot & { directory: string } {
  const path = resolve(directory);
  try {
    if (!statSync(path).isDirectory())
      throw new NoSuchFolderError(`${path} is a file, not a folder.`, {
        advice: 'Name the folder that holds your documents.',
      });
  } catch (cause) {
    if (cause instanceof NoSuchFolderError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT' && mayBeGone(path)) return rootAt(path);
    const problem =
      (cause as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'does not exist'
        : `cannot be read (${(cause as Error).message})`;
    throw new NoSuchFolderError(`The folder ${path} ${problem}.`, { cause, advice: 'Check the path.' });
  }
  return rootAt(realpathSync(path));
}

/**
 * The folder that a command is about: the one that is named, else the current one. @throws UsageError where that holds
 * everything that somebody has
 */
export function folderOrHere(named: string | undefined, here = process.cwd()): string {
  if (named !== undefined) return named;
  if (here === homedir() || here === parse(here).root)
    throw new UsageError(`No folder is named, and the current one is ${here}.`, {
      advice: 'Name the folder that holds your documents, or go there first.',
    });
  return here;
}

/**
 * A folder and what is asked of it. Where one word alone is typed, that is asked of the current folder, unless it may
 * name another. @throws UsageError where nothing is asked
 */
export function folderAndText(
  what: string,
  [first, second]: readonly (string | undefined)[],
  here = process.cwd(),
): [folder: string, text: string] {
  if (first !== undefined && second !== undefined) return [first, second];
  if (first === undefined || existsSync(resolve(here, first)) || (/[\\/]/u.test(first) && !/\s/u.test(first)))
    throw new UsageError(`The ${what} is missing.`, {
      advice:
        'Write it after the folder (a dot for the current one), in quotation marks, and before options that ' +
        'take several values, such as --path.',
    });
  return [folderOrHere(undefined, here), first];
}

const rootAt = (path: string): WorkspaceRoot & { directory: string } => ({
  directory: path,
  uri: pathToFileURL(path).href.replace(/\/$/, ''),
  name: basename(path),
});

/**
 * Paths named on the command line as the index writes them: relative to the workspace folder, `/` between folders. A
 * path may be given relative to that folder, or in full. undefined: everything. @throws UsageError for one that is not
 * there, or lies outside
 */
export function pathScope(directory: string, paths: readonly string[] | undefined): string[] | undefined {
  if (!paths) return undefined;
  const { directory: root } = workspaceFolder(directory);
  const inside = paths.map((path) => {
    const typed = resolve(root, path);
    const full = existsSync(typed) ? realpathSync(typed) : typed; // as the folder's own path is real: a link may be on the way
    const written = relative(root, full);
    if (written === '..' || written.startsWith(`..${sep}`) || isAbsolute(written))
      throw new UsageError(`${path} lies outside of ${root}.`, {
        advice: 'Name a path below the folder that is searched.',
      });
    if (!existsSync(full))
      throw new UsageError(`There is no ${path} in ${root}.`, {
        advice: 'Paths are relative to the folder that is searched.',
      });
    return written.split(sep).join('/');
  });
  return inside.includes('') ? undefined : inside;
}
