/** What a declaration is cut as. */
export type DeclarationRole = 'function' | 'class' | 'namespace' | 'value';

/** What one grammar calls things; node types that a grammar lacks do no harm. */
export interface CodeLanguage {
  /** As in `tree-sitter-<grammar>.wasm`. */
  grammar: string;
  declarations: Readonly<Record<string, DeclarationRole>>;
  /** Wrappers whose declarations stand on the same level: exports, decorators, conditional compilation. */
  transparent: readonly string[];
  /** Where a class or namespace keeps its members. */
  bodies: readonly string[];
  /** Siblings that belong to the declaration right below them, besides comments. */
  prefixes: readonly string[];
  /** Calls: node type to the field up to which the text names what is called ('' for the first child). */
  calls: Readonly<Record<string, string>>;
  /** Nodes that name a type or another symbol in use. */
  uses: readonly string[];
  /** Node types of imports, read by `importsOf`. */
  imports: readonly string[];
  comments: readonly string[];
  strings: readonly string[];
}

const COMMENTS = ['comment', 'line_comment', 'block_comment', 'multiline_comment'];

const javascript: CodeLanguage = {
  grammar: 'javascript',
  declarations: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    class_declaration: 'class',
    method_definition: 'function',
    lexical_declaration: 'value',
    variable_declaration: 'value',
    field_definition: 'value',
    expression_statement: 'value',
  },
  transparent: ['export_statement'],
  bodies: ['class_body', 'statement_block'],
  prefixes: ['decorator'],
  calls: {
    call_expression: 'function',
    new_expression: 'constructor',
    jsx_opening_element: 'name',
    jsx_self_closing_element: 'name',
    class_heritage: '*',
  },
  uses: [],
  imports: ['import_statement', 'export_statement'],
  comments: COMMENTS,
  strings: ['string', 'template_string'],
};

const typescript: CodeLanguage = {
  ...javascript,
  grammar: 'typescript',
  declarations: {
    ...javascript.declarations,
    abstract_class_declaration: 'class',
    interface_declaration: 'class',
    enum_declaration: 'class',
    type_alias_declaration: 'class',
    internal_module: 'namespace',
    module: 'namespace',
    public_field_definition: 'value',
    function_signature: 'function',
  },
  transparent: ['export_statement', 'ambient_declaration'],
  uses: ['type_identifier'],
  imports: ['import_statement', 'export_statement', 'import_alias'],
};

const python: CodeLanguage = {
  grammar: 'python',
  declarations: {
    function_definition: 'function',
    class_definition: 'class',
    expression_statement: 'value',
    type_alias_statement: 'value',
  },
  transparent: ['decorated_definition'],
  bodies: ['block'],
  prefixes: [],
  calls: { call: 'function', decorator: '*', argument_list_of_class: '*' },
  uses: ['type'],
  imports: ['import_statement', 'import_from_statement'],
  comments: COMMENTS,
  strings: ['string'],
};

const go: CodeLanguage = {
  grammar: 'go',
  declarations: {
    function_declaration: 'function',
    method_declaration: 'function',
    type_declaration: 'class',
    const_declaration: 'value',
    var_declaration: 'value',
  },
  transparent: [],
  bodies: [],
  prefixes: [],
  calls: { call_expression: 'function' },
  uses: ['type_identifier'],
  imports: ['import_spec'],
  comments: COMMENTS,
  strings: ['interpreted_string_literal', 'raw_string_literal'],
};

const rust: CodeLanguage = {
  grammar: 'rust',
  declarations: {
    function_item: 'function',
    function_signature_item: 'function',
    macro_definition: 'function',
    struct_item: 'class',
    enum_item: 'class',
    union_item: 'class',
    trait_item: 'class',
    impl_item: 'class',
    mod_item: 'namespace',
    const_item: 'value',
    static_item: 'value',
    type_item: 'value',
  },
  transparent: [],
  bodies: ['declaration_list'],
  prefixes: ['attribute_item'],
  calls: { call_expression: 'function', macro_invocation: 'macro', struct_expression: 'name' },
  uses: ['type_identifier'],
  imports: ['use_declaration', 'mod_item'],
  comments: COMMENTS,
  strings: ['string_literal', 'raw_string_literal'],
};

const java: CodeLanguage = {
  grammar: 'java',
  declarations: {
    class_declaration: 'class',
    interface_declaration: 'class',
    enum_declaration: 'class',
    record_declaration: 'class',
    annotation_type_declaration: 'class',
    method_declaration: 'function',
    constructor_declaration: 'function',
    compact_constructor_declaration: 'function',
  },
  transparent: ['enum_body_declarations'],
  bodies: ['class_body', 'interface_body', 'enum_body', 'annotation_type_body'],
  prefixes: [],
  calls: { method_invocation: 'name', object_creation_expression: 'type' },
  uses: ['type_identifier'],
  imports: ['import_declaration'],
  comments: COMMENTS,
  strings: ['string_literal'],
};

const c: CodeLanguage = {
  grammar: 'c',
  declarations: {
    function_definition: 'function',
    struct_specifier: 'class',
    union_specifier: 'class',
    enum_specifier: 'class',
    type_definition: 'class',
    declaration: 'value',
    preproc_def: 'value',
    preproc_function_def: 'function',
  },
  transparent: ['preproc_ifdef', 'preproc_if', 'preproc_else', 'preproc_elif', 'linkage_specification'],
  bodies: [],
  prefixes: [],
  calls: { call_expression: 'function' },
  uses: ['type_identifier'],
  imports: ['preproc_include'],
  comments: COMMENTS,
  strings: ['string_literal'],
};

