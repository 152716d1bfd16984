import { type CodeLanguage, fromFolder, onlyPath } from '../../code-language.ts';

export const shellscript: CodeLanguage = {
  id: 'shellscript',
  extensions: ['sh', 'bash', 'zsh', 'ksh', 'bats'],
  names: ['.bashrc', '.bash_profile', '.profile', '.zshrc'],
  interpreters: ['bash', 'zsh', 'ksh', 'sh'],
  kernels: ['bash'],
  grammar: 'bash',
  declarations: { function_definition: 'function', variable_assignment: 'value' },
  transparent: [],
  bodies: [],
  calls: { command: 'name' },
  uses: [],
  imports: [],
  strings: ['string', 'raw_string', 'word'],
  loaders: /^(?:source|\.)$/,
  resolveImport: (module, _name, from, table) =>
    onlyPath(fromFolder(module.replace(/^.*\}\/|^\$\w+\//, ''), from, table, { endings: ['.sh', '.bash'] })),
};
