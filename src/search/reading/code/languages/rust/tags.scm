[(function_item name: (identifier) @name) (macro_definition name: (identifier) @name)] @definition.function
(function_signature_item name: (identifier) @name) @definition.method
[(struct_item name: (type_identifier) @name) (union_item name: (type_identifier) @name)] @definition.class
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.field
(trait_item name: (type_identifier) @name) @definition.interface
(mod_item name: (identifier) @name body: (_)) @definition.module
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name type: (_) @type) @definition.variable
(type_item name: (type_identifier) @name) @definition.type
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
(impl_item type: (_) @holder) @within

(impl_item trait: (_) @callee type: (_) @subject) @reference.implements
(trait_item bounds: (trait_bounds (type_identifier) @callee)) @reference.extends
(call_expression function: (_) @callee) @reference.call
(macro_invocation macro: (_) @callee) @reference.call
(struct_expression name: (_) @callee) @reference.call
[
  (assignment_expression left: [(identifier) (field_expression)] @callee)
  (compound_assignment_expr left: [(identifier) (field_expression)] @callee)] @reference.set
(struct_expression
  name: (_) @subject
  body: (field_initializer_list
    [(field_initializer field: (field_identifier) @callee) (shorthand_field_initializer (identifier) @callee)])) @reference.set
(field_expression field: (field_identifier)) @reference.member
[(scoped_type_identifier) (type_identifier)] @reference.type
(identifier) @reference.read
(macro_invocation
  macro: (_) @made
  (#match? @made "(^|::)(panic|bail|anyhow|eyre|format_err|unreachable|todo|unimplemented|ensure)$")) @throws
(call_expression
  function: [(identifier) @made (field_expression field: (field_identifier) @made)]
  arguments: (_) @throws
  (#match? @made "^(Err|expect|ok_or|context)$"))
(attribute (identifier) @made (#eq? @made "error")) @throws
[(string_literal) (raw_string_literal)] @string

[
  (parameter pattern: (identifier) @local type: (_) @type)
  (closure_parameters (identifier) @local)
  (let_declaration pattern: (identifier) @local type: (_)? @type value: (_)? @value)
  (let_declaration pattern: [(tuple_pattern) (struct_pattern) (tuple_struct_pattern)] @pattern)
  (for_expression pattern: (_) @pattern)
  (match_pattern) @pattern]
[(function_item) (closure_expression) (block) (for_expression) (match_arm)] @scope
(use_declaration) @skip
