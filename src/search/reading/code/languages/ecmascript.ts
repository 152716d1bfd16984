import { wordList, folderOf } from '#base';
import { type CodeLanguage, onlyPath, type ImportedModule, namesInList, declarations } from '../code-language.ts';
import { ancestors, joinPath, nearest, type PathTable, withoutQuery } from '../../links/path-table.ts';

/** Patterns that JavaScript and TypeScript share. */
const COMMON = `
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
; Behind a bracket that is still open they look like values.
(ERROR (function_expression name: (identifier) @name) @definition.function)
(ERROR (class name: (_) @name) @definition.class)
(method_definition name: (_) @name) @definition.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @definition.function

(call_expression function: (_) @callee) @reference.call
(new_expression constructor: (_) @callee) @reference.call
(decorator (identifier) @callee) @reference.call
(throw_statement (new_expression constructor: (_) @callee)) @reference.throw
(throw_statement [(new_expression arguments: (arguments . [(string) (template_string)] @text)) (call_expression arguments: (arguments . [(string) (template_string)] @text))])
(throw_statement (new_expression arguments: (arguments . (call_expression arguments: (arguments . [(string) (template_string)] @text)))))
(new_expression constructor: (_) @made arguments: (arguments . [(string) (template_string) (binary_expression)] @text) (#match? @made "(Error|Exception)$"))
(new_expression constructor: (_) @made arguments: (arguments [(string) (template_string) (binary_expression)] @text (#match? @text "^[\\"'\`].* ")) (#match? @made "(Error|Exception)$"))
(throw_statement (new_expression arguments: (arguments . (binary_expression) @text)))
(throw_statement (call_expression function: (member_expression object: (identifier) @callee)) (#match? @callee "^[A-Z]")) @reference.throw
(assignment_expression left: [(identifier) (member_expression)] @callee) @reference.set
(augmented_assignment_expression left: [(identifier) (member_expression)] @callee) @reference.set
(call_expression arguments: (arguments . (string) @key))
(call_expression arguments: (arguments (string) @option (#match? @option "^.-{1,2}[A-Za-z]")))
(new_expression arguments: (arguments (string) @option (#match? @option "^.-{1,2}[A-Za-z]")))
(call_expression function: (member_expression property: (property_identifier) @made) arguments: (arguments . (string) @long) (#eq? @made "option"))
(subscript_expression index: (string) @key)
(member_expression object: (member_expression) @environment property: (property_identifier) @key (#match? @environment "^(process|import[.]meta)[.]env$"))
(variable_declarator name: (object_pattern [(shorthand_property_identifier_pattern) @key (pair_pattern key: (property_identifier) @key)]) value: (member_expression) @environment (#match? @environment "^(process|import[.]meta)[.]env$"))
(member_expression property: [(property_identifier) (private_property_identifier)]) @reference.member
(identifier) @reference.read
(shorthand_property_identifier) @reference.read
(export_statement "default" declaration: (_ name: (_) @default))
(export_statement "default" value: (identifier) @default)

(variable_declarator name: (identifier) @local value: (_)? @value)
(variable_declarator name: [(object_pattern) (array_pattern)] @pattern)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (_) @pattern)
[(function_declaration) (function_expression) (generator_function_declaration) (arrow_function) (method_definition) (statement_block) (for_statement) (for_in_statement) (catch_clause)] @scope
(import_statement) @skip
(export_statement source: (string)) @skip
`;

const JSX = `
(jsx_opening_element name: (_) @callee) @reference.call
(jsx_self_closing_element name: (_) @callee) @reference.call
`;

const javascriptQuery = `${COMMON}${JSX}
(formal_parameters (identifier) @local)
(formal_parameters [(object_pattern) (array_pattern) (assignment_pattern) (rest_pattern)] @pattern)
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (_)? @value) @definition.field
(class_heritage (identifier) @callee) @reference.extends
(class_heritage (member_expression) @callee) @reference.extends
`;

