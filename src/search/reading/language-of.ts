/** How a file is read. */
export type FileFormat =
  | 'code' // by a grammar, when there is one for the language
  | 'markdown'
  | 'plain-text'
  | 'restructured-text'
  | 'html'
  | 'json'
  | 'yaml'
  | 'toml'
  | 'csv'
  | 'notebook'
  | 'pdf'
  | 'docx'
  | 'text'; // by blocks

export interface FileLanguage {
  /** VS Code's language id; `plaintext` when there is none. */
  language: string;
  format: FileFormat;
}

const code = (language: string): FileLanguage => ({ language, format: 'code' });
const text = (language: string): FileLanguage => ({ language, format: 'text' });

const BY_EXTENSION: Readonly<Record<string, FileLanguage>> = {
  ts: code('typescript'),
  mts: code('typescript'),
  cts: code('typescript'),
  tsx: code('typescriptreact'),
  js: code('javascript'),
  mjs: code('javascript'),
  cjs: code('javascript'),
  es6: code('javascript'),
  jsx: code('javascriptreact'),
  py: code('python'),
  pyi: code('python'),
  pyw: code('python'),
  pyx: text('cython'),
  go: code('go'),
  rs: code('rust'),
  java: code('java'),
  c: code('c'),
  h: code('c'),
  cc: code('cpp'),
  cpp: code('cpp'),
  cxx: code('cpp'),
  'c++': code('cpp'),
  hh: code('cpp'),
  hpp: code('cpp'),
  hxx: code('cpp'),
  inl: code('cpp'),
  ipp: code('cpp'),
  cu: code('cpp'),
  cs: code('csharp'),
  csx: code('csharp'),
  rb: code('ruby'),
  rake: code('ruby'),
  gemspec: code('ruby'),
  ru: code('ruby'),
  php: code('php'),
  phtml: code('php'),
  php5: code('php'),
  sh: code('shellscript'),
  bash: code('shellscript'),
  zsh: code('shellscript'),
  ksh: code('shellscript'),
  bats: code('shellscript'),
  kt: code('kotlin'),
  kts: code('kotlin'),
  swift: code('swift'),
  md: { language: 'markdown', format: 'markdown' },
  markdown: { language: 'markdown', format: 'markdown' },
  mdown: { language: 'markdown', format: 'markdown' },
  mkd: { language: 'markdown', format: 'markdown' },
  mdx: { language: 'mdx', format: 'markdown' },
  qmd: { language: 'markdown', format: 'markdown' },
  rmd: { language: 'markdown', format: 'markdown' },
  txt: { language: 'plaintext', format: 'plain-text' },
  text: { language: 'plaintext', format: 'plain-text' },
  rst: { language: 'restructuredtext', format: 'restructured-text' },
  rest: { language: 'restructuredtext', format: 'restructured-text' },
  html: { language: 'html', format: 'html' },
  htm: { language: 'html', format: 'html' },
  xhtml: { language: 'html', format: 'html' },
  json: { language: 'json', format: 'json' },
  jsonc: { language: 'jsonc', format: 'json' },
  json5: { language: 'json', format: 'json' },
  webmanifest: { language: 'json', format: 'json' },
  geojson: { language: 'json', format: 'json' },
  'code-workspace': { language: 'jsonc', format: 'json' },
  jsonl: text('jsonl'),
  ndjson: text('jsonl'),
  yaml: { language: 'yaml', format: 'yaml' },
  yml: { language: 'yaml', format: 'yaml' },
  toml: { language: 'toml', format: 'toml' },
  csv: { language: 'csv', format: 'csv' },
  tsv: { language: 'tsv', format: 'csv' },
  tab: { language: 'tsv', format: 'csv' },
  ipynb: { language: 'jupyter', format: 'notebook' },
  pdf: { language: 'pdf', format: 'pdf' },
  docx: { language: 'docx', format: 'docx' },
  css: text('css'),
  scss: text('scss'),
  sass: text('sass'),
  less: text('less'),
  sql: text('sql'),
  lua: text('lua'),
  r: text('r'),
  pl: text('perl'),
  pm: text('perl'),
  xml: text('xml'),
  svg: text('xml'),
  xsd: text('xml'),
  xsl: text('xsl'),
  plist: text('xml'),
  csproj: text('xml'),
  props: text('xml'),
  targets: text('xml'),
  vue: text('vue'),
  svelte: text('svelte'),
  astro: text('astro'),
  ini: text('ini'),
  cfg: text('ini'),
  conf: text('properties'),
  properties: text('properties'),
  bat: text('bat'),
  cmd: text('bat'),
  ps1: text('powershell'),
  psm1: text('powershell'),
  dart: text('dart'),
  scala: text('scala'),
  sc: text('scala'),
  groovy: text('groovy'),
  gradle: text('groovy'),
  hs: text('haskell'),
  ml: text('ocaml'),
  mli: text('ocaml'),
  clj: text('clojure'),
  cljs: text('clojure'),
  ex: text('elixir'),
  exs: text('elixir'),
  erl: text('erlang'),
  hrl: text('erlang'),
  jl: text('julia'),
  m: text('objective-c'),
  mm: text('objective-cpp'),
  fs: text('fsharp'),
  fsx: text('fsharp'),
  vb: text('vb'),
  zig: text('zig'),
  nim: text('nim'),
  v: text('verilog'),
  sv: text('systemverilog'),
  vhd: text('vhdl'),
  asm: text('asm'),
  s: text('asm'),
  tex: text('latex'),
  bib: text('bibtex'),
  proto: text('proto3'),
  graphql: text('graphql'),
  gql: text('graphql'),
  tf: text('terraform'),
  hcl: text('terraform'),
  cmake: text('cmake'),
  mk: text('makefile'),
  diff: text('diff'),
  patch: text('diff'),
  org: text('org'),
  adoc: text('asciidoc'),
  log: { language: 'log', format: 'text' },
};

