(class name: [(constant) (scope_resolution)] @name) @definition.class
(module name: [(constant) (scope_resolution)] @name) @definition.module
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.constant

(superclass [(constant) (scope_resolution)] @callee) @reference.extends
(call
  method: (identifier) @include
  arguments: (argument_list [(constant) (scope_resolution)] @callee)
  (#any-of? @include "include" "extend" "prepend")) @reference.implements
(call method: (_) @callee) @reference.invocation
(call receiver: [(constant) (scope_resolution)] @callee method: (identifier) @new (#eq? @new "new")) @reference.call
(call
  method: (identifier) @raise
  arguments: (argument_list . [(constant) (scope_resolution)] @callee)
  (#eq? @raise "raise")) @reference.throw
(call method: (identifier) @raise arguments: (argument_list (string) @text) (#eq? @raise "raise"))
(call
  method: (identifier) @raise
  arguments: (argument_list . (call receiver: [(constant) (scope_resolution)] @callee method: (identifier) @made))
  (#eq? @raise "raise")
  (#eq? @made "new")) @reference.throw
(call
  method: (identifier) @raise
  arguments: (argument_list . (call method: (identifier) @made arguments: (argument_list . (string) @text)))
  (#eq? @raise "raise")
  (#eq? @made "new"))
(call
  method: (identifier) @made
  arguments: (argument_list (simple_symbol) @name @definition.field)
  (#match? @made "^attr_(accessor|reader|writer)$"))
(assignment left: [(instance_variable) (global_variable) (call)] @callee) @reference.set
(operator_assignment left: [(instance_variable) (global_variable) (call)] @callee) @reference.set
(instance_variable) @reference.member
(call arguments: (argument_list . [(string) (simple_symbol)] @key))
(call arguments: (argument_list (string) @option (#match? @option "^.-{1,2}[A-Za-z]")))
(element_reference (string) @key)
(constant) @reference.read
(identifier) @reference.plain

(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(assignment left: (identifier) @local right: (_)? @value)
[(method) (singleton_method) (block) (do_block) (lambda)] @scope
