import { z } from 'zod';
import { ancestors, folderOf, joinPath } from '../reading/links/path-table.ts';

/** A file that says what names of modules mean, with its text. */
export interface ProjectFile {
  path: string;
  text: string;
}

const PROJECT_FILE = /(?:^|\/)(?:[tj]sconfig(?:\.[\w-]+)?\.json|package\.json|composer\.json|go\.mod)$/;

/** Project files among passages, each put together from its parts. */
export function projectFilesOf(passages: readonly { path: string; startLine: number; text: string }[]): ProjectFile[] {
  const byPath = new Map<string, { startLine: number; text: string }[]>();
  for (const passage of passages) {
    if (!PROJECT_FILE.test(passage.path)) continue;
    const parts = byPath.get(passage.path);
    if (parts) parts.push(passage);
    else byPath.set(passage.path, [passage]);
  }
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

interface Pattern {
  from: string;
  to: string[];
}

/**
 * Names of modules that project files give a meaning: TypeScript's `paths`, a package's `imports`, the `exports` of
 * packages of the workspace, Go's module path, the namespaces of PHP's `psr-4`. It gives candidates for paths, which the caller looks for.
 */
export class ProjectFiles {
  readonly #paths = new Map<string, Pattern[]>();
  readonly #imports = new Map<string, Pattern[]>();
  readonly #packages = new Map<string, { folder: string; entries: Pattern[] }>();
  readonly #goModules: { module: string; folder: string }[] = [];
  /** PHP's namespaces, the longest first: `Shop::` with the folder that its classes lie in. */
  #namespaces: { prefix: string; folder: string }[] = [];

  constructor(files: readonly ProjectFile[]) {
    for (const { path, text } of files) {
      if (path.endsWith('go.mod')) this.#addGoModule(path, text);
      else if (path.endsWith('package.json')) this.#addPackage(path, text);
      else if (path.endsWith('composer.json')) this.#addNamespaces(path, text);
      else this.#addCompilerOptions(path, text);
    }
  }

  /** Where a module of JavaScript or TypeScript may lie, the most likely first; none for one that nothing speaks of. */
  scripts(module: string, from: string): string[] {
    const folders = [...ancestors(from), ''];
    if (module.startsWith('#')) return folders.flatMap((folder) => expand(this.#imports.get(folder) ?? [], module));
    const mapped = folders.flatMap((folder) => expand(this.#paths.get(folder) ?? [], module));
    const name = module
      .split('/')
      .slice(0, module.startsWith('@') ? 2 : 1)
      .join('/');
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

  #addCompilerOptions(path: string, text: string): void {
    const read = compilerOptions.safeParse(lenientJson(text));
    const options = read.success ? read.data.compilerOptions : undefined;
    if (!options) return;
    const base = joinPath(folderOf(path), options.baseUrl ?? '.') ?? '';
    const patterns = Object.entries(options.paths ?? {}).map(([from, to]) => ({
      from,
      to: to.map((target) => joinPath(base, target) ?? ''),
    }));
    if (options.baseUrl !== undefined) patterns.push({ from: '*', to: [[base, '*'].filter(Boolean).join('/')] });
    if (patterns.length > 0) this.#paths.set(folderOf(path), [...(this.#paths.get(folderOf(path)) ?? []), ...patterns]);
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
    if (!name) return;
    const entries = entriesOf(exports).map(({ from, to }) => ({ from, to: to.map(inside) }));
    const usual = [types, module, main, 'src/index', 'index'].flatMap((target) => (target ? [inside(target)] : []));
    this.#packages.set(name, { folder, entries: [...entries, { from: '.', to: usual }] });
  }
}

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
