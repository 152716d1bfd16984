; Of C++ alone.

(function_definition
  declarator: [
    (function_declarator declarator: (field_identifier) @name)
    (_ (function_declarator declarator: (field_identifier) @name))
    (_ (_ (function_declarator declarator: (field_identifier) @name)))]) @definition.method
(function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name))
    (_ (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name)))
    (_ (_ (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name))))]) @definition.method
(field_declaration
  declarator: [
    (function_declarator declarator: (field_identifier) @name)
    (_ (function_declarator declarator: (field_identifier) @name))
    (_ (_ (function_declarator declarator: (field_identifier) @name)))]) @definition.method
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @name)) @definition.field
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.module
(alias_declaration name: (type_identifier) @name) @definition.type

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @callee) @reference.extends
(new_expression type: (_) @callee) @reference.call
(throw_statement
  [(call_expression function: (_) @callee) (compound_literal_expression . (_) @callee)]) @reference.throw @throws

(parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @local))
(declaration type: (_) @type declarator: (init_declarator declarator: (reference_declarator (identifier) @local)))
(for_range_loop declarator: (identifier) @local)
(lambda_expression) @scope
