import { type CodeLanguage, classFile, dotted, declarations } from '../../code-language.ts';

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
  // A class stands in a file of its name; functions, constants and small classes in any file of their package.
  resolveImport: (module, _name, from, table) =>
    classFile(module.split('.'), from, table) ?? classFile(module.split('.').slice(0, -1), from, table),
};
