(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration (type_identifier) @name) @definition.class
(object_declaration (type_identifier) @name) @definition.class
(function_declaration (simple_identifier) @name) @definition.function
(property_declaration (variable_declaration (simple_identifier) @name (user_type)? @type)) @definition.field
(class_parameter (simple_identifier) @name (user_type)? @type) @definition.field
(enum_entry (simple_identifier) @name) @definition.field
(type_alias (type_identifier) @name) @definition.type

(delegation_specifier (constructor_invocation (user_type) @callee)) @reference.extends
(delegation_specifier (user_type) @callee) @reference.implements
(call_expression . (_) @callee) @reference.call
(jump_expression "throw" (call_expression . (_) @callee)) @reference.throw
(jump_expression
  "throw"
  (call_expression
    (call_suffix (value_arguments . (value_argument [(string_literal) (additive_expression)] @text)))))
(call_expression
  .
  (simple_identifier) @made
  (call_suffix (value_arguments . (value_argument (string_literal) @text)))
  (#any-of? @made "error" "TODO"))
(call_expression
  (call_expression . (simple_identifier) @made)
  (call_suffix (annotated_lambda (lambda_literal (statements (string_literal) @text .))))
  (#any-of? @made "require" "requireNotNull" "check" "checkNotNull" "assert"))
(assignment (directly_assignable_expression) @callee) @reference.set
(call_expression
  .
  (simple_identifier) @subject
  (call_suffix (value_arguments (value_argument . (simple_identifier) @callee "=")))
  (#match? @subject "^[A-Z]")) @reference.set
(navigation_expression) @reference.member
(call_expression (call_suffix (value_arguments . (value_argument (string_literal) @key))))
(annotation (constructor_invocation (value_arguments . (value_argument (string_literal) @key))))
(value_argument (string_literal) @option (#match? @option "^.-{1,2}[A-Za-z]"))
(type_identifier) @reference.type
(simple_identifier) @reference.read

(parameter (simple_identifier) @local (user_type)? @type)
(property_declaration (variable_declaration (simple_identifier) @local (user_type)? @type))
(lambda_parameters (variable_declaration (simple_identifier) @local))
(for_statement (variable_declaration (simple_identifier) @local))
[
  (function_declaration)
  (lambda_literal)
  (function_body)
  (control_structure_body)
  (for_statement)
  (anonymous_function)] @scope
(import_header) @skip
