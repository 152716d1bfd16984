(function_item name: (identifier) @name return_type: (_)? @type) @definition.function
(function_signature_item name: (identifier) @name return_type: (_)? @type) @definition.method
(macro_definition name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.class
(union_item name: (type_identifier) @name) @definition.class
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
(assignment_expression left: [(identifier) (field_expression)] @callee) @reference.set
(compound_assignment_expr left: [(identifier) (field_expression)] @callee) @reference.set
(struct_expression
  name: (_) @subject
  body: (field_initializer_list
    [(field_initializer field: (field_identifier) @callee) (shorthand_field_initializer (identifier) @callee)])) @reference.set
(field_expression field: (field_identifier)) @reference.member
(macro_invocation
  macro: (_) @made
  (token_tree . (string_literal) @text)
  (#match? @made "(^|::)(panic|bail|anyhow|eyre|format_err|unreachable|todo|unimplemented)$"))
(macro_invocation macro: (_) @made (token_tree (string_literal) @text) (#match? @made "(^|::)ensure$"))
(call_expression
  function: (identifier) @made
  arguments: (arguments
    .
    [
      (string_literal) @text
      (macro_invocation (token_tree . (string_literal) @text))
      (call_expression function: (field_expression value: (string_literal) @text))
      (call_expression arguments: (arguments . (string_literal) @text))])
  (#eq? @made "Err"))
(call_expression
  function: (field_expression field: (field_identifier) @made)
  arguments: (arguments . (string_literal) @text)
  (#match? @made "^(expect|ok_or|context)$"))
(attribute (identifier) @made arguments: (token_tree . (string_literal) @text) (#eq? @made "error"))
(call_expression arguments: (arguments . (string_literal) @key))
(macro_invocation macro: (_) @made (token_tree . (string_literal) @key) (#match? @made "(^|::)(option_)?env$"))
(attribute
  (_) @made
  arguments: (token_tree . (string_literal) @key)
  (#match? @made "(^|::)(get|post|put|delete|patch|head|options|connect|trace|route)$"))
(attribute
  (identifier) @clap
  arguments: (token_tree (identifier) @made . (string_literal) @key)
  (#match? @clap "^(arg|clap|structopt)$")
  (#eq? @made "env"))
(call_expression arguments: (arguments (string_literal) @option (#match? @option "^.-{1,2}[A-Za-z]")))
(call_expression
  function: (field_expression field: (field_identifier) @made)
  arguments: (arguments . [(string_literal) (char_literal)] @long)
  (#match? @made "^(long|short)$"))
(attribute
  (identifier) @clap
  arguments: (token_tree (identifier) @made . [(string_literal) (char_literal)] @long)
  (#match? @clap "^(arg|clap|structopt|argh)$")
  (#match? @made "^(long|short)$"))
(field_declaration_list
  (attribute_item (attribute (identifier) @clap arguments: (token_tree (identifier) @made) @given))
  .
  [(line_comment) (attribute_item)]*
  .
  (field_declaration name: (field_identifier) @long)
  (#match? @clap "^(arg|clap|structopt|argh)$")
  (#eq? @made "long")
  (#not-match? @given "[(, ]long *="))
(scoped_type_identifier) @callee @reference.type
(type_identifier) @reference.type
(identifier) @reference.read

(parameter pattern: (identifier) @local type: (_) @type)
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local type: (_)? @type value: (_)? @value)
(let_declaration pattern: [(tuple_pattern) (struct_pattern) (tuple_struct_pattern)] @pattern)
(for_expression pattern: (_) @pattern)
(match_pattern) @pattern
[(function_item) (closure_expression) (block) (for_expression) (match_arm)] @scope
(use_declaration) @skip
