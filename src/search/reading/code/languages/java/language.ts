import { type CodeLanguage, classFile, dotted, declarations } from '../../code-language.ts';

export const java: CodeLanguage = {
  id: 'java',
  extensions: ['java'],
  testFiles: /Tests?\.java$/,
  grammar: 'java',
  references: ['java/tags.scm'],
  parent: 'super',
  declarations: declarations({
    class: 'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration',
    function: 'method_declaration constructor_declaration compact_constructor_declaration',
  }),
  transparent: ['enum_body_declarations'],
  bodies: ['class_body', 'interface_body', 'enum_body', 'annotation_type_body'],
  calls: { method_invocation: 'name', object_creation_expression: 'type' },
  uses: ['type_identifier'],
  imports: ['import_declaration'],
  strings: ['string_literal'],
  family: 'jvm',
  namesAreShared: true,
  importsOf: dotted,
  resolveImport: (module, _name, from, table) => classFile(module.split('.'), from, table),
  resolvesFor: ['scala'],
};
