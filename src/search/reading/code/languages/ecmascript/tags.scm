; Of JavaScript and TypeScript alike.

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
; Behind a bracket that is still open they look like values.
(ERROR (function_expression name: (identifier) @name) @definition.function)
(ERROR (class name: (_) @name) @definition.class)
(method_definition name: (_) @name) @definition.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(variable_declarator name: (identifier) @name @local value: (_)? @value) @definition.variable
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @definition.function
(export_statement "default" declaration: (_ name: (_) @default))
(export_statement "default" value: (identifier) @default)

(call_expression function: (_) @callee) @reference.call
(new_expression constructor: (_) @callee) @reference.call
(decorator (identifier) @callee) @reference.call
(throw_statement (new_expression constructor: (_) @callee)) @reference.throw @throws
(throw_statement (call_expression)) @throws
(throw_statement
  (call_expression function: (member_expression object: (identifier) @callee))
  (#match? @callee "^[A-Z]")) @reference.throw
(new_expression constructor: (_) @made (#match? @made "(Error|Exception)$")) @throws
(assignment_expression left: [(identifier) (member_expression)] @callee) @reference.set
(augmented_assignment_expression left: [(identifier) (member_expression)] @callee) @reference.set
(member_expression property: [(property_identifier) (private_property_identifier)]) @reference.member
[(identifier) (shorthand_property_identifier)] @reference.read
[(string) (template_string)] @string
(member_expression
  object: (member_expression) @environment
  property: (property_identifier) @key
  (#match? @environment "^(process|import[.]meta)[.]env$"))
(variable_declarator
  name: (object_pattern
    [(shorthand_property_identifier_pattern) @key (pair_pattern key: (property_identifier) @key)])
  value: (member_expression) @environment
  (#match? @environment "^(process|import[.]meta)[.]env$"))

[
  (variable_declarator name: [(object_pattern) (array_pattern)] @pattern)
  (arrow_function parameter: (identifier) @local)
  (catch_clause parameter: (identifier) @local)
  (for_in_statement left: (_) @pattern)]
[
  (function_declaration)
  (function_expression)
  (generator_function_declaration)
  (arrow_function)
  (method_definition)
  (statement_block)
  (for_statement)
  (for_in_statement)
  (catch_clause)] @scope
[(import_statement) (export_statement source: (string))] @skip
