[(class_declaration name: (name) @name) (trait_declaration name: (name) @name)] @definition.class
(interface_declaration name: (name) @name) @definition.interface
(enum_declaration name: (name) @name) @definition.enum
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(const_element (name) @name) @definition.constant
(property_element (variable_name (name) @name)) @definition.field

(base_clause [(name) (qualified_name)] @callee) @reference.extends
(use_declaration [(name) (qualified_name)] @callee) @reference.extends
(class_interface_clause [(name) (qualified_name)] @callee) @reference.implements
[
  (function_call_expression function: (_) @callee)
  (object_creation_expression [(name) (qualified_name)] @callee)
  (attribute [(name) (qualified_name)] @callee)] @reference.call
[
  (member_call_expression name: (name) @callee)
  (nullsafe_member_call_expression name: (name) @callee)
  (scoped_call_expression name: (name) @callee)] @reference.invocation
(throw_expression
  [
    (object_creation_expression [(name) (qualified_name)] @callee)
    (scoped_call_expression scope: [(name) (qualified_name)] @callee)]) @reference.throw @throws
[
  (assignment_expression left: [(member_access_expression) (scoped_property_access_expression)] @callee)
  (augmented_assignment_expression left: [(member_access_expression) (scoped_property_access_expression)] @callee)] @reference.set
[
  (member_access_expression)
  (nullsafe_member_access_expression)
  (scoped_property_access_expression)] @reference.member
(class_constant_access_expression (_) . (name) @callee) @reference.read
(named_type [(name) (qualified_name)] @callee) @reference.type
[(string) (encapsed_string)] @string

(simple_parameter type: (_)? @type name: (variable_name) @local)
(assignment_expression left: (variable_name) @local right: (_) @value)
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope
(namespace_use_declaration) @skip
