export const rustQuery = `
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
(macro_invocation macro: (identifier) @panic (token_tree . (string_literal) @text) (#eq? @panic "panic"))
(call_expression arguments: (arguments . (string_literal) @key))
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
`;
