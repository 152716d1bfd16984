import { folderOf } from '#base';
import { type CodeLanguage, onlyPath, type ImportedModule, declarations } from '../../code-language.ts';
import { ancestors, joinPath, nearest, type PathTable } from '../../../links/path-table.ts';

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
    onlyPath(header(module.replace(/^<|>$/g, ''), module.startsWith('<'), from, table)),
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

function header(module: string, system: boolean, from: string, table: PathTable): string | undefined {
  const beside = system ? undefined : table.find(joinPath(folderOf(from), module));
  if (beside !== undefined) return beside;
  for (const base of [...ancestors(from), '']) {
    const found = table.findFirst([
      joinPath(base, module),
      joinPath(base, `include/${module}`),
      joinPath(base, `src/${module}`),
    ]);
    if (found !== undefined) return found;
  }
  return nearest(table.endingWith(module), from);
}
