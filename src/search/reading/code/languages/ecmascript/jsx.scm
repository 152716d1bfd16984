; What stands in JSX.

(jsx_opening_element name: (_) @callee) @reference.call
(jsx_self_closing_element name: (_) @callee) @reference.call
