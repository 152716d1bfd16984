[(class_declaration name: (identifier) @name) (record_declaration name: (identifier) @name)] @definition.class
[
  (interface_declaration name: (identifier) @name)
  (annotation_type_declaration name: (identifier) @name)] @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
[
  (method_declaration name: (identifier) @name)
  (constructor_declaration name: (identifier) @name)] @definition.method
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @definition.field
(enum_constant name: (identifier) @name) @definition.field

(superclass (_) @callee) @reference.extends
(extends_interfaces (type_list (_) @callee)) @reference.extends
(super_interfaces (type_list (_) @callee)) @reference.implements
(method_invocation name: (identifier) @callee) @reference.invocation
[
  (object_creation_expression type: (_) @callee)
  (annotation name: (_) @callee)
  (marker_annotation name: (_) @callee)] @reference.call
(method_reference) @callee @reference.read
(throw_statement (object_creation_expression type: (_) @callee)) @reference.throw @throws
(throw_statement (method_invocation object: (identifier) @callee) (#match? @callee "^[A-Z]")) @reference.throw
(object_creation_expression type: (_) @made (#match? @made "(Exception|Error|Failure)$")) @throws
[
  (assignment_expression left: [(identifier) (field_access)] @callee)
  (update_expression [(identifier) (field_access)] @callee)] @reference.set
(field_access) @reference.member
[(scoped_type_identifier) (type_identifier)] @reference.type
(identifier) @reference.read
(string_literal) @string

[
  (formal_parameter type: (_) @type name: (identifier) @local)
  (inferred_parameters (identifier) @local)
  (lambda_expression parameters: (identifier) @local)
  (local_variable_declaration
    type: (_) @type
    declarator: (variable_declarator name: (identifier) @local value: (_)? @value))
  (catch_formal_parameter name: (identifier) @local)
  (enhanced_for_statement type: (_) @type name: (identifier) @local)]
[
  (method_declaration)
  (constructor_declaration)
  (lambda_expression)
  (block)
  (for_statement)
  (enhanced_for_statement)
  (catch_clause)] @scope
(import_declaration) @skip
