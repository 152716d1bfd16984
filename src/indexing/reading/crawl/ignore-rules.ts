import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { FileSystem } from '../file-system.ts';
import { readingLimits } from '../reading-limits.ts';

/** Where patterns come from. */
export interface PatternSource {
  /** The folder that they are relative to. */
  base: string;
  /** Path of the file that holds them. */
  file: string;
  /** Shown in the reason: `.gitignore`, `sub/.hoptrailignore`, `git's global excludes`. */
  name: string;
  /** True for a .hoptrailignore. */
  ours?: boolean;
}

/** One ignore file's patterns. */
interface Layer extends PatternSource {
  matcher: Ignore;
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
  with(source: PatternSource, patterns: string): IgnoreRules {
    const matcher = ignore({ ignorecase: ignoreCase }).add(patterns.replace(/^\uFEFF/, ''));
    return new IgnoreRules([{ ...source, matcher }, ...this.layers]);
  }

  /** Without the sets of patterns that leave out one of these folders; `overruled` are their files. */
  lettingIn(folders: readonly string[]): { rules: IgnoreRules; overruled: string[] } {
    let layers = this.layers;
    for (const folder of folders) {
      for (let found = decisive(layers, folder, true); found?.ignored; found = decisive(layers, folder, true)) {
        const { layer } = found;
        layers = layers.filter((other) => other !== layer);
      }
    }
    return { rules: new IgnoreRules(layers), overruled: this.layers.filter((layer) => !layers.includes(layer)).map((layer) => layer.file) };
  }

  /** Undefined when no pattern speaks of the path. */
  judge(absolute: string, isFolder: boolean): IgnoreVerdict | undefined {
    const found = decisive(this.layers, absolute, isFolder);
    if (!found) return undefined;
    const { layer, ignored } = found;
    return { ignored, ours: layer.ours === true, detail: `a pattern in ${layer.name} ${ignored ? 'leaves it out' : 'keeps it'}` };
  }
}

/** What the strongest layer that speaks of the path says. */
function decisive(layers: readonly Layer[], absolute: string, isFolder: boolean): { layer: Layer; ignored: boolean } | undefined {
  for (const layer of layers) {
    const relative = path.relative(layer.base, absolute).split(path.sep).join('/');
    if (relative === '' || relative === '..' || relative.startsWith('../')) continue;
    const { ignored, unignored } = layer.matcher.test(isFolder ? `${relative}/` : relative);
    if (ignored || unignored) return { layer, ignored };
  }
  return undefined;
}

/** The rules inside a folder: those from above, then its own .gitignore, then its own .hoptrailignore. */
export async function rulesInside(
  folder: string, shown: string, above: IgnoreRules, names: ReadonlySet<string> | undefined, useGitignore: boolean, files: FileSystem,
): Promise<IgnoreRules> {
  let rules = above;
  for (const name of useGitignore ? ['.gitignore', '.hoptrailignore'] : ['.hoptrailignore']) {
    if (names && !names.has(name)) continue;
    const file = path.join(folder, name);
    const patterns = await readIfThere(file, files);
    if (patterns !== undefined) rules = rules.with({ base: folder, file, name: shown === '' ? name : `${shown}/${name}`, ours: name === '.hoptrailignore' }, patterns);
  }
  return rules;
}

/** A text file's content; undefined when it is missing, far too large for patterns, or cannot be read (then its rules cannot apply). */
export async function readIfThere(file: string, files: FileSystem): Promise<string | undefined> {
  try {
    return Buffer.from(await files.read(file, { maxBytes: readingLimits.rulesBytes })).toString('utf8');
  } catch {
    return undefined;
  }
}
