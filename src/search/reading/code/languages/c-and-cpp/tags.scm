; Of C and C++ alike. A name is declared as itself, or with stars and brackets around it (`int **lines[2]`); a function
; may return a pointer or a reference, and be called through a pointer (`int (*ready)(int)`).

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))]) @definition.function
(declaration
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))]) @definition.declaration
(declaration
  (storage_class_specifier) @extern
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))]
  (#eq? @extern "extern")) @definition.declaration
(declaration
  type: (_) @type
  declarator: [
    (identifier) @name @local
    (_ declarator: (identifier) @name @local)
    (_ declarator: (_ declarator: (identifier) @name @local))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @name @local)))]) @definition.variable
(declaration
  declarator: [
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name @local)))
    (init_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name @local))))]) @definition.variable
[
  (struct_specifier name: (type_identifier) @name body: (_))
  (union_specifier name: (type_identifier) @name body: (_))] @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition
  declarator: [
    (type_identifier) @name
    (_ declarator: (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @definition.type
(field_declaration
  type: (_) @type
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @definition.field
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function

(call_expression function: (_) @callee) @reference.call
(assignment_expression left: [(identifier) (field_expression)] @callee) @reference.set
(declaration
  type: (_) @subject
  declarator: (init_declarator
    value: (initializer_list (initializer_pair designator: (field_designator (field_identifier) @callee))))) @reference.set
(field_expression field: (field_identifier)) @reference.member
(call_expression
  function: (identifier) @made
  (#match? @made "^(v?(err|warn)x?|die|fatal|error|perror|panic)$")) @throws
(call_expression
  function: (identifier) @made
  arguments: (argument_list . (identifier) @stream)
  (#eq? @made "fprintf")
  (#eq? @stream "stderr")) @throws
(type_identifier) @reference.type
(identifier) @reference.read
(string_literal) @string

(parameter_declaration
  type: (_) @type
  declarator: [
    (identifier) @local
    (_ declarator: (identifier) @local)
    (_ declarator: (_ declarator: (identifier) @local))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))])
[(function_definition) (compound_statement) (for_statement)] @scope
(preproc_include) @skip
