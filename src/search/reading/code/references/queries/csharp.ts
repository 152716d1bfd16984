export const csharpQuery = `
(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.field
(namespace_declaration name: (_) @name) @definition.module
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration returns: (_) @type name: (identifier) @name) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(constructor_declaration name: (identifier) @name) @definition.method
(property_declaration type: (_) @type name: (identifier) @name) @definition.field
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @definition.field

(base_list (_) @callee) @reference.base
(invocation_expression function: (_) @callee) @reference.call
(object_creation_expression type: (_) @callee) @reference.call
(attribute name: (_) @callee) @reference.call
(throw_statement (object_creation_expression type: (_) @callee)) @reference.throw
(throw_statement (object_creation_expression arguments: (argument_list . (argument (string_literal) @text))))
(assignment_expression left: [(identifier) (member_access_expression)] @callee) @reference.set
(invocation_expression arguments: (argument_list . (argument (string_literal) @key)))
(parameter type: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(property_declaration type: (identifier) @reference.type)
(generic_name (identifier) @reference.type)
(identifier) @reference.read

(parameter type: (_)? @type name: (identifier) @local)
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
[(method_declaration) (constructor_declaration) (lambda_expression) (local_function_statement) (block) (for_statement) (foreach_statement) (catch_clause)] @scope
(using_directive) @skip
`;
