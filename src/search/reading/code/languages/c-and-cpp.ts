import { cppQuery, cQuery } from '../references/queries/c.ts';
import { type CodeLanguage, COMMENTS } from '../code-language.ts';
import type { ImportedModule } from '../imports.ts';
import { onlyPath } from '../find-module.ts';
import { ancestors, folderOf, joinPath, nearest, type PathTable } from '../../links/path-table.ts';

export const c: CodeLanguage = {
  id: 'c',
  extensions: ['c', 'h'],
  grammar: 'c',
  references: cQuery,
  declarations: {
    function_definition: 'function',
    struct_specifier: 'class',
    union_specifier: 'class',
    enum_specifier: 'class',
    type_definition: 'class',
    declaration: 'value',
    preproc_def: 'value',
    preproc_function_def: 'function',
  },
  transparent: ['preproc_ifdef', 'preproc_if', 'preproc_else', 'preproc_elif', 'linkage_specification'],
  bodies: [],
  prefixes: [],
  calls: { call_expression: 'function' },
  uses: ['type_identifier'],
  imports: ['preproc_include'],
  comments: COMMENTS,
  strings: ['string_literal'],
  importsOf,
  resolveImport: (module, _name, from, table) =>
    onlyPath(header(module.replace(/^<|>$/g, ''), module.startsWith('<'), from, table)),
};

export const cpp: CodeLanguage = {
  ...c,
  id: 'cpp',
  extensions: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'cu'],
  grammar: 'cpp',
  references: cppQuery,
  declarations: {
    ...c.declarations,
    class_specifier: 'class',
    namespace_definition: 'namespace',
    alias_declaration: 'value',
    concept_definition: 'value',
    field_declaration: 'value',
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
