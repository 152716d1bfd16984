(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(method_declaration type: (_) @type name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @definition.field
(enum_constant name: (identifier) @name) @definition.field

(superclass (_) @callee) @reference.extends
(super_interfaces (type_list (_) @callee)) @reference.implements
(extends_interfaces (type_list (_) @callee)) @reference.extends
(method_invocation name: (identifier) @callee) @reference.invocation
(object_creation_expression type: (_) @callee) @reference.call
(method_reference) @callee @reference.read
(annotation name: (_) @callee) @reference.call
(marker_annotation name: (_) @callee) @reference.call
(throw_statement (object_creation_expression type: (_) @callee)) @reference.throw
(object_creation_expression
  type: (_) @made
  arguments: (argument_list . [(string_literal) (binary_expression)] @text)
  (#match? @made "(Exception|Error|Failure)$"))
(object_creation_expression
  type: (_) @made
  arguments: (argument_list [(string_literal) (binary_expression)] @text (#match? @text "^\".* "))
  (#match? @made "(Exception|Error|Failure)$"))
(throw_statement
  (object_creation_expression arguments: (argument_list . [(string_literal) (binary_expression)] @text)))
(throw_statement (method_invocation object: (identifier) @callee) (#match? @callee "^[A-Z]")) @reference.throw
(throw_statement
  (object_creation_expression
    arguments: (argument_list . (method_invocation arguments: (argument_list . (string_literal) @text)))))
(throw_statement
  (object_creation_expression arguments: (argument_list . (method_invocation object: (string_literal) @text))))
(assignment_expression left: [(identifier) (field_access)] @callee) @reference.set
(update_expression [(identifier) (field_access)] @callee) @reference.set
(field_access) @reference.member
(method_invocation arguments: (argument_list . (string_literal) @key))
(annotation
  arguments: (annotation_argument_list
    [(string_literal) @key (element_value_array_initializer (string_literal) @key)]))
(annotation
  arguments: (annotation_argument_list
    (element_value_pair
      key: (identifier) @made
      value: [(string_literal) @key (element_value_array_initializer (string_literal) @key)]))
  (#match? @made "^(value|path|name|prefix|url|topics?|queues?)$"))
(argument_list (string_literal) @option (#match? @option "^.-{1,2}[A-Za-z]"))
(annotation
  arguments: (annotation_argument_list
    [
      (string_literal) @option
      (element_value_pair value: (string_literal) @option)
      (element_value_pair value: (element_value_array_initializer (string_literal) @option))
      (element_value_array_initializer (string_literal) @option)]
    (#match? @option "^.-{1,2}[A-Za-z]")))
(scoped_type_identifier) @callee @reference.type
(type_identifier) @reference.type
(identifier) @reference.read

(formal_parameter type: (_) @type name: (identifier) @local)
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @local value: (_)? @value))
(catch_formal_parameter name: (identifier) @local)
(enhanced_for_statement type: (_) @type name: (identifier) @local)
[
  (method_declaration)
  (constructor_declaration)
  (lambda_expression)
  (block)
  (for_statement)
  (enhanced_for_statement)
  (catch_clause)] @scope
(import_declaration) @skip
