import { baseName, stemOf, wordList, folderOf } from '#base';
import { type PathTable, ancestors, joinPath, nearest } from '../links/path-table.ts';

/** What a declaration is cut as. */
export type DeclarationRole = 'function' | 'class' | 'namespace' | 'value';

/** Where an import leads. */
export interface ResolvedImport {
  path: string;
  /** The imported name was itself the module (`from flask import json`), so that it names no symbol inside it. */
  nameIsModule?: boolean;
  /** The import names a whole package of files: which of them defines a symbol is not known. */
  isPackage?: boolean;
}

/**
 * A programming language that is read by its grammar: which files it has, what its grammar calls things (node types
 * that a grammar lacks do no harm), what an import says and where it leads, and how its names are resolved. One stands
 * in a folder of `languages` and in the list of `code-languages.ts`; no other file tells one from another by its id.
 */
export interface CodeLanguage {
  /** VS Code's language id. */
  id: string;
  /** Without the dot, in lower case. */
  extensions: readonly string[];
  /** Files that are known by their whole name, in lower case. */
  names?: readonly string[];
  /** Programs that a `#!` line names, without their version. */
  interpreters?: readonly string[];
  /** What notebooks call it in their metadata, in lower case, where that is not its id. */
  kernels?: readonly string[];
  /** Names of files of tests, beside those that every language may have: `store.test.ts`, `store_test.go`. */
  testFiles?: RegExp;
  /** Programs write it as few and very long lines (`app.min.js`), which are left out. */
  minified?: boolean;
  /** As in `tree-sitter-<grammar>.wasm`. */
  grammar: string;
  /** Puts right what is wrong in the grammar's bytes. */
  mendGrammar?(bytes: Uint8Array): Uint8Array;
  declarations: Readonly<Record<string, DeclarationRole>>;
  /** Wrappers whose declarations stand on the same level: exports, decorators, conditional compilation. */
  transparent: readonly string[];
  /** Where a class or namespace keeps its members. */
  bodies: readonly string[];
  /** Calls: node type to the field up to which the text names what is called ('' for the first child). */
  calls: Readonly<Record<string, string>>;
  /** Nodes that name a type or another symbol in use. */
  uses: readonly string[];
  /** Node types of imports, read by `importsOf`. */
  imports: readonly string[];
  strings: readonly string[];
  /** Reads one import statement's text, at most 20,000 characters of it. Unknown shapes give nothing. */
  importsOf?(statement: string): ImportedModule[];
  /** Functions that are called to load a module, as far as they are called by one of these names. */
  loaders?: RegExp;
  /** A module's symbols are named with `::` behind it: `basin.fill()` is a method of a variable. */
  membersByColons?: true;
  /**
   * How the language writes what the object inherits from: `base`, `super`, or `super()` where it is called. Elsewhere
   * these words are names like any other, of packages and of variables.
   */
  parent?: string;
  /** Values of other files of a folder are named without an import: a name that no function binds may be of one. */
  sharesNames?: true;
  /**
   * Finds the file of an import as the language does, as far as names alone can tell. `name` is the first imported
   * symbol.
   */
  resolveImport?(module: string, name: string | undefined, from: string, table: PathTable): ResolvedImport | undefined;
  /**
   * Files of `languages` with patterns that find definitions and uses of names, in the style of `tags.scm`, read one
   * behind the other; see `read-references.ts`.
   */
  references?: readonly string[];
  /** What languages have in common that use one another's names; a language alone is a family by its id. */
  family?: string;
  /** A name without an import may be of any file, the nearest first, or of the class around it. */
  namesAreShared?: true;
  /** Names of modules that hold tests beside what they test. */
  testModules?: RegExp;
  /** Languages without a grammar here whose imports lead where this one's would. */
  resolvesFor?: readonly string[];
}

/** What nodes of a grammar declare, by role: `{ function: 'function_item macro_definition' }`. */
export const declarations = (byRole: Partial<Record<DeclarationRole, string>>): Record<string, DeclarationRole> =>
  Object.fromEntries(
    Object.entries(byRole).flatMap(([role, types]) => wordList(types).map((type) => [type, role as DeclarationRole])),
  );

/** A file as an import's end. */
export const onlyPath = (path: string | undefined): ResolvedImport | undefined =>
  path === undefined ? undefined : { path };

/** The folder nearest to a file. */
export function nearestFolder(folders: readonly string[], from: string): string | undefined {
  const found = nearest(
    folders.map((folder) => `${folder}/-`),
    from,
  );
  return found === undefined ? undefined : folderOf(found);
}

/** Stands for a package: the file named like it, its documentation, or the first. */
export function packageFile(folder: string, extension: string, table: PathTable): ResolvedImport | undefined {
  const files = table.filesIn(folder).filter((path) => path.endsWith(extension) && !path.endsWith(`_test${extension}`));
  const path =
    files.find((file) => stemOf(file) === baseName(folder)) ??
    files.find((file) => baseName(file) === `doc${extension}`) ??
    files[0];
  return path === undefined ? undefined : { path, isPackage: true };
}

