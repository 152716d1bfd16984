import { rubyQuery } from '../references/queries/ruby.ts';
import { type CodeLanguage, COMMENTS } from '../code-language.ts';
import { fromFolder, onlyPath } from '../find-module.ts';

export const ruby: CodeLanguage = {
  id: 'ruby',
  extensions: ['rb', 'rake', 'gemspec', 'ru'],
  names: ['gemfile', 'rakefile', 'vagrantfile', 'podfile'],
  interpreters: ['ruby'],
  grammar: 'ruby',
  references: rubyQuery,
  declarations: {
    class: 'class',
    module: 'namespace',
    method: 'function',
    singleton_method: 'function',
    singleton_class: 'class',
    assignment: 'value',
  },
  transparent: [],
  bodies: ['body_statement'],
  prefixes: [],
  calls: { call: 'method', superclass: '*' },
  uses: ['constant'],
  imports: [],
  comments: COMMENTS,
  strings: ['string'],
  loaders: /^(?:require|require_relative|load|autoload)$/,
  resolveImport: (module, _name, from, table) => onlyPath(fromFolder(module, ['.rb'], from, table)),
};
