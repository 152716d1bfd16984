import { kotlinQuery } from '../references/queries/kotlin.ts';
import { type CodeLanguage, COMMENTS } from '../code-language.ts';
import { classFile } from '../find-module.ts';
import { dotted } from '../imports.ts';

export const kotlin: CodeLanguage = {
  id: 'kotlin',
  extensions: ['kt', 'kts'],
  grammar: 'kotlin',
  references: kotlinQuery,
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
  importsOf: dotted,
  resolveImport: (module, _name, from, table) => classFile(module.split('.'), from, table),
};
