[
  (class_declaration name: (identifier) @name)
  (struct_declaration name: (identifier) @name)
  (record_declaration name: (identifier) @name)] @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.field
(namespace_declaration name: (_) @name) @definition.module
(delegate_declaration name: (identifier) @name) @definition.type
[
  (method_declaration name: (identifier) @name)
  (constructor_declaration name: (identifier) @name)] @definition.method
(local_function_statement name: (identifier) @name) @definition.function
[
  (property_declaration type: (_) @type name: (identifier) @name)
  (field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name)))] @definition.field

(base_list (_) @callee) @reference.base
[
  (invocation_expression function: (_) @callee)
  (object_creation_expression type: (_) @callee)
  (attribute name: (_) @callee)] @reference.call
[
  (throw_statement (object_creation_expression type: (_) @callee))
  (throw_expression (object_creation_expression type: (_) @callee))] @reference.throw @throws
[
  (throw_statement (invocation_expression function: (member_access_expression expression: (identifier) @callee)))
  (throw_expression (invocation_expression function: (member_access_expression expression: (identifier) @callee)))] @reference.throw
(object_creation_expression type: (_) @made (#match? @made "(Exception|Error)$")) @throws
(assignment_expression left: [(identifier) (member_access_expression)] @callee) @reference.set
(object_creation_expression
  type: (_) @subject
  initializer: (initializer_expression (assignment_expression left: (identifier) @callee))) @reference.set
(member_access_expression) @reference.member
[
  (parameter type: (identifier) @callee)
  (variable_declaration type: (identifier) @callee)
  (method_declaration returns: (identifier) @callee)
  (property_declaration type: (identifier) @callee)
  (generic_name (identifier) @callee)] @reference.type
(identifier) @reference.read
[
  (string_literal)
  (verbatim_string_literal)
  (raw_string_literal)
  (interpolated_string_expression)] @string

[
  (parameter type: (_)? @type name: (identifier) @local)
  (local_declaration_statement
    (variable_declaration
      type: (_) @type
      (variable_declarator name: (identifier) @local (object_creation_expression)? @value)))
  (declaration_pattern type: (_) @type name: (identifier) @local)
  (declaration_expression type: (_) @type name: (identifier) @local)
  (foreach_statement left: (identifier) @local)
  (catch_declaration name: (identifier) @local)]
[
  (method_declaration)
  (constructor_declaration)
  (lambda_expression)
  (local_function_statement)
  (block)
  (for_statement)
  (foreach_statement)
  (catch_clause)] @scope
(using_directive) @skip
