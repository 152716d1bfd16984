import { z } from 'zod';
import { addTo, folderOf } from '#base';
import { nearestFolder } from '../reading/code/code-language.ts';
import { ancestors, joinPath } from '../reading/links/path-table.ts';

/** A file that says what names of modules mean, with its text. */
export interface ProjectFile {
  path: string;
  text: string;
}

/**
 * A file of compiler options that speaks for its folder; any other with `config` in its path may be what it extends.
 */
const COMPILER_OPTIONS = /(?:^|\/)[tj]sconfig(?:\.[\w-]+)?\.json$/;
const PROJECT_FILE = /(?:^|\/)(?:package\.json|composer\.json|go\.mod|Cargo\.toml)$/;
const isProjectFile = (path: string): boolean =>
  PROJECT_FILE.test(path) || (path.endsWith('.json') && path.includes('config'));
/** Longer ones are data. */
const LONGEST_OPTIONS = 100_000;
const DEEPEST = 10;

/** Project files among passages, each put together from its parts. */
export function projectFilesOf(passages: readonly { path: string; startLine: number; text: string }[]): ProjectFile[] {
  const byPath = new Map<string, { startLine: number; text: string }[]>();
  for (const passage of passages) if (isProjectFile(passage.path)) addTo(byPath, passage.path, passage);
  return [...byPath].map(([path, parts]) => ({
    path,
    text: parts
      .sort((a, b) => a.startLine - b.startLine)
      .map(({ text }) => text)
      .join('\n'),
  }));
}

const compilerOptions = z.object({
  extends: z.union([z.string(), z.array(z.string())]).optional(),
  compilerOptions: z
    .object({ baseUrl: z.string().optional(), paths: z.record(z.string(), z.array(z.string())).optional() })
    .optional(),
});
const packageFile = z.object({
  name: z.string().optional(),
  main: z.string().optional(),
  module: z.string().optional(),
  types: z.string().optional(),
  exports: z.unknown().optional(),
  imports: z.record(z.string(), z.unknown()).optional(),
});

const autoload = z.object({
  'psr-4': z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});
const composerFile = z.object({ autoload: autoload.optional(), 'autoload-dev': autoload.optional() });

type CompilerOptions = z.infer<typeof compilerOptions>;

interface Pattern {
  from: string;
  to: string[];
}

/**
 * Names of modules that project files give a meaning: TypeScript's `paths`, a package's `imports`, the `exports` of
 * packages of the workspace, Go's module path, the namespaces of PHP's `psr-4`, the names of Rust's crates. It gives
 * candidates for paths, which the caller looks for.
 */
export class ProjectFiles {
  readonly #paths = new Map<string, Pattern[]>();
  readonly #imports = new Map<string, Pattern[]>();
  readonly #packages = new Map<string, { folder: string; entries: Pattern[] }>();
  readonly #goModules: { module: string; folder: string }[] = [];
  /** PHP's namespaces, the longest first: `Shop::` with the folder that its classes lie in. */
  readonly #namespaces: { prefix: string; folder: string }[] = [];

  /** Where the sources of crates lie by the names that programs call them by, and what folders call them otherwise. */
  readonly #crates = new Map<string, string[]>();
  readonly #crateNames = new Map<string, Map<string, string>>();

