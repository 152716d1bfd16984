import { folderOf } from '#base';
import { type CodeLanguage, onlyPath, type ImportedModule, declarations } from '../code-language.ts';
import { ancestors, joinPath, nearest, type PathTable } from '../../links/path-table.ts';

/** A name as it is declared: itself, or with stars and brackets around it, so many deep; see `(int **lines[2])`. */
function declared(name: string, depth: number): string {
  const forms = [name];
  for (let i = 0; i < depth; i++) forms.push(`(_ declarator: ${forms.at(-1)})`);
  return `[${forms.join(' ')}]`;
}

/** A function as it is declared, and what it is that returns a pointer or a reference to something. */
function returning(name: string): string {
  const made = `(function_declarator declarator: ${name})`;
  return `[${made} (_ ${made}) (_ (_ ${made}))]`;
}

/** What is called through a pointer: `int (*ready)(int)`. */
const pointedTo = (name: string): string =>
  `(function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: ${name})))`;

const COMMON = `
(function_definition type: (_)? @type declarator: ${returning('(identifier) @name')}) @definition.function
(declaration type: (_)? @type declarator: ${returning('(identifier) @name')}) @definition.declaration
(declaration (storage_class_specifier) @extern declarator: ${declared('(identifier) @name', 2)} (#eq? @extern "extern")) @definition.declaration
(declaration type: (_) @type declarator: ${declared('(identifier) @name @local', 3)}) @definition.variable
(declaration declarator: ${pointedTo('(identifier) @name @local')}) @definition.variable
(declaration declarator: (init_declarator declarator: ${pointedTo('(identifier) @name @local')})) @definition.variable
(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(union_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition declarator: ${declared('(type_identifier) @name', 2)}) @definition.type
(type_definition declarator: ${pointedTo('(type_identifier) @name')}) @definition.type
(field_declaration type: (_) @type declarator: ${declared('(field_identifier) @name', 2)}) @definition.field
(field_declaration declarator: ${pointedTo('(field_identifier) @name')}) @definition.field
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function

(call_expression function: (_) @callee) @reference.call
(assignment_expression left: [(identifier) (field_expression)] @callee) @reference.set
(declaration type: (_) @subject declarator: (init_declarator value: (initializer_list (initializer_pair designator: (field_designator (field_identifier) @callee))))) @reference.set
(field_expression field: (field_identifier)) @reference.member
(call_expression arguments: (argument_list . (string_literal) @key))
(argument_list (string_literal) @option (#match? @option "^.-{1,2}[A-Za-z]"))
(call_expression function: (identifier) @made arguments: (argument_list . (identifier) @stream . (string_literal) @text) (#eq? @made "fprintf") (#eq? @stream "stderr"))
(call_expression function: (identifier) @made arguments: (argument_list (string_literal) @text) (#match? @made "^(v?(err|warn)x?|die|fatal|error|perror|panic)$"))
(type_identifier) @reference.type
(identifier) @reference.read

(parameter_declaration type: (_) @type declarator: ${declared('(identifier) @local', 2)})
(parameter_declaration declarator: ${pointedTo('(identifier) @local')})
[(function_definition) (compound_statement) (for_statement)] @scope
`;

const cQuery = `${COMMON}
(declaration type: (struct_specifier name: (type_identifier) @made) declarator: (init_declarator value: (initializer_list (initializer_list . (string_literal) @long))) (#eq? @made "option"))
`;

const cppQuery = `${COMMON}
(function_definition type: (_)? @type declarator: ${returning('(field_identifier) @name')}) @definition.method
(function_definition type: (_)? @type declarator: ${returning('(qualified_identifier scope: (_) @container name: (identifier) @name)')}) @definition.method
(field_declaration type: (_)? @type declarator: ${returning('(field_identifier) @name')}) @definition.method
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @name)) @definition.field
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.module
(alias_declaration name: (type_identifier) @name) @definition.type

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @callee) @reference.extends
(new_expression type: (_) @callee) @reference.call
(throw_statement (call_expression function: (_) @callee)) @reference.throw
(throw_statement (compound_literal_expression . (_) @callee)) @reference.throw
(throw_statement (call_expression arguments: (argument_list . [(string_literal) (binary_expression)] @text)))
(throw_statement (compound_literal_expression (initializer_list . [(string_literal) (binary_expression)] @text)))
(parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @local))
(declaration type: (_) @type declarator: (init_declarator declarator: (reference_declarator (identifier) @local)))
(for_range_loop declarator: (identifier) @local)
(lambda_expression) @scope
`;

export const c: CodeLanguage = {
  id: 'c',
  extensions: ['c', 'h'],
  grammar: 'c',
  references: cQuery,
  declarations: declarations({
    function: 'function_definition preproc_function_def',
    class: 'struct_specifier union_specifier enum_specifier type_definition',
    value: 'declaration preproc_def',
  }),
  transparent: ['preproc_ifdef', 'preproc_if', 'preproc_else', 'preproc_elif', 'linkage_specification'],
  bodies: [],
  calls: { call_expression: 'function' },
  uses: ['type_identifier'],
  imports: ['preproc_include'],
  strings: ['string_literal'],
  importsOf,
  resolveImport: (module, _name, from, table) =>
    onlyPath(header(module.replace(/^<|>$/g, ''), module.startsWith('<'), from, table)),
};

export const cpp: CodeLanguage = {
  ...c,
  id: 'cpp',
  extensions: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'cu'],
  grammar: 'cpp',
  references: cppQuery,
  declarations: {
    ...c.declarations,
    ...declarations({
      class: 'class_specifier',
      namespace: 'namespace_definition',
      value: 'alias_declaration concept_definition field_declaration',
    }),
  },
  transparent: [...c.transparent, 'template_declaration', 'export_declaration'],
  bodies: ['field_declaration_list', 'declaration_list'],
  calls: { call_expression: 'function', new_expression: 'type' },
};

function importsOf(text: string): ImportedModule[] {
  const module = /^\s*#\s*(?:include|import)\s*(?:"([^"\n]{1,500})"|<([^>\n]{1,500})>)/.exec(text);
  const name = module?.[1] ?? module?.[2];
  return name ? [{ module: module?.[1] ? name : `<${name}>`, names: [] }] : [];
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
