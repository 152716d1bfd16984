import { swiftQuery } from '../references/queries/swift.ts';
import { type CodeLanguage, COMMENTS } from '../code-language.ts';

export const swift: CodeLanguage = {
  id: 'swift',
  extensions: ['swift'],
  grammar: 'swift',
  references: swiftQuery,
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
  importsOf: (statement) =>
    [...statement.matchAll(/\bimport\s+(?:\w+\s+)?([\w.]+)/g)].map((match) => ({ module: match[1] ?? '', names: [] })),
};
