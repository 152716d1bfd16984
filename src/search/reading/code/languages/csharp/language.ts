import { type CodeLanguage, classFile, type ImportedModule, declarations } from '../../code-language.ts';

export const csharp: CodeLanguage = {
  id: 'csharp',
  extensions: ['cs', 'csx'],
  kernels: ['c#'],
  testFiles: /Tests?\.cs$/,
  grammar: 'c-sharp',
  references: ['csharp/tags.scm'],
  parent: 'base',
  declarations: declarations({
    namespace: 'namespace_declaration file_scoped_namespace_declaration',
    class: 'class_declaration struct_declaration interface_declaration record_declaration enum_declaration',
    value: 'delegate_declaration property_declaration event_declaration',
    function:
      'method_declaration constructor_declaration destructor_declaration operator_declaration ' +
      'conversion_operator_declaration indexer_declaration local_function_statement',
  }),
  transparent: ['global_statement', 'preproc_if', 'preproc_region'],
  bodies: ['declaration_list'],
  calls: { invocation_expression: 'function', object_creation_expression: 'type', base_list: '*' },
  uses: [],
  imports: ['using_directive'],
  strings: ['string_literal', 'verbatim_string_literal', 'raw_string_literal', 'interpolated_string_expression'],
  namesAreShared: true,
  importsOf,
  resolveImport: (module, _name, from, table) => classFile(module.split('.'), from, table),
};

function importsOf(text: string): ImportedModule[] {
  const match = /\busing\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.]+)\s*;/.exec(text);
  return match?.[2] ? [{ module: match[2], names: [], ...(match[1] ? { namespace: match[1] } : {}) }] : [];
}