const typescriptQuery = `${COMMON}
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(internal_module name: (identifier) @name) @definition.module
(function_signature name: (identifier) @name) @definition.function
(method_signature name: (property_identifier) @name) @definition.method
(abstract_method_signature name: (property_identifier) @name) @definition.method
(property_signature name: (property_identifier) @name type: (_)? @type) @definition.field
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @definition.method
(public_field_definition name: (_) @name type: (_)? @type value: (_)? @value) @definition.field
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (_)? @type) @definition.field
(required_parameter "readonly" pattern: (identifier) @name type: (_)? @type) @definition.field
(optional_parameter (accessibility_modifier) pattern: (identifier) @name type: (_)? @type) @definition.field
(variable_declarator type: (type_annotation (type_identifier) @subject) value: (object [(pair key: (property_identifier) @callee) (shorthand_property_identifier) @callee])) @reference.set
(enum_body name: (_) @name @definition.field)
(enum_assignment name: (_) @name) @definition.field
(variable_declarator name: (identifier) @name type: (_) @type) @definition.variable
(function_declaration name: (identifier) @name return_type: (_) @type) @definition.function
(method_definition name: (_) @name return_type: (_) @type) @definition.method
(method_signature name: (_) @name return_type: (_) @type) @definition.method
(variable_declarator name: (identifier) @name value: (arrow_function return_type: (_) @type)) @definition.function

(extends_clause value: (_) @callee) @reference.extends
(extends_type_clause type: (type_identifier) @callee) @reference.extends
(extends_type_clause type: (generic_type name: (type_identifier) @callee)) @reference.extends
(implements_clause (type_identifier) @callee) @reference.implements
(implements_clause (generic_type name: (type_identifier) @callee)) @reference.implements
(nested_type_identifier) @callee @reference.type
(type_identifier) @reference.type

(required_parameter pattern: (identifier) @local type: (_)? @type)
(optional_parameter pattern: (identifier) @local type: (_)? @type)
(required_parameter pattern: [(object_pattern) (array_pattern) (rest_pattern)] @pattern)
(variable_declarator name: (identifier) @local type: (_) @type)
`;

const tsxQuery = typescriptQuery + JSX;

export const javascript: CodeLanguage = {
  id: 'javascript',
  extensions: ['js', 'mjs', 'cjs', 'es6'],
  interpreters: ['node', 'deno', 'bun'],
  grammar: 'javascript',
  references: javascriptQuery,
  parent: 'super',
  declarations: declarations({
    function: 'function_declaration generator_function_declaration method_definition',
    class: 'class_declaration',
    value: 'lexical_declaration variable_declaration field_definition expression_statement',
  }),
  transparent: ['export_statement'],
  bodies: ['class_body', 'statement_block'],
  calls: {
    call_expression: 'function',
    new_expression: 'constructor',
    jsx_opening_element: 'name',
    jsx_self_closing_element: 'name',
    class_heritage: '*',
  },
  uses: [],
  imports: ['import_statement', 'export_statement'],
  strings: ['string', 'template_string'],
  importsOf,
  loaders: /^(?:require|import)$/,
  resolveImport: (module, _name, from, table) => onlyPath(script(module, from, table)),
};

export const javascriptreact: CodeLanguage = {
  ...javascript,
  id: 'javascriptreact',
  extensions: ['jsx'],
  interpreters: [],
};

export const typescript: CodeLanguage = {
  ...javascript,
  id: 'typescript',
  extensions: ['ts', 'mts', 'cts'],
  interpreters: [],
  grammar: 'typescript',
  references: typescriptQuery,
  declarations: {
    ...javascript.declarations,
    ...declarations({
      class: 'abstract_class_declaration interface_declaration enum_declaration type_alias_declaration',
      namespace: 'internal_module module',
      value: 'public_field_definition',
      function: 'function_signature',
    }),
  },
  transparent: ['export_statement', 'ambient_declaration'],
  uses: ['type_identifier'],
  imports: ['import_statement', 'export_statement', 'import_alias'],
  resolvesFor: ['vue', 'svelte'],
};

export const typescriptreact: CodeLanguage = {
  ...typescript,
  id: 'typescriptreact',
  extensions: ['tsx'],
  resolvesFor: [],
  grammar: 'tsx',
  references: tsxQuery,
};

function importsOf(text: string): ImportedModule[] {
  const module = /(?:\bfrom|^\s*import|\brequire\s*\()\s*(["'])([^"'\n]+)\1/.exec(text)?.[2];
  if (module === undefined) return [];
  const reexport = /^\s*export\b/.test(text);
  const clause = withoutComments(text.slice(0, text.lastIndexOf(module)));
  const brace = clause.indexOf('{');
  const end = brace < 0 ? -1 : clause.indexOf('}', brace);
  const list = clause.slice(brace + 1, Math.max(brace + 1, end));
  const names = namesInList(list, /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/);
  const namespace = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1];
  const standard = reexport ? undefined : /^\s*import\s+(?:type\s+)?([\w$]+)\s*(?:,|\bfrom\b)/.exec(clause)?.[1];
  if (standard && standard !== 'type') names.push({ name: standard, local: standard });
  return [{ module, names, ...(namespace ? { namespace } : {}) }];
}

function withoutComments(text: string): string {
  let clean = '';
  let kept = 0;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', Math.max(at + 1, kept))) {
    const ending = text[at + 1] === '*' ? '*/' : text[at + 1] === '/' ? '\n' : undefined;
    if (ending === undefined) continue;
    const end = text.indexOf(ending, at + 2);
    clean += text.slice(kept, at);
    kept = end < 0 ? text.length : end + (ending === '\n' ? 0 : ending.length);
    if (end < 0) break;
  }
  return clean + text.slice(kept);
}

const SCRIPT_EXTENSIONS = wordList('.ts .tsx .mts .cts .d.ts .js .jsx .mjs .cjs .json .vue .svelte');

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
