(function_declaration name: (identifier) @name result: (_)? @type) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @container))
  name: (field_identifier) @name
  result: (_)? @type) @definition.method
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.class
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(const_spec name: (identifier) @name) @definition.constant
(var_spec name: (identifier) @name type: (_)? @type value: (expression_list . (_) @value)?) @definition.variable
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
(interface_type (method_elem name: (field_identifier) @name result: (_)? @type) @definition.method)

(field_declaration !name type: (_) @embedded) @reference.extends
(interface_type (type_elem (type_identifier) @callee) @reference.extends)
(call_expression function: (_) @callee) @reference.call
(composite_literal type: (type_identifier) @callee) @reference.call
(composite_literal type: (qualified_type) @callee) @reference.call
(assignment_statement left: (expression_list [(identifier) (selector_expression)] @callee)) @reference.set
(inc_statement [(identifier) (selector_expression)] @callee) @reference.set
(dec_statement [(identifier) (selector_expression)] @callee) @reference.set
(call_expression
  function: (_) @made
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @text)
  (#match? @made "^(panic|(x?errors|fmt)[.](New|Errorf)|log[.](Fatal|Panic)(f|ln)?)$"))
(call_expression
  function: (identifier) @made
  arguments: (argument_list . (call_expression arguments: (argument_list . (interpreted_string_literal) @text)))
  (#eq? @made "panic"))
(call_expression
  function: (selector_expression) @made
  arguments: (argument_list [(interpreted_string_literal) (raw_string_literal)] @text)
  (#match? @made "^(errors[.](Wrap|WithMessage)f?|status[.]Errorf?)$"))
(call_expression arguments: (argument_list . (interpreted_string_literal) @key))
(call_expression
  arguments: (argument_list (interpreted_string_literal) @option (#match? @option "^.-{1,2}[A-Za-z]")))
(call_expression
  function: (selector_expression field: (field_identifier) @made)
  arguments: (argument_list . (interpreted_string_literal) @long)
  (#match? @made "^(String|Bool|(Int|Uint)(8|16|32|64)?|Float(32|64)|Duration|Count|Bytes|IP|StringTo|Text|Func)(Slice|Array|String|Int|Net|Mask|Hex|Base64)?P?$"))
(call_expression
  function: (selector_expression field: (field_identifier) @made)
  arguments: (argument_list . (interpreted_string_literal) . (interpreted_string_literal) @long . (_) . (_))
  (#match? @made "^(String|Bool|(Int|Uint)(8|16|32|64)?|Float(32|64)|Duration|Count|Bytes|IP|StringTo|Text|Func)(Slice|Array|String|Int|Net|Mask|Hex|Base64)?P$"))
(call_expression
  function: (selector_expression field: (field_identifier) @made)
  arguments: (argument_list . (_) . (interpreted_string_literal) @long)
  (#match? @made "^(String|Bool|(Int|Uint)(8|16|32|64)?|Float(32|64)|Duration|Count|Bytes|IP|StringTo|Text|Func)(Slice|Array|String|Int|Net|Mask|Hex|Base64)?VarP?$"))
(call_expression
  function: (selector_expression field: (field_identifier) @made)
  arguments: (argument_list . (_) . (interpreted_string_literal) . (interpreted_string_literal) @long)
  (#match? @made "^(String|Bool|(Int|Uint)(8|16|32|64)?|Float(32|64)|Duration|Count|Bytes|IP|StringTo|Text|Func)(Slice|Array|String|Int|Net|Mask|Hex|Base64)?VarP$"))
(index_expression index: (interpreted_string_literal) @key)
(qualified_type) @callee @reference.type
(type_identifier) @reference.type
(composite_literal
  type: [(type_identifier) (qualified_type)] @subject
  body: (literal_value (keyed_element . (literal_element (identifier) @callee)))) @reference.set
(selector_expression) @reference.member
(identifier) @reference.read

(parameter_declaration name: (identifier) @local type: (_) @type)
(variadic_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . (_) @value))
(short_var_declaration left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local type: (_)? @type)
(const_spec name: (identifier) @local)
(range_clause left: (expression_list (identifier) @local))
[(function_declaration) (method_declaration) (func_literal) (block) (for_statement) (if_statement)] @scope
