import { type CodeLanguage, declarations, fromFolder, type ImportedModule, onlyPath } from '../../code-language.ts';

export const c: CodeLanguage = {
  id: 'c',
  extensions: ['c', 'h'],
  grammar: 'c',
  references: ['c-and-cpp/tags.scm'],
  declarations: declarations({
    function: 'function_definition preproc_function_def',
    class: 'struct_specifier union_specifier enum_specifier type_definition',
    value: 'declaration preproc_def',
  }),
  transparent: ['preproc_ifdef', 'preproc_if', 'preproc_else', 'preproc_elif', 'linkage_specification'],
  bodies: [],
  calls: { call_expression: 'function' },
  uses: ['type_identifier'],
  imports: ['preproc_include'],
  strings: ['string_literal'],
  family: 'c',
  namesAreShared: true,
  importsOf,
  resolveImport: (module, _name, from, table) =>
    onlyPath(
      fromFolder(module.replace(/^<|>$/g, ''), from, table, {
        folders: ['include/', 'src/'],
        isSystem: module.startsWith('<'),
        isAnywhere: true,
      }),
    ),
};

export const cpp: CodeLanguage = {
  ...c,
  id: 'cpp',
  extensions: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'cu'],
  grammar: 'cpp',
  references: ['c-and-cpp/tags.scm', 'c-and-cpp/cpp.scm'],
  declarations: {
    ...c.declarations,
    ...declarations({
      class: 'class_specifier',
      namespace: 'namespace_definition',
      value: 'alias_declaration concept_definition field_declaration',
    }),
  },
  transparent: [...c.transparent, 'template_declaration', 'export_declaration'],
  bodies: ['field_declaration_list', 'declaration_list'],
  calls: { call_expression: 'function', new_expression: 'type' },
};

function importsOf(text: string): ImportedModule[] {
  const module = /^\s*#\s*(?:include|import)\s*(?:"([^"\n]{1,500})"|<([^>\n]{1,500})>)/.exec(text);
  const name = module?.[1] ?? module?.[2];
  return name ? [{ module: module?.[1] ? name : `<${name}>`, names: [] }] : [];
}
