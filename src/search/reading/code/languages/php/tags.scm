(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.class
(enum_declaration name: (name) @name) @definition.enum
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(const_element (name) @name) @definition.constant
(property_element (variable_name (name) @name)) @definition.field

(base_clause [(name) (qualified_name)] @callee) @reference.extends
(class_interface_clause [(name) (qualified_name)] @callee) @reference.implements
(use_declaration [(name) (qualified_name)] @callee) @reference.extends
(function_call_expression function: (_) @callee) @reference.call
(member_call_expression name: (name) @callee) @reference.invocation
(nullsafe_member_call_expression name: (name) @callee) @reference.invocation
(scoped_call_expression name: (name) @callee) @reference.invocation
(object_creation_expression [(name) (qualified_name)] @callee) @reference.call
(throw_expression (object_creation_expression [(name) (qualified_name)] @callee)) @reference.throw
(attribute [(name) (qualified_name)] @callee) @reference.call
(throw_expression (scoped_call_expression scope: [(name) (qualified_name)] @callee)) @reference.throw
(throw_expression
  (object_creation_expression (arguments . (argument [(string) (encapsed_string) (binary_expression)] @text))))
(throw_expression
  (object_creation_expression
    (arguments (argument [(string) (encapsed_string) (binary_expression)] @text (#match? @text "^[\"'].* ")))))
(throw_expression
  (object_creation_expression
    (arguments
      .
      (argument (function_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @text)))))))
(assignment_expression
  left: [(member_access_expression) (scoped_property_access_expression)] @callee) @reference.set
(augmented_assignment_expression
  left: [(member_access_expression) (scoped_property_access_expression)] @callee) @reference.set
[
  (member_access_expression)
  (nullsafe_member_access_expression)
  (scoped_property_access_expression)] @reference.member
(class_constant_access_expression (_) . (name) @callee) @reference.read
(function_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @key)))
(member_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @key)))
(scoped_call_expression arguments: (arguments . (argument [(string) (encapsed_string)] @key)))
(attribute parameters: (arguments . (argument [(string) (encapsed_string)] @key)))
(argument [(string) (encapsed_string)] @option (#match? @option "^.-{1,2}[A-Za-z]"))
(member_call_expression
  name: (name) @made
  arguments: (arguments . (argument [(string) (encapsed_string)] @long))
  (#eq? @made "addOption"))
(object_creation_expression
  (name) @made
  (arguments . (argument [(string) (encapsed_string)] @long))
  (#eq? @made "InputOption"))
(subscript_expression (_) . [(string) (encapsed_string)] @key)
(named_type [(name) (qualified_name)] @callee) @reference.type

(simple_parameter type: (_)? @type name: (variable_name) @local)
(assignment_expression left: (variable_name) @local right: (_) @value)
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope
