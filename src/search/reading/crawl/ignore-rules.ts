import { withoutTrailingSlashes, wordList, wordSet } from '#base';
import picomatch from 'picomatch';
import path from 'node:path';
import { type FileCause, type FolderContent, plainly } from '../../domain/file-cause.ts';
import type { SkipReason } from '../../domain/source-file.ts';
import ignore, { type Ignore } from 'ignore';
import type { FileSystem } from '../file-system.ts';
import { readingLimits } from '../reading-limits.ts';
import { sameCase, type TrackedPaths } from './git-index.ts';
import { ignoresCase } from './root-paths.ts';
import { mayHoldSecrets } from './secret-files.ts';

/** Folders that are left out, by what they hold. */
const NAMES_OF_FOLDERS: Record<FolderContent, string> = {
  'version-control': '.git .hg .svn .jj CVS',
  packages: 'node_modules bower_components .yarn .pnpm-store .venv site-packages .bundle .terraform',
  cache: `__pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .nox .gradle .cache .turbo .parcel-cache
    .nyc_output .vscode-test`,
  'build-output': '.next .nuxt .svelte-kit .eggs',
  'notebook-copies': '.ipynb_checkpoints',
  trash: '.trash .Trash .Trashes $RECYCLE.BIN #recycle',
  versions: '.stversions .history @eaDir',
};
const FOLDERS = new Map(
  Object.entries(NAMES_OF_FOLDERS).flatMap(([holds, names]) =>
    wordList(names).map((name) => [name, holds as FolderContent] as const),
  ),
);

const LOCK_FILES = wordSet(`
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock cargo.lock poetry.lock pipfile.lock
  uv.lock pdm.lock composer.lock gemfile.lock go.sum packages.lock.json flake.lock mix.lock pubspec.lock
  podfile.lock package.resolved
`);

const BINARY = wordSet(`
  png jpg jpeg gif bmp ico icns webp avif tif tiff heic psd ai eps mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg
  opus zip gz tgz bz2 xz zst 7z rar tar jar war ear class o a so dylib dll exe obj lib pdb wasm node bin dat db
  sqlite sqlite3 mdb parquet arrow feather avro orc npy npz pkl pickle pt pth onnx safetensors gguf h5 hdf5 ttf
  otf woff woff2 eot xls xlsx xlsm ppt pptx doc odt ods odp epub mobi dmg iso img deb rpm apk ipa msi vsix whl pyc
  pyo pyd lance swf fla blend fbx glb stl rlib rmeta
`);

/** `notes (Ada's conflicted copy 2026-05-04).md`, `notes.sync-conflict-20260504-101500-ABCDEFG.md` */
const CONFLICTED = /\bconflicted copy\b|\.sync-conflict-\d{8}-\d{6}\b/i;
/** `notes.md~`, `#notes.md#`, `.notes.md.swp` */
const BACKUP = /~$|^#.+#$|^\..+\.sw[op]$/;

/** What is left out unless a .hoptrailignore keeps it; undefined for everything else. */
export function defaultExclusion(
  absolute: string,
  name: string,
  isFolder: boolean,
): { reason: SkipReason; why: FileCause } | undefined {
  if (isFolder) {
    if (name === '.gnupg') return { reason: 'excluded', why: plainly('secrets') };
    // `.Trash-1000`: one of each user, on a drive of its own.
    const holds = /^\.Trash-\d+$/.test(name) ? 'trash' : FOLDERS.get(name);
    return holds && { reason: 'excluded', why: { code: 'folder', details: { name, holds } } };
  }
  if (name === '.git')
    return { reason: 'excluded', why: { code: 'folder', details: { name, holds: 'version-control' } } };
  if (CONFLICTED.test(name)) return { reason: 'excluded', why: plainly('conflicted-copy') };
  if (BACKUP.test(name)) return { reason: 'excluded', why: plainly('backup-copy') };
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  if (mayHoldSecrets(absolute, name, extension)) return { reason: 'excluded', why: plainly('secrets') };
  if (name === '.hoptrailignore') return { reason: 'excluded', why: plainly('own-rules') };
  if (name === '.DS_Store' || name === 'Thumbs.db') return { reason: 'excluded', why: plainly('file-manager') };
  if (LOCK_FILES.has(name.toLowerCase())) return { reason: 'generated', why: plainly('lock-file') };
  if (BINARY.has(extension)) return { reason: 'binary', why: { code: 'extension', details: { extension } } };
  if (extension === 'map') return { reason: 'generated', why: plainly('source-map') };
  return undefined;
}

