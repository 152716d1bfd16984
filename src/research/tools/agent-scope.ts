import { rootFolders, type Passage, type WorkspaceRoot } from '#search';
import { ToolInputError } from './tool.ts';

/** A folder of the workspace, as tools name it. */
export interface ToolRoot {
  name: string;
  /** Its absolute path. */
  folder: string;
  /** What paths in it begin with; '' where it is the only one. */
  prefix: string;
}

/** The address of a line of a passage's file. */
export const lineUri = ({ uri }: Pick<Passage, 'uri'>, line: number): string =>
  `${uri.replaceAll('(', '%28').replaceAll(')', '%29')}#L${line}`;

/** Lines of a passage's file as a link of Markdown, by which an agent's editor opens them. */
export const linkedPlace = (passage: Pick<Passage, 'uri' | 'path'>, startLine: number, endLine: number): string =>
  `[${passage.path.replace(/[[\]\\]/gu, '\\$&')}:${startLine}-${endLine}](${lineUri(passage, startLine)})`;

export const toolRoots = (roots: readonly WorkspaceRoot[]): ToolRoot[] =>
  rootFolders(roots).map(({ folder, prefix }, i) => ({
    name: prefix === '' ? (roots[i]?.name ?? '') : prefix.slice(0, -1),
    folder,
    prefix,
  }));

/** The folder that a shown path lies in. */
export const rootOfPath = (path: string, roots: readonly ToolRoot[]): ToolRoot | undefined =>
  roots.find(({ prefix }) => path.startsWith(prefix));

/**
 * Narrows a scope to some of the workspace's folders. undefined: everything.
 *
 * @throws ToolInputError for a folder that is not among them, which lists them, and for a path that lies in none of
 *   those that are named
 */
export function scopeInRoots(
  scope: string[] | undefined,
  named: readonly string[] | undefined,
  roots: readonly ToolRoot[],
): string[] | undefined {
  if (!named) return scope;
  const chosen = named.map((given) => {
    const wanted = given.length > 1 ? given.replace(/[\\/]$/, '') : given;
    const root = roots.find(({ name, folder }) => name === wanted || folder === wanted);
    if (root) return root;
    const known = roots.map(({ name, folder }) => `${JSON.stringify(name)} (${folder})`).join(', ');
    throw new ToolInputError(`There is no folder ${JSON.stringify(given)} here. Those that are searched: ${known}.`);
  });
  const outside = (scope ?? []).filter((path) => !rootOfPath(`${path}/`, chosen));
  if (outside.length > 0)
    throw new ToolInputError(
      `${outside.map((path) => JSON.stringify(path)).join(', ')} lies in none of the roots that are named. A ` +
        `path begins with the name of its folder where there are several.`,
    );
  if (scope || roots.every((root) => chosen.includes(root))) return scope;
  return [...new Set(chosen)].map(({ prefix }) => prefix.slice(0, -1));
}

/**
 * The paths as an index writes them; undefined for everything. `shown` gives that of an absolute path, undefined for
 * one outside of the workspace.
 */
export function toolScope(
  given: readonly string[] | undefined,
  shown: (absolute: string) => string | undefined,
  isAbsolute: (path: string) => boolean,
): string[] | undefined {
  const clean = given?.map((path) => {
    const inside = isAbsolute(path) ? (shown(path) ?? path) : path;
    const parts = inside.replaceAll('\\', '/').split('/');
    return isAbsolute(inside) ? inside : parts.filter((part) => part !== '' && part !== '.').join('/');
  });
  return clean === undefined || clean.includes('') ? undefined : clean;
}

/**
 * @throws ToolInputError naming the paths at and below which nothing is indexed: an empty list would look as if nothing
 *   matched there
 */
export function assertIndexed(
  scope: readonly string[] | undefined,
  files: readonly { path: string }[],
  indexing: boolean,
): void {
  const missing = (scope ?? []).filter(
    (path) => !files.some((file) => file.path === path || file.path.startsWith(`${path}/`)),
  );
  if (missing.length === 0) return;
  const named = missing.map((path) => JSON.stringify(path)).join(', ');
  const soFar = indexing ? ' so far: the index is still being built' : '';
  throw new ToolInputError(
    `Nothing that is indexed lies at or below ${named}${soFar}. ` +
      'Paths are relative to the workspace, with / between folders.',
  );
}
