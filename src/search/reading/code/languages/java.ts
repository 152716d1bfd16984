import { javaQuery } from '../references/queries/java.ts';
import { type CodeLanguage, COMMENTS } from '../code-language.ts';
import { classFile } from '../find-module.ts';
import { dotted } from '../imports.ts';

export const java: CodeLanguage = {
  id: 'java',
  extensions: ['java'],
  grammar: 'java',
  references: javaQuery,
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
  importsOf: dotted,
  resolveImport: (module, _name, from, table) => classFile(module.split('.'), from, table),
  resolvesFor: ['scala'],
};
