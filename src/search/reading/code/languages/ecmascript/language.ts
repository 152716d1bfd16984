import { wordList, folderOf } from '#base';
import { type CodeLanguage, onlyPath, type ImportedModule, namesInList, declarations } from '../../code-language.ts';
import { ancestors, joinPath, nearest, type PathTable, withoutQuery } from '../../../links/path-table.ts';

export const javascript: CodeLanguage = {
  id: 'javascript',
  extensions: ['js', 'mjs', 'cjs', 'es6'],
  interpreters: ['node', 'deno', 'bun'],
  minified: true,
  grammar: 'javascript',
  references: ['ecmascript/tags.scm', 'ecmascript/jsx.scm', 'ecmascript/javascript.scm'],
  parent: 'super',
  declarations: declarations({
    function: 'function_declaration generator_function_declaration method_definition',
    class: 'class_declaration',
    value: 'lexical_declaration variable_declaration field_definition expression_statement',
  }),
  transparent: ['export_statement'],
  bodies: ['class_body', 'statement_block'],
  calls: {
    call_expression: 'function',
    new_expression: 'constructor',
    jsx_opening_element: 'name',
    jsx_self_closing_element: 'name',
    class_heritage: '*',
  },
  uses: [],
  imports: ['import_statement', 'export_statement'],
  strings: ['string', 'template_string'],
  family: 'ecmascript',
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
  references: ['ecmascript/tags.scm', 'ecmascript/typescript.scm'],
  declarations: {
    ...javascript.declarations,
    ...declarations({
      class: 'abstract_class_declaration interface_declaration enum_declaration type_alias_declaration',
      namespace: 'internal_module module',
      value: 'public_field_definition',
      function: 'function_signature',
    }),
  },
  transparent: ['export_statement', 'ambient_declaration'],
  uses: ['type_identifier'],
  imports: ['import_statement', 'export_statement', 'import_alias'],
  resolvesFor: ['vue', 'svelte', 'astro', 'mdx', 'html'],
};

export const typescriptreact: CodeLanguage = {
  ...typescript,
  id: 'typescriptreact',
  extensions: ['tsx'],
  minified: false,
  resolvesFor: [],
  grammar: 'tsx',
  references: ['ecmascript/tags.scm', 'ecmascript/typescript.scm', 'ecmascript/jsx.scm'],
};

function importsOf(text: string): ImportedModule[] {
  const module = /(?:\bfrom|^\s*import|\brequire\s*\()\s*(["'])([^"'\n]+)\1/.exec(text)?.[2];
  if (module === undefined) return [];
  const reexport = /^\s*export\b/.test(text);
  const clause = text.slice(0, text.lastIndexOf(module)).replace(COMMENT, '');
  const brace = clause.indexOf('{');
  const end = brace < 0 ? -1 : clause.indexOf('}', brace);
  const list = clause.slice(brace + 1, Math.max(brace + 1, end));
  const names = namesInList(list, /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/);
  const namespace = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1];
  const standard = reexport ? undefined : /^\s*import\s+(?:type\s+)?([\w$]+)\s*(?:,|\bfrom\b)/.exec(clause)?.[1];
  if (standard && standard !== 'type') names.push({ name: standard, local: standard });
  return [{ module, names, ...(namespace ? { namespace } : {}) }];
}

const COMMENT = /\/\*[^*]{0,500}\*\/|\/\/[^\n]{0,500}/g;

const SCRIPT_EXTENSIONS = wordList('.ts .tsx .mts .cts .d.ts .d.mts .d.cts .js .jsx .mjs .cjs .json .vue .svelte');

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
