; A function is known by the name right behind `func`: by the field it takes the runtime 1.5 s to compile, as the grammar
; has so many states there.

(class_declaration name: (type_identifier) @name) @definition.class
(class_declaration "extension" name: (user_type) @holder) @within
(protocol_declaration name: (type_identifier) @name) @definition.interface
(function_declaration "func" . (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation)? @type) @definition.field
(typealias_declaration name: (type_identifier) @name) @definition.type
(enum_entry name: (simple_identifier) @name) @definition.field

(inheritance_specifier inherits_from: (user_type) @callee) @reference.base
(call_expression . (_) @callee) @reference.call
(control_transfer_statement
  (throw_keyword)
  [
    (call_expression . (_) @callee)
    (call_expression . (navigation_expression . (simple_identifier) @callee))
    (navigation_expression) @callee
    (simple_identifier) @callee
    (navigation_expression . (simple_identifier) @callee)]) @reference.throw @throws
(call_expression
  (simple_identifier) @fatal
  (#any-of? @fatal "fatalError" "preconditionFailure" "assertionFailure" "precondition" "assert")) @throws
(assignment target: (directly_assignable_expression) @callee) @reference.set
(call_expression
  .
  (simple_identifier) @subject
  (call_suffix (value_arguments (value_argument name: (value_argument_label (simple_identifier) @callee))))
  (#match? @subject "^[A-Z]")) @reference.set
(navigation_expression) @reference.member
(type_identifier) @reference.type
(simple_identifier) @reference.read
(line_string_literal) @string

[
  (parameter name: (simple_identifier) @local (user_type)? @type)
  (lambda_parameter name: (simple_identifier) @local)
  (for_statement item: (pattern bound_identifier: (simple_identifier) @local))]
[(function_declaration) (lambda_literal) (statements) (for_statement)] @scope
(import_declaration) @skip