  constructor(files: readonly ProjectFile[]) {
    const options = new Map<string, CompilerOptions>();
    // Of packages of one name, as in the data of tests, the outermost is meant, whatever order they were stored in.
    const ordered = [...files].sort(
      (a, b) => a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1),
    );
    for (const { path, text } of ordered) {
      if (path.endsWith('go.mod')) this.#addGoModule(path, text);
      else if (path.endsWith('package.json')) this.#addPackage(path, text);
      else if (path.endsWith('composer.json')) this.#addNamespaces(path, text);
      else if (path.endsWith('Cargo.toml')) this.#addCrate(path, text);
      else if (text.length <= LONGEST_OPTIONS) {
        const read = compilerOptions.safeParse(lenientJson(text));
        if (read.success) options.set(path, read.data);
      }
    }
    for (const path of options.keys()) if (COMPILER_OPTIONS.test(path)) this.#addCompilerOptions(path, options);
  }

  /** Where a module of JavaScript or TypeScript may lie, the most likely first; none for one that nothing speaks of. */
  scripts(module: string, from: string): string[] {
    const folders = [...ancestors(from), ''];
    if (module.startsWith('#')) return folders.flatMap((folder) => expand(this.#imports.get(folder) ?? [], module));
    const mapped = folders.flatMap((folder) => expand(this.#paths.get(folder) ?? [], module));
    const name = packageIn(module);
    const found = this.#packages.get(name);
    const inner = `.${module.slice(name.length)}`;
    const rest = inner === '.' ? [] : [joinPath(found?.folder ?? '', inner) ?? ''];
    return found ? [...mapped, ...expand(found.entries, inner), ...rest] : mapped;
  }

  /** The folder of a Go package; undefined for one that lies outside. */
  goFolder(module: string): string | undefined {
    const own = this.#goModules.find((one) => module === one.module || module.startsWith(`${one.module}/`));
    if (!own) return undefined;
    const inner = module.slice(own.module.length + 1);
    return [own.folder, inner].filter((part) => part !== '').join('/');
  }

  get knowsGoModules(): boolean {
    return this.#goModules.length > 0;
  }

  #addGoModule(path: string, text: string): void {
    const module = /^module\s+(\S+)/m.exec(text)?.[1];
    if (module) this.#goModules.push({ module, folder: folderOf(path) });
    this.#goModules.sort((a, b) => b.module.length - a.module.length);
  }

  /**
   * Where a class of PHP may lie, `Shop::Base` say; undefined where no project file speaks of its namespace.
   */
  classes(name: string): string[] | undefined {
    const found = this.#namespaces.filter(({ prefix }) => name.startsWith(prefix));
    if (found.length === 0) return undefined;
    return found.flatMap(({ prefix, folder }) => {
      const path = joinPath(folder, `${name.slice(prefix.length).replaceAll('::', '/')}.php`);
      return path === undefined ? [] : [path];
    });
  }

  #addNamespaces(path: string, text: string): void {
    const read = composerFile.safeParse(lenientJson(text));
    if (!read.success) return;
    for (const loaded of [read.data.autoload, read.data['autoload-dev']])
      for (const [namespace, folders] of Object.entries(loaded?.['psr-4'] ?? {}))
        for (const inner of [folders].flat()) {
          const folder = joinPath(folderOf(path), inner);
          if (folder !== undefined) this.#namespaces.push({ prefix: namespace.replaceAll('\\', '::'), folder });
        }
    this.#namespaces.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  #addCompilerOptions(path: string, all: ReadonlyMap<string, CompilerOptions>): void {
    const { base, paths } = this.#extended(path, all, 0);
    const from = base ?? paths?.folder ?? '';
    const patterns = Object.entries(paths?.patterns ?? {}).map(([name, to]) => ({
      from: name,
      to: to.map((target) => joinPath(from, target) ?? ''),
    }));
    if (base !== undefined) patterns.push({ from: '*', to: [[base, '*'].filter(Boolean).join('/')] });
    for (const pattern of patterns) addTo(this.#paths, folderOf(path), pattern);
  }

  /** What a file of compiler options says of paths, else what it extends, the last of several first. */
  #extended(
    path: string,
    all: ReadonlyMap<string, CompilerOptions>,
    depth: number,
  ): { base?: string; paths?: { patterns: Readonly<Record<string, string[]>>; folder: string } } {
    const options = all.get(path);
    if (!options || depth > DEEPEST) return {};
    const folder = folderOf(path);
    const { baseUrl, paths } = options.compilerOptions ?? {};
    let base = baseUrl === undefined ? undefined : joinPath(folder, baseUrl);
    let found = paths && { patterns: paths, folder };
    for (const target of [options.extends ?? []].flat().reverse()) {
      if (base !== undefined && found) break;
      const file = this.#optionsFile(target, folder).find((one) => all.has(one));
      const above = file === undefined ? {} : this.#extended(file, all, depth + 1);
      base ??= above.base;
      found ??= above.paths;
    }
    return { ...(base !== undefined && { base }), ...(found && { paths: found }) };
  }

  /** Where a file that is extended may lie: beside, or in a package of the workspace. */
  #optionsFile(target: string, folder: string): string[] {
    const name = packageIn(target);
    const found = target.startsWith('.')
      ? joinPath(folder, target)
      : joinPath(this.#packages.get(name)?.folder ?? '', `.${target.slice(name.length)}`);
    return found === undefined ? [] : [found, `${found}.json`, `${found}/tsconfig.json`];
  }

  /** The folder of a crate's sources; undefined for one that no project file names. */
  crate(name: string, from: string): string | undefined {
    const folders = [...ancestors(from), ''];
    const meant = folders.flatMap((folder) => this.#crateNames.get(folder)?.get(name) ?? [])[0] ?? name;
    const found = this.#crates.get(meant) ?? [];
    return found.length > 1 ? (nearestFolder(found, from) ?? found[0]) : found[0];
  }

  #addCrate(path: string, text: string): void {
    const folder = folderOf(path);
    const { name, library, sources, renamed } = readCargo(text);
    const place = joinPath(folder, sources === undefined ? 'src' : folderOf(sources));
    for (const called of new Set([name, library])) {
      if (called === undefined || place === undefined) continue;
      addTo(this.#crates, called.replaceAll('-', '_'), place);
    }
    if (renamed.size > 0) this.#crateNames.set(folder, renamed);
  }

  #addPackage(path: string, text: string): void {
    const read = packageFile.safeParse(lenientJson(text));
    if (!read.success) return;
    const folder = folderOf(path);
    const { name, imports, exports, main, module, types } = read.data;
    const inside = (target: string): string => joinPath(folder, target) ?? '';
    if (imports)
      this.#imports.set(
        folder,
        Object.entries(imports).map(([from, to]) => ({ from, to: targetsOf(to).map(inside) })),
      );
    if (!name || this.#packages.has(name)) return;
    const entries = entriesOf(exports).map(({ from, to }) => ({ from, to: to.map(inside) }));
    const usual = [types, module, main, 'src/index', 'index'].flatMap((target) => (target ? [inside(target)] : []));
    this.#packages.set(name, { folder, entries: [...entries, { from: '.', to: usual }] });
  }
}

/** The package that a module is of: `@shop/core/cart` is of `@shop/core`. */
const packageIn = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

function entriesOf(exports: unknown): Pattern[] {
  if (exports === undefined || exports === null) return [];
  const keys = typeof exports === 'object' && !Array.isArray(exports) ? Object.keys(exports) : [];
  if (!keys.some((key) => key.startsWith('.'))) return [{ from: '.', to: targetsOf(exports) }];
  return Object.entries(exports).map(([from, to]) => ({ from, to: targetsOf(to) }));
}

/** Conditions of a package's entry lead to several files; sources are named beside what is built of them. */
function targetsOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return withSources(value);
  if (typeof value !== 'object' || value === null || depth > 5) return [];
  return Object.values(value).flatMap((inner) => targetsOf(inner, depth + 1));
}

