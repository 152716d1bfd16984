import { wordList } from '#base';
import { javascriptQuery, tsxQuery, typescriptQuery } from '../references/queries/ecmascript.ts';
import { type CodeLanguage, COMMENTS } from '../code-language.ts';
import type { ImportedModule } from '../imports.ts';
import { onlyPath } from '../find-module.ts';
import { ancestors, folderOf, joinPath, nearest, type PathTable, withoutQuery } from '../../links/path-table.ts';

export const javascript: CodeLanguage = {
  id: 'javascript',
  extensions: ['js', 'mjs', 'cjs', 'es6'],
  interpreters: ['node', 'deno', 'bun'],
  grammar: 'javascript',
  references: javascriptQuery,
  declarations: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    class_declaration: 'class',
    method_definition: 'function',
    lexical_declaration: 'value',
    variable_declaration: 'value',
    field_definition: 'value',
    expression_statement: 'value',
  },
  transparent: ['export_statement'],
  bodies: ['class_body', 'statement_block'],
  prefixes: ['decorator'],
  calls: {
    call_expression: 'function',
    new_expression: 'constructor',
    jsx_opening_element: 'name',
    jsx_self_closing_element: 'name',
    class_heritage: '*',
  },
  uses: [],
  imports: ['import_statement', 'export_statement'],
  comments: COMMENTS,
  strings: ['string', 'template_string'],
  importsOf,
  loaders: /^(?:require|import)$/,
  resolveImport: (module, _name, from, table) => onlyPath(script(module, from, table)),
};

export const javascriptreact: CodeLanguage = {
  ...javascript,
  id: 'javascriptreact',
  extensions: ['jsx'],
  interpreters: [],
};

export const typescript: CodeLanguage = {
  ...javascript,
  id: 'typescript',
  extensions: ['ts', 'mts', 'cts'],
  interpreters: [],
  grammar: 'typescript',
  references: typescriptQuery,
  declarations: {
    ...javascript.declarations,
    abstract_class_declaration: 'class',
    interface_declaration: 'class',
    enum_declaration: 'class',
    type_alias_declaration: 'class',
    internal_module: 'namespace',
    module: 'namespace',
    public_field_definition: 'value',
    function_signature: 'function',
  },
  transparent: ['export_statement', 'ambient_declaration'],
  uses: ['type_identifier'],
  imports: ['import_statement', 'export_statement', 'import_alias'],
  resolvesFor: ['vue', 'svelte'],
};

export const typescriptreact: CodeLanguage = {
  ...typescript,
  id: 'typescriptreact',
  extensions: ['tsx'],
  resolvesFor: [],
  grammar: 'tsx',
  references: tsxQuery,
};

function importsOf(text: string): ImportedModule[] {
  const module = /(?:\bfrom|^\s*import|\brequire\s*\()\s*(["'])([^"'\n]+)\1/.exec(text)?.[2];
  if (module === undefined) return [];
  const reexport = /^\s*export\b/.test(text);
  const clause = withoutComments(text.slice(0, text.lastIndexOf(module)));
  const names: ImportedModule['names'] = [];
  const brace = clause.indexOf('{');
  const end = brace < 0 ? -1 : clause.indexOf('}', brace);
  for (const part of end < 0 ? [] : clause.slice(brace + 1, end).split(',')) {
    const match = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part);
    if (match?.[1]) names.push({ name: match[1], local: match[2] ?? match[1] });
  }
  const namespace = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1];
  const standard = reexport ? undefined : /^\s*import\s+(?:type\s+)?([\w$]+)\s*(?:,|\bfrom\b)/.exec(clause)?.[1];
  if (standard && standard !== 'type') names.push({ name: standard, local: standard });
  return [{ module, names, ...(namespace ? { namespace } : {}) }];
}

function withoutComments(text: string): string {
  let clean = '';
  let kept = 0;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', Math.max(at + 1, kept))) {
    const ending = text[at + 1] === '*' ? '*/' : text[at + 1] === '/' ? '\n' : undefined;
    if (ending === undefined) continue;
    const end = text.indexOf(ending, at + 2);
    clean += text.slice(kept, at);
    kept = end < 0 ? text.length : end + (ending === '\n' ? 0 : ending.length);
    if (end < 0) break;
  }
  return clean + text.slice(kept);
}

const SCRIPT_EXTENSIONS = wordList('.ts .tsx .mts .cts .d.ts .js .jsx .mjs .cjs .json .vue .svelte');

function script(module: string, from: string, table: PathTable): string | undefined {
  const bare = withoutQuery(module);
  if (/^\.{1,2}(?:\/|$)/.test(bare)) return scriptAt(joinPath(folderOf(from), bare), table);
  const aliased = /^(?:[@~#]\/|\/)(.+)$/.exec(bare)?.[1];
  const wanted = aliased ?? (bare.includes('/') && !bare.startsWith('@') ? bare : undefined);
  if (wanted !== undefined) {
    for (const base of [...ancestors(from), '']) {
      const found = scriptAt(joinPath(base, wanted), table) ?? scriptAt(joinPath(base, `src/${wanted}`), table);
      if (found !== undefined) return found;
    }
  }
  // A package of the same repository is a folder of its name with a source of its own.
  const folders = table
    .foldersEndingWith(`${bare.replace(/^@[^/]+\//, '')}/src`)
    .concat(table.foldersEndingWith(bare.replace(/^@[^/]+\//, '')));
  const entries = bare.includes(':')
    ? []
    : folders.flatMap((folder) => scriptAt(`${folder}/index`, table) ?? []).filter((path) => path !== from);
  return entries.length > 0 && /^@[^/]+\//.test(bare) ? nearest(entries, from) : undefined;
}

function scriptAt(path: string | undefined, table: PathTable): string | undefined {
  if (path === undefined) return undefined;
  const stem = path.replace(/\.(?:m|c)?jsx?$/, '');
  const inside = path === '' ? 'index' : `${path}/index`;
  return table.findFirst([
    ...(/\.\w+$/.test(path) ? [path] : []),
    ...SCRIPT_EXTENSIONS.map((extension) => stem + extension),
    ...SCRIPT_EXTENSIONS.map((extension) => path + extension),
    ...SCRIPT_EXTENSIONS.map((extension) => inside + extension),
    path,
  ]);
}