/** Patterns of files.exclude and search.exclude as one question: which of them, if any, leaves this path out? */
export function excludeMatcher(globs: readonly string[]): (relative: string) => string | undefined {
  const matchers = globs.map((glob) => {
    const pattern = withoutTrailingSlashes(glob)
      .replace(/^\.?\//, '')
      .split('/')
      .map(fewStars)
      .join('/');
    return { glob, matches: picomatch(pattern, { dot: true, nocase: ignoresCase }) };
  });
  return (relative) => matchers.find(({ matches }) => matches(relative))?.glob;
}

/**
 * So many stars may stand in the name of one folder or file: the time to find that a name does not fit grows with that
 * power of its length.
 */
const MOST_STARS = 2;

/**
 * Cuts what follows the stars that are let stand, so that the pattern leaves out somewhat more, never less. Braces stay
 * whole: they would not close.
 */
function fewStars(segment: string): string {
  if (segment === '**' || /[{}()[\]]/.test(segment)) return segment;
  const parts = segment.split(/\*{1,64}/);
  return parts.length - 1 <= MOST_STARS ? segment : `${parts.slice(0, MOST_STARS + 1).join('*')}*`;
}

/** Where patterns come from. */
interface PatternSource {
  /** The folder that they are relative to. */
  base: string;
  /** Path of the file that holds them. */
  file: string;
  /** Shown in the reason: `.gitignore`, `sub/.hoptrailignore`; undefined for git's global excludes. */
  name?: string;
  /** True for a .hoptrailignore. */
  ours?: boolean;
}

/** One ignore file's patterns. */
interface Layer extends PatternSource {
  matcher: Ignore;
}

/** What the rules say of a path: the last matching pattern of the innermost file decides, as in git. */
type IgnoreVerdict = {
  ignored: boolean;
  /** Said by a .hoptrailignore. */
  ours: boolean;
  /** As in PatternSource: the file that says it. */
  name?: string;
};

/** A repository's top, and what git tracks below it: no pattern of git's leaves that out. */
export interface Tracked {
  top: string;
  paths: TrackedPaths;
}

/** Ignore patterns that apply inside one folder: strongest first. Immutable; folders below extend it. */
export class IgnoreRules {
  readonly #layers: readonly Layer[];
  readonly #tracked: Tracked | undefined;

  constructor(layers: readonly Layer[] = [], tracked?: Tracked) {
    this.#layers = layers;
    this.#tracked = tracked;
  }

  /** With one more set of patterns, stronger than all before. */
  with(source: PatternSource, patterns: string): IgnoreRules {
    const matcher = ignore({ ignorecase: ignoresCase }).add(patterns.replace(/^\uFEFF/, ''));
    return new IgnoreRules([{ ...source, matcher }, ...this.#layers], this.#tracked);
  }

  /** The same patterns, inside of a repository of its own. */
  tracking(tracked: Tracked): IgnoreRules {
    return new IgnoreRules(this.#layers, tracked);
  }

  /** Without the sets of patterns that leave out one of these folders; `overruled` are their files. */
  lettingIn(folders: readonly string[]): { rules: IgnoreRules; overruled: string[] } {
    let layers = this.#layers;
    for (const folder of folders) {
      for (let found = decisive(layers, folder, true); found?.ignored; found = decisive(layers, folder, true)) {
        const { layer } = found;
        layers = layers.filter((other) => other !== layer);
      }
    }
    return {
      rules: new IgnoreRules(layers, this.#tracked),
      overruled: this.#layers.filter((layer) => !layers.includes(layer)).map((layer) => layer.file),
    };
  }

  /** Undefined when no pattern speaks of the path, and when it is git's to leave out what it tracks. */
  judge(absolute: string, isFolder: boolean): IgnoreVerdict | undefined {
    let found = decisive(this.#layers, absolute, isFolder);
    if (found?.ignored && !found.layer.ours && this.#isTracked(absolute, isFolder))
      found = decisive(
        this.#layers.filter(({ ours }) => ours),
        absolute,
        isFolder,
      );
    if (!found) return undefined;
    const { layer, ignored } = found;
    return { ignored, ours: layer.ours === true, name: layer.name };
  }

  #isTracked(absolute: string, isFolder: boolean): boolean {
    if (!this.#tracked) return false;
    const { top, paths } = this.#tracked;
    const relative = sameCase(path.relative(top, absolute).split(path.sep).join('/'));
    return (isFolder ? paths.folders : paths.files).has(relative);
  }
}

type Decision = { layer: Layer; ignored: boolean } | undefined;

/** What was decided of folders, by the layers that decided it. */
const decided = new WeakMap<readonly Layer[], Map<string, Decision>>();

/**
 * What the strongest layer says that speaks of the highest folder above that is left out, else of the path itself: what
 * one file leaves out a stronger one lets in again, with all that no pattern names in it.
 */
function decisive(layers: readonly Layer[], absolute: string, isFolder: boolean): Decision {
  const known = decided.get(layers) ?? new Map<string, Decision>();
  decided.set(layers, known);
  if (known.has(absolute)) return known.get(absolute);
  const above = path.dirname(absolute);
  const isBelow = layers.some(({ base }) => below(base, above) !== undefined);
  const leftOut = isBelow ? decisive(layers, above, true) : undefined;
  const decision = leftOut?.ignored ? leftOut : decisiveAlone(layers, absolute, isFolder);
  if (isFolder) known.set(absolute, decision);
  return decision;
}

/** Of the library, what judges a path alone: its public test goes by the same file's word on the folders above, too. */
interface Alone {
  _rules: { test(path: string, mode: 'regex'): { ignored: boolean; unignored: boolean } };
}

function decisiveAlone(layers: readonly Layer[], absolute: string, isFolder: boolean): Decision {
  for (const layer of layers) {
    const relative = below(layer.base, absolute);
    if (relative === undefined) continue;
    const { _rules: rules } = layer.matcher as unknown as Alone;
    const { ignored, unignored } = rules.test(isFolder ? `${relative}/` : relative, 'regex');
    if (ignored || unignored) return { layer, ignored };
  }
  return undefined;
}

/** The way from a folder to what lies below it; undefined for the folder itself and all else. */
function below(base: string, absolute: string): string | undefined {
  const relative = path.relative(base, absolute).split(path.sep).join('/');
  return relative === '' || relative === '..' || relative.startsWith('../') ? undefined : relative;
}

/** The rules inside a folder: those from above, then its own .gitignore, then its own .hoptrailignore. */
export async function rulesInside(
  folder: string,
  shown: string,
  above: IgnoreRules,
  names: ReadonlySet<string> | undefined,
  useGitignore: boolean,
  files: FileSystem,
): Promise<IgnoreRules> {
  let rules = above;
  for (const name of useGitignore ? ['.gitignore', '.hoptrailignore'] : ['.hoptrailignore']) {
    if (names && !names.has(name)) continue;
    const file = path.join(folder, name);
    const patterns = await readIfThere(file, files);
    if (patterns !== undefined)
      rules = rules.with(
        {
          base: folder,
          file,
          name: shown === '' || shown.endsWith('/') ? shown + name : `${shown}/${name}`,
          ours: name === '.hoptrailignore',
        },
        patterns,
      );
  }
  return rules;
}

/**
 * A text file's content; undefined when it is missing, far too large for patterns, or cannot be read (then its rules
 * cannot apply).
 */
export async function readIfThere(file: string, files: FileSystem): Promise<string | undefined> {
  try {
    return Buffer.from(await files.read(file, { maxBytes: readingLimits.rulesBytes })).toString('utf8');
  } catch {
    return undefined;
  }
}
