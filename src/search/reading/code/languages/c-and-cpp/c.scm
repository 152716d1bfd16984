; Of C alone.

(declaration
  type: (struct_specifier name: (type_identifier) @made)
  declarator: (init_declarator value: (initializer_list (initializer_list . (string_literal) @long)))
  (#eq? @made "option"))
