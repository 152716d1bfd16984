import { addTo, folderOf } from '#base';
import { z } from 'zod';
import { ancestors, joinPath } from '../../../links/path-table.ts';
import { lenientJson } from '../../project-json.ts';
import type { ProjectFile, ProjectModules, ProjectReader } from '../../project-reader.ts';

/** A file of compiler options that speaks for its folder; any other may be what it extends. */
const COMPILER_OPTIONS = /(?:^|\/)[tj]sconfig(?:\.[\w-]+)?\.json$/;
/** Longer ones are data. */
const LONGEST_OPTIONS = 100_000;
const DEEPEST = 10;

const SCRIPTS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.d.ts',
  '.d.mts',
  '.d.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
];

/**
 * Where modules lie by TypeScript's `paths`, a package's `imports`, and the `exports` of packages of the workspace.
 */
export const packagesAndPaths: ProjectReader = {
  files: ['package.json'],
  alsoJsonWith: 'config',
  read: (files): ProjectModules => {
    const project = new ScriptProject(files);
    return {
      find: (module, _name, from, table) => {
        if (module.startsWith('.')) return undefined;
        for (const place of project.places(module, from)) {
          const stem = place.replace(/\.(?:[mc]?[jt]sx?)$/, '');
          const path = table.findFirst([
            ...SCRIPTS.map((ending) => place + ending),
            ...SCRIPTS.map((ending) => stem + ending),
          ]);
          if (path !== undefined) return { paths: [path] };
        }
        return undefined;
      },
    };
  },
};

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

type CompilerOptions = z.infer<typeof compilerOptions>;

interface Pattern {
  from: string;
  to: string[];
}

/** Gives candidates for paths, which the caller looks for. */
class ScriptProject {
  readonly #paths = new Map<string, Pattern[]>();
  readonly #imports = new Map<string, Pattern[]>();
  readonly #packages = new Map<string, { folder: string; entries: Pattern[] }>();

  constructor(files: readonly ProjectFile[]) {
    const options = new Map<string, CompilerOptions>();
    for (const { path, text } of files) {
      if (path.endsWith('package.json')) this.#addPackage(path, text);
      else if (text.length <= LONGEST_OPTIONS) {
        const read = compilerOptions.safeParse(lenientJson(text));
        if (read.success) options.set(path, read.data);
      }
    }
    for (const path of options.keys()) if (COMPILER_OPTIONS.test(path)) this.#addCompilerOptions(path, options);
  }

  /** Where a module may lie, the most likely first; none for one that nothing speaks of. */
  places(module: string, from: string): string[] {
    const folders = [...ancestors(from), ''];
    if (module.startsWith('#')) return folders.flatMap((folder) => expand(this.#imports.get(folder) ?? [], module));
    const mapped = folders.flatMap((folder) => expand(this.#paths.get(folder) ?? [], module));
    const name = packageIn(module);
    const found = this.#packages.get(name);
    const inner = `.${module.slice(name.length)}`;
    const rest = inner === '.' ? [] : [joinPath(found?.folder ?? '', inner) ?? ''];
    return found ? [...mapped, ...expand(found.entries, inner), ...rest] : mapped;
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
