import path from 'node:path';
import type { FileSystem } from '../file-system.ts';
import type { GitIndexes } from './git-index.ts';
import { IgnoreRules, readIfThere, rulesInside, type Tracked } from './ignore-rules.ts';

/** Where git keeps a user's own settings. */
export interface GitHome {
  /** The user's home folder. */
  home: string;
  /** `XDG_CONFIG_HOME`; `~/.config` when undefined. */
  configHome?: string;
}

/** The rules that hold for a root from outside of it. */
export interface RulesAbove {
  rules: IgnoreRules;
  /**
   * Paths of files whose patterns leave out the root itself and are therefore not among `rules`: who opens a folder
   * wants it read.
   */
  overruled: string[];
}

/**
 * The git rules that hold for a whole root, weakest first: the user's global excludes file, the repository's
 * .git/info/exclude, and the .gitignore files between the top of the repository and the root. Besides them the files
 * that git tracks: none of these rules leaves out such a file. Git itself is not run.
 */
export async function gitRulesAbove(
  root: string,
  where: GitHome,
  indexes: GitIndexes,
  files: FileSystem,
): Promise<RulesAbove> {
  const top = await repositoryTop(root, files);
  const base = top ?? root;
  const git = top === undefined ? undefined : await gitFolderOf(top, files);
  let rules = new IgnoreRules([], top === undefined ? undefined : await trackedIn(top, indexes, files, git));
  const globalFile = await globalExcludesFile(where, git?.common, files);
  const globalExcludes = await readIfThere(globalFile, files);
  if (globalExcludes !== undefined) rules = rules.with({ base, file: globalFile }, globalExcludes);
  if (git !== undefined) {
    const file = path.join(git.common, 'info', 'exclude');
    const local = await readIfThere(file, files);
    if (local !== undefined) rules = rules.with({ base, file, name: '.git/info/exclude' }, local);
  }
  if (top === undefined || top === root) return { rules, overruled: [] };
  const between = path.relative(top, root).split(path.sep);
  for (let i = 0; i < between.length; i++) {
    const folder = path.join(top, ...between.slice(0, i));
    rules = await rulesInside(folder, folder, rules, new Set(['.gitignore']), true, files);
  }
  return rules.lettingIn(between.map((_, i) => path.join(top, ...between.slice(0, i + 1))));
}

/** What the repository tracks that a folder is the top of; undefined where it is none, or its index cannot be read. */
export async function trackedIn(
  top: string,
  indexes: GitIndexes,
  files: FileSystem,
  known?: GitFolders,
): Promise<Tracked | undefined> {
  const { own } = known ?? (await gitFolderOf(top, files));
  const paths = await indexes.pathsIn(path.join(own, 'index'), files);
  return paths && { top, paths };
}

async function repositoryTop(root: string, files: FileSystem): Promise<string | undefined> {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (await exists(path.join(folder, '.git'), files)) return folder;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Where git keeps what it knows: of this worktree alone, its index, and of all that share a repository. */
interface GitFolders {
  own: string;
  common: string;
}

/** In a worktree or submodule `.git` is a file that names the folder. */
async function gitFolderOf(top: string, files: FileSystem): Promise<GitFolders> {
  const entry = path.join(top, '.git');
  const pointer = /^gitdir:\s*(.+)$/m.exec((await readIfThere(entry, files)) ?? '')?.[1]?.trim();
  if (pointer === undefined) return { own: entry, common: entry };
  const own = path.resolve(top, pointer);
  const common = (await readIfThere(path.join(own, 'commondir'), files))?.trim();
  return { own, common: common ? path.resolve(own, common) : own };
}

async function globalExcludesFile(where: GitHome, gitFolder: string | undefined, files: FileSystem): Promise<string> {
  const configHome = where.configHome ?? path.join(where.home, '.config');
  const configs = [
    ...(gitFolder === undefined ? [] : [path.join(gitFolder, 'config')]),
    path.join(where.home, '.gitconfig'),
    path.join(configHome, 'git', 'config'),
  ];
  for (const config of configs) {
    const named = EXCLUDES_FILE.exec((await readIfThere(config, files)) ?? '')?.[1]?.trim();
    if (named) return path.resolve(where.home, named.replace(/^~(?=\/|$)/, where.home));
  }
  return path.join(configHome, 'git', 'ignore');
}

/** `excludesFile = "~/.ignored"`, in the section of git's core. */
const EXCLUDES_FILE = /^[ \t]*\[core\][^[]{0,2000}?\n[ \t]{0,40}excludesfile[ \t]{0,9}=[ \t]{0,9}"?([^"#;\n]{1,500})/im;

const exists = (entry: string, files: FileSystem): Promise<boolean> =>
  files.stat(entry).then(
    () => true,
    () => false,
  );
