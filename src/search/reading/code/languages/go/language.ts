import {
  type CodeLanguage,
  type ResolvedImport,
  nearestFolder,
  packageFile,
  type ImportedModule,
  declarations,
} from '../../code-language.ts';
import type { PathTable } from '../../../links/path-table.ts';

export const go: CodeLanguage = {
  id: 'go',
  extensions: ['go'],
  grammar: 'go',
  sharesNames: true,
  namesAreShared: true,
  references: ['go/tags.scm'],
  declarations: declarations({
    function: 'function_declaration method_declaration',
    class: 'type_declaration',
    value: 'const_declaration var_declaration',
  }),
  transparent: [],
  bodies: [],
  calls: { call_expression: 'function' },
  uses: ['type_identifier'],
  imports: ['import_spec'],
  strings: ['interpreted_string_literal', 'raw_string_literal'],
  importsOf,
  resolveImport: (module, _name, from, table) => goPackage(module, from, table),
};

function importsOf(text: string): ImportedModule[] {
  const match = /^\s*([\w.]+\s+)?["`]([^"`]+)["`]/.exec(text);
  if (!match?.[2]) return [];
  const alias = match[1]?.trim();
  const last = match[2].split('/').findLast((part) => !/^v\d+$/.test(part)) ?? match[2];
  return [
    {
      module: match[2],
      names: [],
      ...(alias === '_' || alias === '.' ? {} : { namespace: alias ?? last.replace(/^go-|[-.]go$/g, '') }),
    },
  ];
}

/** Go imports folders: the longest tail of the import path that is a folder with Go files. */
function goPackage(module: string, from: string, table: PathTable): ResolvedImport | undefined {
  const parts = module.split('/');
  for (let dropped = 0; dropped < parts.length; dropped++) {
    const tail = parts.slice(dropped).join('/');
    if (dropped > 0 && parts.length - dropped < 2 && !(parts[0]?.includes('.') || dropped === 1)) continue;
    if (dropped === 0 && parts.length === 1) continue; // the standard library
    const folders = table
      .foldersEndingWith(tail)
      .filter((folder) => table.filesIn(folder).some((path) => path.endsWith('.go')));
    const exact = folders.find((folder) => folder === tail);
    const folder =
      exact ?? (parts.length - dropped >= 2 || parts[0]?.includes('.') ? nearestFolder(folders, from) : undefined);
    if (folder !== undefined) return packageFile(folder, '.go', table);
  }
  return undefined;
}
