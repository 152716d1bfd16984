[(jsx_opening_element name: (_) @callee) (jsx_self_closing_element name: (_) @callee)] @reference.call
