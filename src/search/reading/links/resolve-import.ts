import { baseOf, folderOf, joinPath, nearest, stemOfBase, type PathTable } from './path-table.ts';
import { ancestors, withoutQuery } from './resolve-document-link.ts';

/** Where an import leads. */
export interface ResolvedImport {
  path: string;
  /** The imported name was itself the module (`from flask import json`), so that it names no symbol inside it. */
  nameIsModule?: boolean;
  /** The import names a whole package of files: which of them defines a symbol is not known. */
  isPackage?: boolean;
}

const SCRIPT_EXTENSIONS = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.d.ts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.json',
  '.vue',
  '.svelte',
];
const SOURCE_ROOTS = ['', 'src', 'lib', 'app', 'python'];

/**
 * Finds the file of an import as its language does, as far as names alone can tell. `name` is the first imported
 * symbol.
 */
export function resolveImport(
  language: string,
  module: string,
  name: string | undefined,
  from: string,
  table: PathTable,
): ResolvedImport | undefined {
  switch (language) {
    case 'typescript':
    case 'typescriptreact':
    case 'javascript':
    case 'javascriptreact':
    case 'vue':
    case 'svelte':
      return plain(script(module, from, table));
    case 'python':
    case 'restructuredtext':
    case 'jupyter':
      return python(module, name, from, table);
    case 'go':
      return goPackage(module, from, table);
    case 'rust':
      return plain(rust(module, name, from, table));
    case 'java':
    case 'kotlin':
    case 'scala':
      return classFile(module.split('.'), from, table);
    case 'csharp':
      return classFile(module.split('.'), from, table);
    case 'php':
      return module.includes('::')
        ? classFile(module.split('::'), from, table)
        : plain(fromFolder(module, ['.php'], from, table));
    case 'c':
    case 'cpp':
      return plain(header(module.replace(/^<|>$/g, ''), module.startsWith('<'), from, table));
    case 'ruby':
      return plain(fromFolder(module, ['.rb'], from, table));
    case 'shellscript':
      return plain(fromFolder(module.replace(/^.*\}\/|^\$\w+\//, ''), ['.sh', '.bash'], from, table));
    default:
      return undefined;
  }
}

const plain = (path: string | undefined): ResolvedImport | undefined => (path === undefined ? undefined : { path });

function script(module: string, from: string, table: PathTable): string | undefined {
  const bare = withoutQuery(module);
  if (/^\.{1,2}(?:\/|$)/.test(bare)) return scriptAt(joinPath(folderOf(from), bare), table);
  const aliased = /^(?:[@~#]\/|\/)(.+)$/.exec(bare)?.[1];
  const wanted = aliased ?? (bare.includes('/') && !bare.startsWith('@') ? bare : undefined);
  if (wanted !== undefined) {
    for (const base of [...ancestors(from), '']) {
      const found = scriptAt(joinPath(base, wanted), table) ?? scriptAt(joinPath(base, `src/${wanted}`), table);
      if (found !== undefined) return found;
    }
  }
  // A package of the same repository is a folder of its name with a source of its own.
  const folders = table
    .foldersEndingWith(`${bare.replace(/^@[^/]+\//, '')}/src`)
    .concat(table.foldersEndingWith(bare.replace(/^@[^/]+\//, '')));
  const entries = bare.includes(':')
    ? []
    : folders.flatMap((folder) => scriptAt(`${folder}/index`, table) ?? []).filter((path) => path !== from);
  return entries.length > 0 && /^@[^/]+\//.test(bare) ? nearest(entries, from) : undefined;
}

function scriptAt(path: string | undefined, table: PathTable): string | undefined {
  if (path === undefined) return undefined;
  const stem = path.replace(/\.(?:m|c)?jsx?$/, '');
  const inside = path === '' ? 'index' : `${path}/index`;
  return table.findFirst([
    ...(/\.\w+$/.test(path) ? [path] : []),
    ...SCRIPT_EXTENSIONS.map((extension) => stem + extension),
    ...SCRIPT_EXTENSIONS.map((extension) => path + extension),
    ...SCRIPT_EXTENSIONS.map((extension) => inside + extension),
    path,
  ]);
}

function python(module: string, name: string | undefined, from: string, table: PathTable): ResolvedImport | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const inner = module.slice(dots).split('.').filter(Boolean).join('/');
  const bases = dots > 0 ? [joinPath(folderOf(from), '../'.repeat(dots - 1))] : [...ancestors(from), ...SOURCE_ROOTS];
  for (const base of bases) {
    if (base === undefined) continue;
    const found = pythonAt(joinPath(base, inner), name, table);
    if (found && !(dots === 0 && found.path === from)) return found;
  }
  if (dots > 0 || inner === '') return undefined;
  // A single word is most often the standard library's; it is ours only right below a root of sources.
  const files = [...table.endingWith(`${inner}.py`), ...table.endingWith(`${inner}/__init__.py`)].filter(
    (path) =>
      path !== from &&
      (inner.includes('/') ||
        SOURCE_ROOTS.some(
          (root) => root !== '' && path.replace(/(?:\/__init__)?\.py$/, '').endsWith(`${root}/${inner}`),
        )),
  );
  const path = nearest(files, from);
  return path === undefined ? undefined : (pythonAt(path.replace(/(?:\/__init__)?\.py$/, ''), name, table) ?? { path });
}

function pythonAt(path: string | undefined, name: string | undefined, table: PathTable): ResolvedImport | undefined {
  if (path === undefined) return undefined;
  const inside = path === '' ? '' : `${path}/`;
  const submodule =
    name === undefined
      ? undefined
      : table.findFirst([`${inside}${name}.py`, `${inside}${name}/__init__.py`, `${inside}${name}.pyi`]);
  if (submodule !== undefined) return { path: submodule, nameIsModule: true };
  return plain(
    table.findFirst([...(path === '' ? [] : [`${path}.py`, `${path}.pyi`, `${path}.pyx`]), `${inside}__init__.py`]),
  );
}

/** Go imports folders: the longest tail of the import path that is a folder with Go files. */
function goPackage(module: string, from: string, table: PathTable): ResolvedImport | undefined {
  const parts = module.split('/');
  for (let dropped = 0; dropped < parts.length; dropped++) {
    const tail = parts.slice(dropped).join('/');
    if (dropped > 0 && parts.length - dropped < 2 && !(parts[0]?.includes('.') || dropped === 1)) continue;
    if (dropped === 0 && parts.length === 1) continue; // the standard library
    const folders = table
      .foldersEndingWith(tail)
      .filter((folder) => table.filesIn(folder).some((path) => path.endsWith('.go')));
    const exact = folders.find((folder) => folder === tail);
    const folder =
      exact ?? (parts.length - dropped >= 2 || parts[0]?.includes('.') ? nearestFolder(folders, from) : undefined);
    if (folder !== undefined) return packageFile(folder, '.go', table);
  }
  return undefined;
}

function nearestFolder(folders: readonly string[], from: string): string | undefined {
  const found = nearest(
    folders.map((folder) => `${folder}/-`),
    from,
  );
  return found === undefined ? undefined : folderOf(found);
}

/** Stands for a package: the file named like it, its documentation, or the first. */
function packageFile(folder: string, extension: string, table: PathTable): ResolvedImport | undefined {
  const files = table.filesIn(folder).filter((path) => path.endsWith(extension) && !path.endsWith(`_test${extension}`));
  const path =
    files.find((file) => stemOfBase(baseOf(file)) === baseOf(folder)) ??
    files.find((file) => baseOf(file) === `doc${extension}`) ??
    files[0];
  return path === undefined ? undefined : { path, isPackage: true };
}

function rust(module: string, name: string | undefined, from: string, table: PathTable): string | undefined {
  const parts = module.split('::').filter(Boolean);
  const own = /^(?:mod|lib|main)\.rs$/.test(baseOf(from)) ? folderOf(from) : from.replace(/\.rs$/, '');
  const crate = ancestors(from).find((folder) => baseOf(folder) === 'src') ?? folderOf(from);
  let base: string | undefined = crate;
  const first = parts[0] ?? '';
  if (first === 'crate') parts.shift();
  else if (first === 'self' || first === 'super') {
    base = own;
    while (parts[0] === 'super' || parts[0] === 'self') if (parts.shift() === 'super') base = folderOf(base);
  } else {
    const crateFolder = [first, first.replace(/_/g, '-')].flatMap((wanted) =>
      table.foldersEndingWith(`${wanted}/src`),
    )[0];
    if (crateFolder !== undefined) {
      parts.shift();
      base = crateFolder;
    } else base = own;
  }
  for (const path of [name === undefined ? undefined : [...parts, name], parts, parts.slice(0, -1)]) {
    if (path === undefined || (path.length === 0 && base === own && first !== 'super')) continue;
    const at = joinPath(base, path.join('/'));
    const found = table.findFirst([
      `${at}.rs`,
      `${at}/mod.rs`,
      ...(path.length === 0 ? [`${at}/lib.rs`, `${at}/main.rs`] : []),
    ]);
    if (found !== undefined && found !== from) return found;
  }
  return undefined;
}

/** Java and its kin: the package path is the folder path, from some source root on. */
function classFile(parts: readonly string[], from: string, table: PathTable): ResolvedImport | undefined {
  for (let dropped = 0; dropped < parts.length; dropped++) {
    const tail = parts.slice(dropped).join('/');
    if (dropped > 0 && parts.length - dropped < 2) break;
    const files = table.endingWithStem(tail).filter((path) => /\.(?:java|kt|kts|cs|php|scala)$/.test(path));
    const path = files.find((file) => file !== from) && nearest(files, from);
    if (path) return { path };
    const folder = nearestFolder(table.foldersEndingWith(tail), from);
    const extension = /\.\w+$/.exec(from)?.[0] ?? '';
    const found = folder === undefined ? undefined : packageFile(folder, extension, table);
    if (found) return found;
  }
  return undefined;
}

function header(module: string, system: boolean, from: string, table: PathTable): string | undefined {
  const beside = system ? undefined : table.find(joinPath(folderOf(from), module));
  if (beside !== undefined) return beside;
  for (const base of [...ancestors(from), '']) {
    const found = table.findFirst([
      joinPath(base, module),
      joinPath(base, `include/${module}`),
      joinPath(base, `src/${module}`),
    ]);
    if (found !== undefined) return found;
  }
  return nearest(table.endingWith(module), from);
}

function fromFolder(module: string, extensions: readonly string[], from: string, table: PathTable): string | undefined {
  const forms = (path: string | undefined): (string | undefined)[] => [
    path,
    ...extensions.map((extension) => (path === undefined ? undefined : path + extension)),
  ];
  const beside = table.findFirst(forms(joinPath(folderOf(from), module)));
  if (beside !== undefined || /^\.{1,2}\//.test(module)) return beside;
  for (const base of [...ancestors(from), '']) {
    const found = table.findFirst([
      ...forms(joinPath(base, module)),
      ...forms(joinPath(base, `lib/${module}`)),
      ...forms(joinPath(base, `app/${module}`)),
    ]);
    if (found !== undefined) return found;
  }
  return module.includes('/')
    ? nearest(
        extensions.flatMap((extension) => table.endingWith(module.endsWith(extension) ? module : module + extension)),
        from,
      )
    : undefined;
}