/** `./dist/index.js` is made of `./src/index.ts`. */
function withSources(target: string): string[] {
  const source = /^\.\/(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|types)\/)?(.+?)(?:\.d)?\.\w+$/.exec(target)?.[1];
  return source === undefined ? [target] : [`./src/${source}`, `./${source}`, target];
}

/** Places that patterns with one `*` give for a name. */
function expand(patterns: readonly Pattern[], name: string): string[] {
  return patterns.flatMap(({ from, to }) => {
    const star = from.indexOf('*');
    if (star < 0) return from === name ? to : [];
    const [before, after] = [from.slice(0, star), from.slice(star + 1)];
    if (!name.startsWith(before) || !name.endsWith(after) || name.length < before.length + after.length) return [];
    const middle = name.slice(before.length, name.length - after.length);
    return to.map((target) => target.replace('*', () => middle));
  });
}

/**
 * What a Cargo.toml says of names: the package's, its library's with its first file, and those that it gives to others.
 */
function readCargo(text: string): {
  name?: string;
  library?: string;
  sources?: string;
  renamed: Map<string, string>;
} {
  const found: ReturnType<typeof readCargo> = { renamed: new Map() };
  let section = '';
  for (const line of text.split('\n')) {
    section = /^\s{0,20}\[{1,2}([^[\]]{1,200})\]/.exec(line)?.[1]?.trim() ?? section;
    const [, key = '', value = ''] = /^\s*([\w-]{1,100})\s*=\s*(.{1,1000})/.exec(line) ?? [];
    const written = /^"([^"]{1,200})"/.exec(value)?.[1];
    if (section === 'package' && key === 'name' && written !== undefined) found.name = written;
    if (section === 'lib' && key === 'name' && written !== undefined) found.library = written;
    if (section === 'lib' && key === 'path' && written !== undefined) found.sources = written;
    if (!section.includes('dependencies')) continue;
    const [, inSection] = /dependencies\.([\w-]{1,100})$/.exec(section) ?? [];
    const meant = inSection === undefined ? /\bpackage\s{0,20}=\s{0,20}"([^"]{1,200})"/.exec(value)?.[1] : written;
    if (meant === undefined || (inSection !== undefined && key !== 'package')) continue;
    found.renamed.set((inSection ?? key).replaceAll('-', '_'), meant.replaceAll('-', '_'));
  }
  return found;
}

/** JSON with comments and commas at the end of lists; undefined for what is none. */
function lenientJson(text: string): unknown {
  const clean = withoutComments(text).replace(/,(?=\s{0,200}[}\]])/g, '');
  try {
    return JSON.parse(clean);
  } catch {
    return undefined;
  }
}

function withoutComments(text: string): string {
  let clean = '';
  let kept = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const two = text.slice(at, at + 2);
    if (inString && text[at] === '\\') at += 1;
    else if (text[at] === '"') inString = !inString;
    else if (!inString && (two === '//' || two === '/*')) {
      const end = text.indexOf(two === '//' ? '\n' : '*/', at + 2);
      clean += text.slice(kept, at);
      kept = end < 0 ? text.length : two === '//' ? end : end + 2;
      at = kept - 1;
    }
  }
  return clean + text.slice(kept);
}
