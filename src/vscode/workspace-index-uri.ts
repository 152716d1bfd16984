import { join } from 'node:path';
import { withoutTrailingSlashes } from '#base';

/**
 * Where the index of one workspace lies in a place that all workspaces of this user share: a folder of its own, below
 * an address as well. A database of LanceDB Cloud has no folders; there it is the tables whose names begin with the
 * workspace's (see createIndexLayout).
 */
export function workspaceIndexUri(shared: string, workspace: string): string {
  if (!shared.includes('://')) return join(shared, workspace);
  if (shared.startsWith('db://')) return `${shared}#${workspace}`;
  const [address = '', options] = shared.split(/(?=\?)/, 2);
  return `${withoutTrailingSlashes(address)}/${workspace}${options ?? ''}`;
}
