import { wordList } from '#base';
import {
  type CodeLanguage,
  classFile,
  fromFolder,
  onlyPath,
  expandUse,
  type ImportedModule,
  declarations,
} from '../../code-language.ts';

export const php: CodeLanguage = {
  id: 'php',
  extensions: ['php', 'phtml', 'php5'],
  interpreters: ['php'],
  testFiles: /Tests?\.php$/,
  grammar: 'php',
  references: ['php/tags.scm'],
  parent: 'parent',
  declarations: declarations({
    namespace: 'namespace_definition',
    class: 'class_declaration interface_declaration trait_declaration enum_declaration',
    function: 'function_definition method_declaration',
    value: 'const_declaration',
  }),
  transparent: [],
  bodies: ['declaration_list', 'enum_declaration_list', 'compound_statement'],
  calls: {
    function_call_expression: 'function',
    member_call_expression: 'name',
    nullsafe_member_call_expression: 'name',
    scoped_call_expression: 'name',
    object_creation_expression: '',
    base_clause: '*',
    class_interface_clause: '*',
  },
  uses: ['named_type'],
  imports: wordList(
    'namespace_use_declaration require_expression require_once_expression include_expression include_once_expression',
  ),
  strings: ['string', 'encapsed_string'],
  namesAreShared: true,
  importsOf,
  resolveImport: (module, _name, from, table) =>
    module.includes('::')
      ? classFile(module.split('::'), from, table)
      : onlyPath(fromFolder(module, from, table, { endings: ['.php'] })),
};

function importsOf(text: string): ImportedModule[] {
  const file = /^\s*(?:require|include)(?:_once)?\b[^"']{0,200}["']([^"']{1,500})["']/.exec(text)?.[1];
  if (file) return [{ module: file.replace(/^\//, './'), names: [] }];
  const tree = /\buse\s+(?:function\s+|const\s+)?([^;]+);?/.exec(text)?.[1];
  if (!tree) return [];
  return expandUse(tree.replace(/\\/g, '::').replace(/\s+/g, ' ').trim()).map((found) => {
    const name = found.names[0];
    return name ? { module: `${found.module}::${name.name}`, names: found.names } : found;
  });
}
