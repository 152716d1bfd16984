const COMMON = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(union_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition declarator: (type_identifier) @name) @definition.type
(field_declaration type: (_) @type declarator: (field_identifier) @name) @definition.field
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)

(call_expression function: (_) @callee) @reference.call
(assignment_expression left: [(identifier) (field_expression)] @callee) @reference.set
(call_expression arguments: (argument_list . (string_literal) @key))
(type_identifier) @reference.type
(identifier) @reference.read

(parameter_declaration type: (_) @type declarator: (identifier) @local)
(parameter_declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @local))
(declaration type: (_) @type declarator: (identifier) @local)
(declaration type: (_) @type declarator: (init_declarator declarator: (identifier) @local))
(declaration type: (_) @type declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @local)))
[(function_definition) (compound_statement) (for_statement)] @scope
`;

export const cQuery = COMMON;

export const cppQuery = `${COMMON}
(function_definition declarator: (function_declarator declarator: (field_identifier) @name)) @definition.method
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name))) @definition.method
(function_definition declarator: (reference_declarator (function_declarator declarator: (field_identifier) @name))) @definition.method
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @definition.method
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.module
(alias_declaration name: (type_identifier) @name) @definition.type

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @callee) @reference.extends
(new_expression type: (_) @callee) @reference.call
(throw_statement (call_expression function: (_) @callee)) @reference.throw
(throw_statement (call_expression arguments: (argument_list . (string_literal) @text)))
(parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @local))
(for_range_loop declarator: (identifier) @local)
(lambda_expression) @scope
`;
