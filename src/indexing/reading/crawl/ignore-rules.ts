import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { FileSystem } from '../file-system.ts';

/** One ignore file's patterns and the folder that they are relative to. */
interface Layer {
  base: string;
  matcher: Ignore;
  /** Shown in the reason: `.gitignore`, `sub/.hoptrailignore`, `git's global excludes`. */
  name: string;
  ours: boolean;
}

/** What the rules say of a path: the last matching pattern of the innermost file decides, as in git. */
export type IgnoreVerdict = { ignored: boolean; /** Said by a .hoptrailignore. */ ours: boolean; detail: string };

const ignoreCase = process.platform !== 'linux';

/** Ignore patterns that apply inside one folder: strongest first. Immutable; folders below extend it. */
export class IgnoreRules {
  private readonly layers: readonly Layer[];

  constructor(layers: readonly Layer[] = []) {
    this.layers = layers;
  }

  /** With one more set of patterns, stronger than all before. */
  with(base: string, patterns: string, name: string, ours = false): IgnoreRules {
    const matcher = ignore({ ignorecase: ignoreCase }).add(patterns.replace(/^\uFEFF/, ''));
    return new IgnoreRules([{ base, matcher, name, ours }, ...this.layers]);
  }

  /** Undefined when no pattern speaks of the path. */
  judge(absolute: string, isFolder: boolean): IgnoreVerdict | undefined {
    for (const layer of this.layers) {
      const relative = path.relative(layer.base, absolute).split(path.sep).join('/');
      if (relative === '' || relative.startsWith('../')) continue;
      const result = layer.matcher.test(isFolder ? `${relative}/` : relative);
      if (result.ignored) return { ignored: true, ours: layer.ours, detail: `a pattern in ${layer.name} leaves it out` };
      if (result.unignored) return { ignored: false, ours: layer.ours, detail: `a pattern in ${layer.name} keeps it` };
    }
    return undefined;
  }
}

/** The rules inside a folder: those from above, then its own .gitignore, then its own .hoptrailignore. */
export async function rulesInside(
  folder: string, shown: string, above: IgnoreRules, names: ReadonlySet<string> | undefined, useGitignore: boolean, files: FileSystem,
): Promise<IgnoreRules> {
  let rules = above;
  for (const name of useGitignore ? ['.gitignore', '.hoptrailignore'] : ['.hoptrailignore']) {
    if (names && !names.has(name)) continue;
    const patterns = await readIfThere(path.join(folder, name), files);
    if (patterns !== undefined) rules = rules.with(folder, patterns, shown === '' ? name : `${shown}/${name}`, name === '.hoptrailignore');
  }
  return rules;
}

/** A text file's content; undefined when it is missing or cannot be read (then its rules cannot apply). */
export async function readIfThere(file: string, files: FileSystem): Promise<string | undefined> {
  try {
    return Buffer.from(await files.read(file)).toString('utf8');
  } catch {
    return undefined;
  }
}
