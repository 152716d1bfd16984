import {
  type CodeLanguage,
  classFile,
  fromFolder,
  onlyPath,
  expandUse,
  type ImportedModule,
  declarations,
} from '../code-language.ts';

const phpQuery = `
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.class
(enum_declaration name: (name) @name) @definition.enum
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(const_element (name) @name) @definition.constant
(property_element (variable_name (name) @name)) @definition.field

(base_clause [(name) (qualified_name)] @callee) @reference.extends
(class_interface_clause [(name) (qualified_name)] @callee) @reference.implements
(use_declaration [(name) (qualified_name)] @callee) @reference.extends
(function_call_expression function: (_) @callee) @reference.call
(member_call_expression name: (name) @callee) @reference.invocation
(nullsafe_member_call_expression name: (name) @callee) @reference.invocation
(scoped_call_expression name: (name) @callee) @reference.invocation
(object_creation_expression [(name) (qualified_name)] @callee) @reference.call
(throw_expression (object_creation_expression [(name) (qualified_name)] @callee)) @reference.throw
(attribute [(name) (qualified_name)] @callee) @reference.call
(throw_expression (scoped_call_expression scope: [(name) (qualified_name)] @callee)) @reference.throw
(throw_expression (object_creation_expression (arguments . (argument [(string) (encapsed_string) (binary_expression)] @text))))
(throw_expression (object_creation_expression (arguments (argument [(string) (encapsed_string) (binary_expression)] @text (#match? @text "^[\\"'].* ")))))
(throw_expression (object_creation_expression (arguments . (argument (function_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @text)))))))
(assignment_expression left: [(member_access_expression) (scoped_property_access_expression)] @callee) @reference.set
(augmented_assignment_expression left: [(member_access_expression) (scoped_property_access_expression)] @callee) @reference.set
[(member_access_expression) (nullsafe_member_access_expression) (scoped_property_access_expression)] @reference.member
(class_constant_access_expression (_) . (name) @callee) @reference.read
(function_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @key)))
(member_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @key)))
(scoped_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @key)))
(attribute parameters: (arguments . (argument [(string) (encapsed_string)] @key)))
(argument [(string) (encapsed_string)] @option (#match? @option "^.-{1,2}[A-Za-z]"))
(member_call_expression name: (name) @made arguments: (arguments . (argument [(string) (encapsed_string)] @long)) (#eq? @made "addOption"))
(object_creation_expression (name) @made (arguments . (argument [(string) (encapsed_string)] @long)) (#eq? @made "InputOption"))
(subscript_expression (_) . [(string) (encapsed_string)] @key)
(named_type [(name) (qualified_name)] @callee) @reference.type

(simple_parameter type: (_)? @type name: (variable_name) @local)
(assignment_expression left: (variable_name) @local right: (_) @value)
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope
`;

export const php: CodeLanguage = {
  id: 'php',
  extensions: ['php', 'phtml', 'php5'],
  interpreters: ['php'],
  grammar: 'php',
  references: phpQuery,
  parent: 'parent',
  declarations: declarations({
    namespace: 'namespace_definition',
    class: 'class_declaration interface_declaration trait_declaration enum_declaration',
    function: 'function_definition method_declaration',
    value: 'const_declaration',
  }),
  transparent: [],
  bodies: ['declaration_list', 'enum_declaration_list', 'compound_statement'],
  calls: {
    function_call_expression: 'function',
    member_call_expression: 'name',
    nullsafe_member_call_expression: 'name',
    scoped_call_expression: 'name',
    object_creation_expression: '',
    base_clause: '*',
    class_interface_clause: '*',
  },
  uses: ['named_type'],
  imports: [
    'namespace_use_declaration',
    'require_expression',
    'require_once_expression',
    'include_expression',
    'include_once_expression',
  ],
  strings: ['string', 'encapsed_string'],
  importsOf,
  resolveImport: (module, _name, from, table) =>
    module.includes('::')
      ? classFile(module.split('::'), from, table)
      : onlyPath(fromFolder(module, ['.php'], from, table)),
};

function importsOf(text: string): ImportedModule[] {
  const file = /^\s*(?:require|include)(?:_once)?\b[^"']{0,200}["']([^"']{1,500})["']/.exec(text)?.[1];
  if (file) return [{ module: file.replace(/^\//, './'), names: [] }];
  const tree = /\buse\s+(?:function\s+|const\s+)?([^;]+);?/.exec(text)?.[1];
  if (!tree) return [];
  return expandUse(tree.replace(/\\/g, '::').replace(/\s+/g, ' ').trim()).map((found) => {
    const name = found.names[0];
    return name ? { module: `${found.module}::${name.name}`, names: found.names } : found;
  });
}