const BY_NAME: Readonly<Record<string, FileLanguage>> = {
  dockerfile: text('dockerfile'),
  containerfile: text('dockerfile'),
  makefile: text('makefile'),
  gnumakefile: text('makefile'),
  'cmakelists.txt': text('cmake'),
  gemfile: code('ruby'),
  rakefile: code('ruby'),
  vagrantfile: code('ruby'),
  podfile: code('ruby'),
  jenkinsfile: text('groovy'),
  '.bashrc': code('shellscript'),
  '.bash_profile': code('shellscript'),
  '.profile': code('shellscript'),
  '.zshrc': code('shellscript'),
  '.gitignore': text('ignore'),
  '.dockerignore': text('ignore'),
  '.hoptrailignore': text('ignore'),
  '.npmignore': text('ignore'),
  '.editorconfig': text('ini'),
  '.gitconfig': text('properties'),
  license: { language: 'plaintext', format: 'plain-text' },
  copying: { language: 'plaintext', format: 'plain-text' },
  notice: { language: 'plaintext', format: 'plain-text' },
  readme: { language: 'plaintext', format: 'plain-text' },
  changelog: { language: 'plaintext', format: 'plain-text' },
  authors: { language: 'plaintext', format: 'plain-text' },
  '.babelrc': { language: 'jsonc', format: 'json' },
  '.eslintrc': { language: 'jsonc', format: 'json' },
  '.prettierrc': { language: 'json', format: 'json' },
};

const COMMENTED_JSON =
  /^(?:tsconfig|jsconfig)(?:\..*)?\.json$|^(?:settings|launch|tasks|keybindings|extensions|devcontainer)\.json$/i;

const extensionOf = (name: string): string =>
  name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Language and format by name and, for files without an extension, by a `#!` line. */
export function languageOf(path: string, firstLine = ''): FileLanguage {
  const name = baseName(path);
  const named = BY_NAME[name.toLowerCase()] ?? BY_EXTENSION[extensionOf(name)];
  if (named)
    return named.language === 'json' && COMMENTED_JSON.test(name) ? { language: 'jsonc', format: 'json' } : named;
  if (/^dockerfile\./i.test(name)) return text('dockerfile');
  const interpreter = /^#!.*?\b(bash|zsh|ksh|sh|python|node|deno|bun|ruby|php)[\d.]*\b/.exec(firstLine)?.[1];
  switch (interpreter) {
    case undefined:
      return text('plaintext');
    case 'python':
    case 'ruby':
    case 'php':
      return code(interpreter);
    case 'node':
    case 'deno':
    case 'bun':
      return code('javascript');
    default:
      return code('shellscript');
  }
}

/** PDF and DOCX: files whose text has to be taken out of them. */
export function isDocument(path: string): boolean {
  const { format } = languageOf(path);
  return format === 'pdf' || format === 'docx';
}
