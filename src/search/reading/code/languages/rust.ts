import { baseName } from '#base';
import { rustQuery } from '../references/queries/rust.ts';
import { type CodeLanguage, COMMENTS, type ResolvedImport } from '../code-language.ts';
import { expandUse, type ImportedModule } from '../imports.ts';
import { ancestors, folderOf, joinPath, type PathTable } from '../../links/path-table.ts';

export const rust: CodeLanguage = {
  id: 'rust',
  extensions: ['rs'],
  grammar: 'rust',
  references: rustQuery,
  declarations: {
    function_item: 'function',
    function_signature_item: 'function',
    macro_definition: 'function',
    struct_item: 'class',
    enum_item: 'class',
    union_item: 'class',
    trait_item: 'class',
    impl_item: 'class',
    mod_item: 'namespace',
    const_item: 'value',
    static_item: 'value',
    type_item: 'value',
  },
  transparent: [],
  bodies: ['declaration_list'],
  prefixes: ['attribute_item'],
  calls: { call_expression: 'function', macro_invocation: 'macro', struct_expression: 'name' },
  uses: ['type_identifier'],
  imports: ['use_declaration', 'mod_item'],
  comments: COMMENTS,
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
