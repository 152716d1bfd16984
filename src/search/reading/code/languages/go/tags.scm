(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @container))
  name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.class
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(const_spec name: (identifier) @name) @definition.constant
(var_spec
  name: (identifier) @name @local
  type: (_)? @type
  value: (expression_list . (_) @value)?) @definition.variable
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
(interface_type (method_elem name: (field_identifier) @name) @definition.method)

(field_declaration !name type: (_) @callee) @reference.extends
(interface_type (type_elem (type_identifier) @callee) @reference.extends)
(call_expression function: (_) @callee) @reference.call
(composite_literal type: [(type_identifier) (qualified_type)] @callee) @reference.call
[
  (assignment_statement left: (expression_list [(identifier) (selector_expression)] @callee))
  (inc_statement [(identifier) (selector_expression)] @callee)
  (dec_statement [(identifier) (selector_expression)] @callee)] @reference.set
(composite_literal
  type: [(type_identifier) (qualified_type)] @subject
  body: (literal_value (keyed_element . (literal_element (identifier) @callee)))) @reference.set
(call_expression
  function: (_) @made
  (#match? @made "^(panic|errors[.](New|Wrapf?|WithMessagef?)|(x?errors|fmt)[.]Errorf|status[.]Errorf?|log[.](Fatal|Panic)(f|ln)?)$")) @throws
[(type_identifier) (qualified_type)] @reference.type
(selector_expression) @reference.member
(identifier) @reference.read
[(interpreted_string_literal) (raw_string_literal)] @string

[
  (parameter_declaration name: (identifier) @local type: (_) @type)
  (variadic_parameter_declaration name: (identifier) @local)
  (short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . (_) @value))
  (short_var_declaration left: (expression_list (identifier) @local))
  (const_spec name: (identifier) @local)
  (range_clause left: (expression_list (identifier) @local))]
[(function_declaration) (method_declaration) (func_literal) (block) (for_statement) (if_statement)] @scope
(import_declaration) @skip
