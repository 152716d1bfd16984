import { folderOf } from '#base';
import {
  type CodeLanguage,
  type ResolvedImport,
  onlyPath,
  type ImportedModule,
  namesInList,
  declarations,
} from '../code-language.ts';
import { ancestors, joinPath, nearest, type PathTable } from '../../links/path-table.ts';

const pythonQuery = `
(function_definition name: (identifier) @name return_type: (_)? @type) @definition.function
(class_definition name: (identifier) @name) @definition.class
(module (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value)) @definition.variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name type: (_)? @type right: (_)? @value)) @definition.field))
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @name) type: (_)? @type right: (_)? @value (#eq? @self "self")) @definition.field

(class_definition superclasses: (argument_list [(identifier) (attribute)] @callee)) @reference.extends
(class_definition superclasses: (argument_list (subscript value: (_) @callee))) @reference.extends
(call function: (_) @callee) @reference.call
(decorator [(identifier) (attribute)] @callee) @reference.call
(raise_statement . (call function: (_) @callee)) @reference.throw
(raise_statement . [(identifier) (attribute)] @callee) @reference.throw
(raise_statement (call arguments: (argument_list . [(string) (concatenated_string) (binary_operator)] @text)))
(raise_statement (call arguments: (argument_list (string) @text (#match? @text "^[a-zA-Z]*[\\"'].* "))))
(assignment left: [(identifier) (attribute)] @callee) @reference.set
(augmented_assignment left: [(identifier) (attribute)] @callee) @reference.set
(type (identifier) @reference.type)
(type (attribute) @callee @reference.type)
(generic_type (identifier) @reference.type)
(call arguments: (argument_list . (string) @key))
(call arguments: (argument_list (string) @option (#match? @option "^.-{1,2}[A-Za-z]")))
(subscript subscript: (string) @key)
(call function: [(identifier) (attribute)] @subject arguments: (argument_list (keyword_argument name: (identifier) @callee)) (#match? @subject "(^|[.])[A-Z][A-Za-z0-9]*$")) @reference.set
(attribute) @reference.member
(identifier) @reference.read

(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(typed_parameter (identifier) @local type: (_) @type)
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local type: (_) @type)
(parameters [(list_splat_pattern) (dictionary_splat_pattern)] @pattern)
(assignment left: (identifier) @local type: (_)? @type right: (_)? @value)
(assignment left: (pattern_list) @pattern)
(for_statement left: (_) @pattern)
(for_in_clause left: (_) @pattern)
(as_pattern (call function: (_) @callee) (as_pattern_target (identifier) @local))
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
[(function_definition) (lambda) (list_comprehension) (generator_expression) (set_comprehension) (dictionary_comprehension)] @scope
[(import_statement) (import_from_statement)] @skip
`;

export const python: CodeLanguage = {
  id: 'python',
  extensions: ['py', 'pyi', 'pyw'],
  interpreters: ['python'],
  grammar: 'python',
  references: pythonQuery,
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