const cpp: CodeLanguage = {
  ...c,
  grammar: 'cpp',
  declarations: {
    ...c.declarations,
    class_specifier: 'class',
    namespace_definition: 'namespace',
    alias_declaration: 'value',
    concept_definition: 'value',
    field_declaration: 'value',
  },
  transparent: [...c.transparent, 'template_declaration', 'export_declaration'],
  bodies: ['field_declaration_list', 'declaration_list'],
  calls: { call_expression: 'function', new_expression: 'type' },
};

const csharp: CodeLanguage = {
  grammar: 'c-sharp',
  declarations: {
    namespace_declaration: 'namespace',
    file_scoped_namespace_declaration: 'namespace',
    class_declaration: 'class',
    struct_declaration: 'class',
    interface_declaration: 'class',
    record_declaration: 'class',
    record_struct_declaration: 'class',
    enum_declaration: 'class',
    delegate_declaration: 'value',
    method_declaration: 'function',
    constructor_declaration: 'function',
    destructor_declaration: 'function',
    operator_declaration: 'function',
    conversion_operator_declaration: 'function',
    indexer_declaration: 'function',
    local_function_statement: 'function',
    property_declaration: 'value',
    event_declaration: 'value',
  },
  transparent: ['global_statement', 'preproc_if', 'preproc_region'],
  bodies: ['declaration_list'],
  prefixes: [],
  calls: { invocation_expression: 'function', object_creation_expression: 'type', base_list: '*' },
  uses: [],
  imports: ['using_directive'],
  comments: COMMENTS,
  strings: ['string_literal', 'verbatim_string_literal', 'raw_string_literal', 'interpolated_string_expression'],
};

const ruby: CodeLanguage = {
  grammar: 'ruby',
  declarations: {
    class: 'class',
    module: 'namespace',
    method: 'function',
    singleton_method: 'function',
    singleton_class: 'class',
    assignment: 'value',
  },
  transparent: [],
  bodies: ['body_statement'],
  prefixes: [],
  calls: { call: 'method', superclass: '*' },
  uses: ['constant'],
  imports: [],
  comments: COMMENTS,
  strings: ['string'],
};

const php: CodeLanguage = {
  grammar: 'php',
  declarations: {
    namespace_definition: 'namespace',
    class_declaration: 'class',
    interface_declaration: 'class',
    trait_declaration: 'class',
    enum_declaration: 'class',
    function_definition: 'function',
    method_declaration: 'function',
    const_declaration: 'value',
  },
  transparent: [],
  bodies: ['declaration_list', 'enum_declaration_list', 'compound_statement'],
  prefixes: ['attribute_list'],
  calls: {
    function_call_expression: 'function',
    member_call_expression: 'name',
    nullsafe_member_call_expression: 'name',
    scoped_call_expression: 'name',
    object_creation_expression: '',
    base_clause: '*',
    class_interface_clause: '*',
  },
  uses: ['named_type'],
  imports: [
    'namespace_use_declaration',
    'require_expression',
    'require_once_expression',
    'include_expression',
    'include_once_expression',
  ],
  comments: COMMENTS,
  strings: ['string', 'encapsed_string'],
};

const bash: CodeLanguage = {
  grammar: 'bash',
  declarations: { function_definition: 'function', variable_assignment: 'value' },
  transparent: [],
  bodies: [],
  prefixes: [],
  calls: { command: 'name' },
  uses: [],
  imports: [],
  comments: COMMENTS,
  strings: ['string', 'raw_string', 'word'],
};

const kotlin: CodeLanguage = {
  grammar: 'kotlin',
  declarations: {
    class_declaration: 'class',
    object_declaration: 'class',
    companion_object: 'class',
    function_declaration: 'function',
    secondary_constructor: 'function',
    property_declaration: 'value',
    type_alias: 'value',
  },
  transparent: [],
  bodies: ['class_body', 'enum_class_body'],
  prefixes: [],
  calls: { call_expression: '' },
  uses: ['type_identifier'],
  imports: ['import_header'],
  comments: COMMENTS,
  strings: ['string_literal'],
};

const swift: CodeLanguage = {
  grammar: 'swift',
  declarations: {
    class_declaration: 'class',
    protocol_declaration: 'class',
    function_declaration: 'function',
    protocol_function_declaration: 'function',
    init_declaration: 'function',
    deinit_declaration: 'function',
    subscript_declaration: 'function',
    property_declaration: 'value',
    typealias_declaration: 'value',
  },
  transparent: [],
  bodies: ['class_body', 'enum_class_body', 'protocol_body'],
  prefixes: [],
  calls: { call_expression: '' },
  uses: ['type_identifier'],
  imports: ['import_declaration'],
  comments: COMMENTS,
  strings: ['line_string_literal', 'multi_line_string_literal'],
};

/** By VS Code's language id. */
export const codeLanguages: Readonly<Record<string, CodeLanguage>> = {
  typescript,
  typescriptreact: { ...typescript, grammar: 'tsx' },
  javascript,
  javascriptreact: javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  shellscript: bash,
  kotlin,
  swift,
};
