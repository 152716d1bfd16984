import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { WorkspaceRoot } from '../../domain/source-file.ts';
import { HoptrailError } from '#base';

/** A workspace folder on the disk. */
export interface RootFolder {
  uri: string;
  /** Absolute path in the platform's form. */
  folder: string;
  /** What shown paths begin with: '' for a single root, else `name/`. */
  prefix: string;
}

/** Other systems than Linux tell no capitals from small letters in paths. */
export const ignoresCase = process.platform !== 'linux';

/** Roots in the order given; equal names get a number, so that shown paths stay distinct. */
export function rootFolders(roots: readonly WorkspaceRoot[]): RootFolder[] {
  const used = new Set<string>();
  return roots.map((root) => {
    let name = root.name;
    for (let n = 2; used.has(name); n++) name = `${root.name}-${n}`;
    used.add(name);
    const folder = path.resolve(fileURLToPath(root.uri));
    return { uri: root.uri, folder, prefix: roots.length > 1 ? `${name}/` : '' };
  });
}

/** The innermost root that holds the path; undefined when none does. */
export function rootOf(roots: readonly RootFolder[], absolute: string): RootFolder | undefined {
  return roots.filter((root) => isInside(root.folder, absolute)).sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** True for the folder itself and all below it. */
export function isInside(folder: string, absolute: string): boolean {
  return absolute === folder || absolute.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** Path below the root with forward slashes; '' for the root itself. */
export const relativePath = (root: RootFolder, absolute: string): string =>
  path.relative(root.folder, absolute).split(path.sep).join('/');

/** Path as people see it. */
export const shownPath = (root: RootFolder, absolute: string): string =>
  `${root.prefix}${relativePath(root, absolute)}`;

export const uriOf = (absolute: string): string => pathToFileURL(absolute).href;

/**
 * A workspace folder could not be listed (its drive is not mounted, it was renamed, it may not be read): nothing is
 * known of what it holds now.
 */
export class UnreadableRootError extends HoptrailError {
  readonly code = 'root-unreadable';
  /** @param folder Its path. @param detail Why it could not be listed, in a few words. */
  constructor(folder: string, detail: string) {
    super(`The folder ${folder} cannot be read: ${detail}. What the index knows of it was kept.`, {
      advice:
        'Make it available again (mount its drive, give it back its name, allow reading) and update the index, ' +
        'or take the folder out of the workspace.',
      action: 'retry',
    });
  }
}
