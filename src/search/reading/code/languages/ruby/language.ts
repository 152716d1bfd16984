import { type CodeLanguage, fromFolder, onlyPath, declarations } from '../../code-language.ts';

export const ruby: CodeLanguage = {
  id: 'ruby',
  extensions: ['rb', 'rake', 'gemspec', 'ru'],
  names: ['gemfile', 'rakefile', 'vagrantfile', 'podfile'],
  interpreters: ['ruby'],
  grammar: 'ruby',
  references: ['ruby/tags.scm'],
  declarations: declarations({
    class: 'class singleton_class',
    namespace: 'module',
    function: 'method singleton_method',
    value: 'assignment',
  }),
  transparent: [],
  bodies: ['body_statement'],
  calls: { call: 'method', superclass: '*' },
  uses: ['constant'],
  imports: [],
  strings: ['string'],
  namesAreShared: true,
  loaders: /^(?:require|require_relative|load|autoload)$/,
  resolveImport: (module, _name, from, table) => onlyPath(fromFolder(module, from, table, { endings: ['.rb'] })),
};
