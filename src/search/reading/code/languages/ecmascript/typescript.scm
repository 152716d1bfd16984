; Of TypeScript alone.

(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(internal_module name: (identifier) @name) @definition.module
(function_signature name: (identifier) @name) @definition.function
[
  (method_signature name: (property_identifier) @name)
  (abstract_method_signature name: (property_identifier) @name)] @definition.method
(property_signature name: (property_identifier) @name type: (_)? @type) @definition.field
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)]) @definition.method
(public_field_definition name: (_) @name type: (_)? @type value: (_)? @value) @definition.field
(required_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (_)? @type) @definition.field
(optional_parameter (accessibility_modifier) pattern: (identifier) @name type: (_)? @type) @definition.field
(enum_body name: (_) @name @definition.field)
(enum_assignment name: (_) @name) @definition.field

(variable_declarator
  type: (type_annotation (type_identifier) @subject)
  value: (object [(pair key: (property_identifier) @callee) (shorthand_property_identifier) @callee])) @reference.set
(extends_clause value: (_) @callee) @reference.extends
(extends_type_clause type: [(type_identifier) @callee (generic_type name: (_) @callee)]) @reference.extends
(implements_clause [(type_identifier) @callee (generic_type name: (_) @callee)]) @reference.implements
[(nested_type_identifier) (type_identifier)] @reference.type

[
  (required_parameter pattern: (identifier) @local type: (_)? @type)
  (optional_parameter pattern: (identifier) @local type: (_)? @type)
  (variable_declarator name: (identifier) @local type: (_) @type)
  (required_parameter pattern: [(object_pattern) (array_pattern) (rest_pattern)] @pattern)]
