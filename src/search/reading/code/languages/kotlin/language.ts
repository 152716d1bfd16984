import { type CodeLanguage, classFile, dotted, type ResolvedImport, declarations } from '../../code-language.ts';
import type { PathTable } from '../../../links/path-table.ts';

export const kotlin: CodeLanguage = {
  id: 'kotlin',
  extensions: ['kt', 'kts'],
  testFiles: /Tests?\.kt$/,
  grammar: 'kotlin',
  references: ['kotlin/tags.scm'],
  parent: 'super',
  declarations: declarations({
    class: 'class_declaration object_declaration companion_object',
    function: 'function_declaration secondary_constructor',
    value: 'property_declaration type_alias',
  }),
  transparent: [],
  bodies: ['class_body', 'enum_class_body'],
  calls: { call_expression: '' },
  uses: ['type_identifier'],
  imports: ['import_header'],
  strings: ['string_literal'],
  family: 'jvm',
  namesAreShared: true,
  importsOf: dotted,
  resolveImport: (module, _name, from, table) => fileOf(module.split('.'), from, table),
};

/** A class stands in a file of its name; functions, constants and small classes in any file of their package. */
function fileOf(parts: readonly string[], from: string, table: PathTable): ResolvedImport | undefined {
  return classFile(parts, from, table) ?? classFile(parts.slice(0, -1), from, table);
}
