(class name: [(constant) (scope_resolution)] @name) @definition.class
(module name: [(constant) (scope_resolution)] @name) @definition.module
[(method name: (_) @name) (singleton_method name: (_) @name)] @definition.method
(assignment left: (constant) @name) @definition.constant
(call
  method: (identifier) @made
  arguments: (argument_list (simple_symbol) @name @definition.field)
  (#match? @made "^attr_(accessor|reader|writer)$"))

(superclass [(constant) (scope_resolution)] @callee) @reference.extends
(call
  method: (identifier) @include
  arguments: (argument_list [(constant) (scope_resolution)] @callee)
  (#any-of? @include "include" "extend" "prepend")) @reference.implements
(call method: (_) @callee) @reference.invocation
(call receiver: [(constant) (scope_resolution)] @callee method: (identifier) @new (#eq? @new "new")) @reference.call
(call method: (identifier) @raise (#eq? @raise "raise")) @throws
(call
  method: (identifier) @raise
  arguments: (argument_list
    .
    [
      (constant) @callee
      (scope_resolution) @callee
      (call receiver: [(constant) (scope_resolution)] @callee method: (identifier))])
  (#eq? @raise "raise")) @reference.throw
[
  (assignment left: [(instance_variable) (global_variable) (call)] @callee)
  (operator_assignment left: [(instance_variable) (global_variable) (call)] @callee)] @reference.set
(instance_variable) @reference.member
(constant) @reference.read
(identifier) @reference.plain
[(string) (simple_symbol)] @string

[
  (method_parameters (identifier) @local)
  (block_parameters (identifier) @local)
  (optional_parameter name: (identifier) @local)
  (keyword_parameter name: (identifier) @local)
  (assignment left: (identifier) @local right: (_)? @value)]
[(method) (singleton_method) (block) (do_block) (lambda)] @scope
