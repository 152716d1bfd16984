import { type CodeLanguage, declarations } from '../../code-language.ts';
import { mendGrammar } from './mend-grammar.ts';

export const swift: CodeLanguage = {
  id: 'swift',
  extensions: ['swift'],
  testFiles: /Tests?\.swift$/,
  grammar: 'swift',
  mendGrammar,
  references: ['swift/tags.scm'],
  parent: 'super',
  declarations: declarations({
    class: 'class_declaration protocol_declaration',
    function: 'function_declaration protocol_function_declaration deinit_declaration subscript_declaration',
    value: 'property_declaration typealias_declaration',
  }),
  transparent: [],
  bodies: ['class_body', 'enum_class_body', 'protocol_body'],
  calls: { call_expression: '' },
  uses: ['type_identifier'],
  imports: ['import_declaration'],
  strings: ['line_string_literal', 'multi_line_string_literal'],
  namesAreShared: true,
  importsOf: (statement) =>
    [...statement.matchAll(/\bimport\s+(?:\w+\s+)?([\w.]+)/g)].map((match) => ({ module: match[1] ?? '', names: [] })),
};
