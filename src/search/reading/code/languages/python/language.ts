import { folderOf } from '#base';
import {
  type CodeLanguage,
  type ResolvedImport,
  onlyPath,
  type ImportedModule,
  namesInList,
  declarations,
} from '../../code-language.ts';
import { ancestors, joinPath, nearest, type PathTable } from '../../../links/path-table.ts';

export const python: CodeLanguage = {
  id: 'python',
  extensions: ['py', 'pyi', 'pyw'],
  interpreters: ['python'],
  testFiles: /^test_[^/]*\.py$|^conftest\.py$/,
  grammar: 'python',
  references: ['python/tags.scm'],
  parent: 'super()',
  declarations: declarations({
    function: 'function_definition',
    class: 'class_definition',
    value: 'expression_statement type_alias_statement',
  }),
  transparent: ['decorated_definition'],
  bodies: ['block'],
  calls: { call: 'function', decorator: '*' },
  uses: ['type'],
  imports: ['import_statement', 'import_from_statement'],
  strings: ['string'],
  importsOf,
  resolveImport,
  resolvesFor: ['restructuredtext', 'jupyter'],
};

function importsOf(text: string): ImportedModule[] {
  const clean = text.replace(/#.*$/gm, '').replace(/\\\n/g, ' ');
  const from = /^\s*from\s+([\w.]+)\s+import\b([^]*)$/.exec(clean);
  if (from) {
    const list = (from[2] ?? '').replace(/[()]/g, '');
    return [{ module: from[1] ?? '', names: namesInList(list, /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/) }];
  }
  const modules = namesInList(clean.replace(/^\s*import\s+/, ''), /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/);
  return modules.map(({ name, local }) => ({ module: name, names: [], namespace: local }));
}

const SOURCE_ROOTS = ['', 'src', 'lib', 'app', 'python'];

function resolveImport(
  module: string,
  name: string | undefined,
  from: string,
  table: PathTable,
): ResolvedImport | undefined {
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
  return onlyPath(
    table.findFirst([...(path === '' ? [] : [`${path}.py`, `${path}.pyi`, `${path}.pyx`]), `${inside}__init__.py`]),
  );
}
