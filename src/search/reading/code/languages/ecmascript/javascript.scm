; Of JavaScript alone.

(formal_parameters (identifier) @local)
(formal_parameters [(object_pattern) (array_pattern) (assignment_pattern) (rest_pattern)] @pattern)
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)]) @definition.method
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: (_)? @value) @definition.field
(class_heritage [(identifier) (member_expression)] @callee) @reference.extends
