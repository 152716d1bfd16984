/** Patterns that JavaScript and TypeScript share. */
const COMMON = `
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @definition.function

(call_expression function: (_) @callee) @reference.call
(new_expression constructor: (_) @callee) @reference.call
(decorator (identifier) @callee) @reference.call
(throw_statement (new_expression constructor: (_) @callee)) @reference.throw
(throw_statement (new_expression arguments: (arguments . (string) @text)))
(assignment_expression left: [(identifier) (member_expression)] @callee) @reference.set
(augmented_assignment_expression left: [(identifier) (member_expression)] @callee) @reference.set
(call_expression arguments: (arguments . (string) @key))
(subscript_expression index: (string) @key)
(member_expression object: (member_expression) @environment property: (property_identifier) @key (#eq? @environment "process.env"))
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
`;

const JSX = `
(jsx_opening_element name: (_) @callee) @reference.call
(jsx_self_closing_element name: (_) @callee) @reference.call
`;

export const javascriptQuery = `${COMMON}${JSX}
(formal_parameters (identifier) @local)
(formal_parameters [(object_pattern) (array_pattern) (assignment_pattern) (rest_pattern)] @pattern)
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method
(field_definition property: (property_identifier) @name value: (_)? @value) @definition.field
(class_heritage (identifier) @callee) @reference.extends
(class_heritage (member_expression) @callee) @reference.extends
`;

export const typescriptQuery = `${COMMON}
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(internal_module name: (identifier) @name) @definition.module
(function_signature name: (identifier) @name) @definition.function
(method_signature name: (property_identifier) @name) @definition.method
(abstract_method_signature name: (property_identifier) @name) @definition.method
(property_signature name: (property_identifier) @name type: (_)? @type) @definition.field
(public_field_definition name: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method
(public_field_definition name: (_) @name type: (_)? @type value: (_)? @value) @definition.field
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (_)? @type) @definition.field
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

export const tsxQuery = typescriptQuery + JSX;
