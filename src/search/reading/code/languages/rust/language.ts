import { baseName, folderOf } from '#base';
import {
  type CodeLanguage,
  type ResolvedImport,
  expandUse,
  type ImportedModule,
  declarations,
} from '../../code-language.ts';
import { ancestors, joinPath, type PathTable } from '../../../links/path-table.ts';

export const rust: CodeLanguage = {
  id: 'rust',
  extensions: ['rs'],
  grammar: 'rust',
  references: ['rust/tags.scm'],
  parent: 'super',
  testModules: /^tests?$/,
  namesAreShared: true,
  declarations: declarations({
    function: 'function_item function_signature_item macro_definition',
    class: 'struct_item enum_item union_item trait_item impl_item',
    namespace: 'mod_item',
    value: 'const_item static_item type_item',
  }),
  transparent: [],
  bodies: ['declaration_list'],
  calls: { call_expression: 'function', macro_invocation: 'macro', struct_expression: 'name' },
  uses: ['type_identifier'],
  imports: ['use_declaration', 'mod_item'],
  strings: ['string_literal', 'raw_string_literal'],
  importsOf,
  membersByColons: true,
  resolveImport: fileOf,
};

function importsOf(text: string): ImportedModule[] {
  const declared = /^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(text.trim())?.[1];
  if (declared) return [{ module: `self::${declared}`, names: [], namespace: declared }];
  const tree = /\buse\s+([^;]+);?/.exec(text)?.[1];
  return tree ? expandUse(tree.replace(/\s+/g, ' ').trim()) : [];
}

/** `use crate::output` names a module of the crate, `use crate::output::Line` something in it. */
function fileOf(module: string, name: string | undefined, from: string, table: PathTable): ResolvedImport | undefined {
  const parts = module.split('::').filter(Boolean);
  const own = /^(?:mod|lib|main)\.rs$/.test(baseName(from)) ? folderOf(from) : from.replace(/\.rs$/, '');
  const crate = ancestors(from).find((folder) => baseName(folder) === 'src') ?? folderOf(from);
  let base: string | undefined = crate;
  const first = parts[0] ?? '';
  if (first === 'crate') parts.shift();
  else if (first === 'self' || first === 'super') {
    base = own;
    while (parts[0] === 'super' || parts[0] === 'self') if (parts.shift() === 'super') base = folderOf(base);
  } else {
    const crateFolder = [first, first.replace(/_/g, '-')].flatMap((wanted) =>
      table.foldersEndingWith(`${wanted}/src`),
    )[0];
    if (crateFolder !== undefined) {
      parts.shift();
      base = crateFolder;
    } else base = own;
  }
  const named = name === undefined ? undefined : [...parts, name];
  for (const path of [named, parts, parts.slice(0, -1)]) {
    if (path === undefined || (path.length === 0 && base === own && first !== 'super')) continue;
    const at = joinPath(base, path.join('/'));
    const found = table.findFirst([
      `${at}.rs`,
      `${at}/mod.rs`,
      ...(path.length === 0 ? [`${at}/lib.rs`, `${at}/main.rs`] : []),
    ]);
    if (found !== undefined && found !== from) return { path: found, ...(path === named && { nameIsModule: true }) };
  }
  return undefined;
}
