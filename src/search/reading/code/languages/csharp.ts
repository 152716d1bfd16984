import { csharpQuery } from '../references/queries/csharp.ts';
import { type CodeLanguage, COMMENTS } from '../code-language.ts';
import { classFile } from '../find-module.ts';
import type { ImportedModule } from '../imports.ts';

export const csharp: CodeLanguage = {
  id: 'csharp',
  extensions: ['cs', 'csx'],
  grammar: 'c-sharp',
  references: csharpQuery,
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
  importsOf,
  resolveImport: (module, _name, from, table) => classFile(module.split('.'), from, table),
};

function importsOf(text: string): ImportedModule[] {
  const match = /\busing\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.]+)\s*;/.exec(text);
  return match?.[2] ? [{ module: match[2], names: [], ...(match[1] ? { namespace: match[1] } : {}) }] : [];
}
