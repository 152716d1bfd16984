(class_declaration "interface" (type_identifier) @name) @definition.interface
[(class_declaration (type_identifier) @name) (object_declaration (type_identifier) @name)] @definition.class
(function_declaration (simple_identifier) @name) @definition.function
[
  (property_declaration (variable_declaration (simple_identifier) @name @local (user_type)? @type))
  (class_parameter (simple_identifier) @name (user_type)? @type)
  (enum_entry (simple_identifier) @name)] @definition.field
(type_alias (type_identifier) @name) @definition.type

(delegation_specifier (constructor_invocation (user_type) @callee)) @reference.extends
(delegation_specifier (user_type) @callee) @reference.implements
(call_expression . (_) @callee) @reference.call
(jump_expression "throw" (call_expression . (_) @callee)) @reference.throw @throws
(call_expression . (simple_identifier) @made (#any-of? @made "error" "TODO")) @throws
(call_expression
  (call_expression . (simple_identifier) @made)
  (call_suffix (annotated_lambda (lambda_literal (statements (string_literal) @throws .))))
  (#any-of? @made "require" "requireNotNull" "check" "checkNotNull" "assert"))
(assignment (directly_assignable_expression) @callee) @reference.set
(call_expression
  .
  (simple_identifier) @subject
  (call_suffix (value_arguments (value_argument . (simple_identifier) @callee "=")))
  (#match? @subject "^[A-Z]")) @reference.set
(navigation_expression) @reference.member
(type_identifier) @reference.type
(simple_identifier) @reference.read
(string_literal) @string

[
  (parameter (simple_identifier) @local (user_type)? @type)
  (lambda_parameters (variable_declaration (simple_identifier) @local))
  (for_statement (variable_declaration (simple_identifier) @local))]
[
  (function_declaration)
  (lambda_literal)
  (function_body)
  (control_structure_body)
  (for_statement)
  (anonymous_function)] @scope
(import_header) @skip