/** Java and its kin: the package path is the folder path, from some source root on. */
export function classFile(parts: readonly string[], from: string, table: PathTable): ResolvedImport | undefined {
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

/**
 * A file named from the importing one's folder, or from a root of sources.
 * @param where Endings that imports leave out, folders of roots that hold sources, and whether it may lie anywhere.
 */
export function fromFolder(
  module: string,
  from: string,
  table: PathTable,
  where: { endings?: readonly string[]; folders?: readonly string[]; isSystem?: boolean; isAnywhere?: boolean },
): string | undefined {
  const { endings = [], folders = ['lib/', 'app/'], isSystem, isAnywhere = module.includes('/') } = where;
  const forms = (base: string, folder = ''): (string | undefined)[] =>
    ['', ...endings].map((ending) => joinPath(base, folder + module + ending));
  const beside = isSystem ? undefined : table.findFirst(forms(folderOf(from)));
  if (beside !== undefined || (endings.length > 0 && /^\.{1,2}\//.test(module))) return beside;
  for (const base of [...ancestors(from), '']) {
    const found = table.findFirst(['', ...folders].flatMap((folder) => forms(base, folder)));
    if (found !== undefined) return found;
  }
  const named =
    endings.length === 0 ? [module] : endings.map((ending) => (module.endsWith(ending) ? module : module + ending));
  return isAnywhere
    ? nearest(
        named.flatMap((name) => table.endingWith(name)),
        from,
      )
    : undefined;
}

/** What an import brings in. */
export interface ImportedModule {
  /** As written: `./store.ts`, `flask.json`, `crate::store`, `acme/store.h`. */
  module: string;
  /** Single names with what they are called here. */
  names: { name: string; local: string }[];
  /** What the module as a whole is called here; undefined when it has no name. */
  namespace?: string;
}

/** `a, b as c`: the names of a list, each with what it is called here. @param one How the language writes one. */
export const namesInList = (list: string, one: RegExp): ImportedModule['names'] =>
  list.split(',').flatMap((part) => {
    const [, name, local = name] = one.exec(part) ?? [];
    return name !== undefined && local !== undefined ? [{ name, local }] : [];
  });

/** Longer statements are data; groups inside groups that are deeper than this are nobody's imports. */
export const LONGEST_STATEMENT = 20_000;
const DEEPEST_GROUP = 20;

/** `a::{b, c::{d as e}}` to single paths. */
export function expandUse(tree: string): ImportedModule[] {
  const found: ImportedModule[] = [];
  const waiting: { prefix: string; rest: string; depth: number }[] = [{ prefix: '', rest: tree, depth: 0 }];
  for (let next = waiting.pop(); next && found.length < 100; next = waiting.pop()) {
    const brace = next.rest.indexOf('{');
    if (brace >= 0 && next.depth >= DEEPEST_GROUP) continue;
    if (brace >= 0) {
      const inner = next.rest.slice(brace + 1, next.rest.lastIndexOf('}'));
      const prefix = next.prefix + next.rest.slice(0, brace).replace(/\s/g, '');
      for (const part of splitTop(inner)) waiting.push({ prefix, rest: part.trim(), depth: next.depth + 1 });
      continue;
    }
    const [path = '', alias] = next.rest.split(' as ');
    const full = (next.prefix + path.trim()).replace(/::self$/, '').replace(/::\*$/, '');
    const last = full.split('::').at(-1);
    if (!last) continue;
    const parent = full.split('::').slice(0, -1).join('::');
    if (path.trim().endsWith('*') || parent === '') found.push({ module: full, names: [], namespace: last });
    else found.push({ module: parent, names: [{ name: last, local: alias?.trim() ?? last }] });
  }
  return found;
}

function splitTop(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= list.length; i++) {
    if (list[i] === '{') depth += 1;
    if (list[i] === '}') depth -= 1;
    if (i !== list.length && (list[i] !== ',' || depth > 0)) continue;
    if (list.slice(start, i).trim() !== '') parts.push(list.slice(start, i));
    start = i + 1;
  }
  return parts;
}

/** `import a.b.C`, as Java and Kotlin write it. */
export function dotted(text: string): ImportedModule[] {
  const match = /\bimport\s+(static\s+)?([\w.]+)(\.\*)?(?:\s+as\s+(\w+))?/.exec(text);
  const full = match?.[2];
  if (!full) return [];
  const parts = full.split('.');
  const last = parts.at(-1) ?? full;
  if (match[3]) return [{ module: full, names: [] }];
  if (match[1]) return [{ module: parts.slice(0, -1).join('.'), names: [{ name: last, local: last }] }];
  return [{ module: full, names: [{ name: last, local: match[4] ?? last }] }];
}
