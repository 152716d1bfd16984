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
const lineUri = ({ uri }: Pick<Passage, 'uri'>, line: number): string =>
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
