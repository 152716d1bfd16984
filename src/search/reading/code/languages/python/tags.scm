(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(module
  (expression_statement
    (assignment left: (identifier) @name @local type: (_)? @type right: (_)? @value)) @definition.variable)
(class_definition
  body: (block
    (expression_statement
      (assignment left: (identifier) @name type: (_)? @type right: (_)? @value)) @definition.field))
(assignment
  left: (attribute object: (identifier) @self attribute: (identifier) @name)
  type: (_)? @type
  right: (_)? @value
  (#eq? @self "self")) @definition.field

(class_definition
  superclasses: (argument_list [(identifier) @callee (attribute) @callee (subscript value: (_) @callee)])) @reference.extends
(call function: (_) @callee) @reference.call
(decorator [(identifier) (attribute)] @callee) @reference.call
(raise_statement . [(call function: (_) @callee) (identifier) @callee (attribute) @callee]) @reference.throw @throws
[
  (assignment left: [(identifier) (attribute)] @callee)
  (augmented_assignment left: [(identifier) (attribute)] @callee)] @reference.set
(call
  function: [(identifier) (attribute)] @subject
  arguments: (argument_list (keyword_argument name: (identifier) @callee))
  (#match? @subject "(^|[.])[A-Z][A-Za-z0-9]*$")) @reference.set
(type [(identifier) (attribute)] @reference.type)
(generic_type (identifier) @reference.type)
(attribute) @reference.member
(identifier) @reference.read
(string) @string

[
  (parameters (identifier) @local)
  (lambda_parameters (identifier) @local)
  (typed_parameter (identifier) @local type: (_) @type)
  (default_parameter name: (identifier) @local)
  (typed_default_parameter name: (identifier) @local type: (_) @type)
  (parameters [(list_splat_pattern) (dictionary_splat_pattern)] @pattern)
  (assignment left: (identifier) @local type: (_)? @type right: (_)? @value)
  (assignment left: (pattern_list) @pattern)
  (for_statement left: (_) @pattern)
  (for_in_clause left: (_) @pattern)
  (as_pattern_target (identifier) @local)
  (named_expression name: (identifier) @local)]
[
  (function_definition)
  (lambda)
  (list_comprehension)
  (generator_expression)
  (set_comprehension)
  (dictionary_comprehension)] @scope
[(import_statement) (import_from_statement)] @skip
