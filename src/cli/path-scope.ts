import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UsageError } from './cli-error.ts';
import { workspaceFolder } from './workspace-folder.ts';

/**
 * Paths named on the command line as the index writes them: relative to the workspace folder, `/` between folders. A path may be given
 * relative to that folder, or in full. undefined: everything. @throws UsageError for one that is not there, or lies outside
 */
export function pathScope(directory: string, paths: readonly string[] | undefined): string[] | undefined {
  if (!paths) return undefined;
  const { directory: root } = workspaceFolder(directory);
  const inside = paths.map((path) => {
    const typed = resolve(root, path);
    const full = existsSync(typed) ? realpathSync(typed) : typed; // as the folder's own path is real: a link may be on the way
    const written = relative(root, full);
    if (written === '..' || written.startsWith(`..${sep}`) || isAbsolute(written)) throw new UsageError(`${path} lies outside of ${root}.`, { advice: 'Name a path below the folder that is searched.' });
    if (!existsSync(full)) throw new UsageError(`There is no ${path} in ${root}.`, { advice: 'Paths are relative to the folder that is searched.' });
    return written.split(sep).join('/');
  });
  return inside.includes('') ? undefined : inside;
}
