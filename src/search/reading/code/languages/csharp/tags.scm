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
(field_declaration
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @definition.field

(base_list (_) @callee) @reference.base
(invocation_expression function: (_) @callee) @reference.call
(object_creation_expression type: (_) @callee) @reference.call
(attribute name: (_) @callee) @reference.call
(throw_statement (object_creation_expression type: (_) @callee)) @reference.throw
(throw_expression (object_creation_expression type: (_) @callee)) @reference.throw
[
  (throw_statement
    (object_creation_expression
      arguments: (argument_list
        .
        (argument
          [
            (string_literal)
            (verbatim_string_literal)
            (raw_string_literal)
            (interpolated_string_expression)
            (binary_expression)] @text))))
  (throw_expression
    (object_creation_expression
      arguments: (argument_list
        .
        (argument
          [
            (string_literal)
            (verbatim_string_literal)
            (raw_string_literal)
            (interpolated_string_expression)
            (binary_expression)] @text))))]
(throw_statement
  (object_creation_expression
    arguments: (argument_list
      .
      (argument
        (invocation_expression
          arguments: (argument_list
            .
            (argument
              [
                (string_literal)
                (verbatim_string_literal)
                (raw_string_literal)
                (interpolated_string_expression)
                (binary_expression)] @text)))))))
(object_creation_expression
  type: (_) @made
  arguments: (argument_list
    .
    (argument
      [
        (string_literal)
        (verbatim_string_literal)
        (raw_string_literal)
        (interpolated_string_expression)
        (binary_expression)] @text))
  (#match? @made "(Exception|Error)$"))
(object_creation_expression
  type: (_) @made
  arguments: (argument_list
    (argument
      [
        (string_literal)
        (verbatim_string_literal)
        (raw_string_literal)
        (interpolated_string_expression)
        (binary_expression)] @text
      (#match? @text "^[$@]*\".* ")))
  (#match? @made "(Exception|Error)$"))
[
  (throw_statement (invocation_expression function: (member_access_expression expression: (identifier) @callee)))
  (throw_expression (invocation_expression function: (member_access_expression expression: (identifier) @callee)))] @reference.throw
(assignment_expression left: [(identifier) (member_access_expression)] @callee) @reference.set
(object_creation_expression
  type: (_) @subject
  initializer: (initializer_expression (assignment_expression left: (identifier) @callee))) @reference.set
(member_access_expression) @reference.member
(invocation_expression arguments: (argument_list . (argument (string_literal) @key)))
(element_access_expression subscript: (bracketed_argument_list . (argument (string_literal) @key)))
(attribute (attribute_argument_list . (attribute_argument (string_literal) @key)))
(argument (string_literal) @option (#match? @option "^.-{1,2}[A-Za-z]"))
(attribute_argument (string_literal) @option (#match? @option "^.-{1,2}[A-Za-z]"))
(parameter type: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(property_declaration type: (identifier) @reference.type)
(generic_name (identifier) @reference.type)
(identifier) @reference.read

(parameter type: (_)? @type name: (identifier) @local)
(local_declaration_statement
  (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local . (_) @value)))
(declaration_pattern type: (_) @type name: (identifier) @local)
(declaration_expression type: (_) @type name: (identifier) @local)
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
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
