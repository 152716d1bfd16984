import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import type { TextFormat } from './file-format.ts';

export const plainText: TextFormat = {
  name: 'plain-text',
  extensions: { txt: 'plaintext', text: 'plaintext' },
  names: {
    license: 'plaintext',
    copying: 'plaintext',
    notice: 'plaintext',
    readme: 'plaintext',
    changelog: 'plaintext',
    authors: 'plaintext',
  },
  linkedWithout: ['txt'],
  read: parsePlainText,
};

/** Plain prose: one block per paragraph, joined to groups by the chunker. */
function parsePlainText(source: SourceText): ParsedFile {
  const blocks: Block[] = [];
  let start = 0;
  for (let line = 1; line <= source.lineCount + 1; line++) {
    const blank = line > source.lineCount || source.isBlank(line);
    if (!blank && start === 0) start = line;
    if (!blank || start === 0) continue;
    blocks.push({ startLine: start, endLine: line - 1, kind: 'paragraph', title: '', children: [], family: 'prose' });
    start = 0;
  }
  return { blocks, links: textLinks(source), rest: { kind: 'paragraph', family: 'prose', title: '' } };
}

/**
 * Lines of a text that nothing else is known about: cut at blank lines and shallow indentation. Also every parser's
 * fallback.
 */
export function parseTextBlocks(source: SourceText, family: 'code' | 'prose' = 'code'): ParsedFile {
  return { blocks: [], links: textLinks(source), rest: { kind: 'block', family, title: '' } };
}

/** Languages whose lines are sentences. */
const PROSE = new Set(['log', 'latex', 'org', 'plaintext']);

/** What no parser here knows, and every text of which nothing is known: cut at blank lines and shallow indentation. */
export const textBlocks: TextFormat = {
  name: 'text',
  extensions: {
    pyx: 'cython',
    jsonl: 'jsonl',
    ndjson: 'jsonl',
    css: 'css',
    scss: 'scss',
    sass: 'sass',
    less: 'less',
    sql: 'sql',
    lua: 'lua',
    r: 'r',
    pl: 'perl',
    pm: 'perl',
    xml: 'xml',
    svg: 'xml',
    xsd: 'xml',
    xsl: 'xsl',
    plist: 'xml',
    csproj: 'xml',
    props: 'xml',
    targets: 'xml',
    vue: 'vue',
    svelte: 'svelte',
    astro: 'astro',
    ini: 'ini',
    cfg: 'ini',
    conf: 'properties',
    properties: 'properties',
    bat: 'bat',
    cmd: 'bat',
    ps1: 'powershell',
    psm1: 'powershell',
    dart: 'dart',
    scala: 'scala',
    sc: 'scala',
    groovy: 'groovy',
    gradle: 'groovy',
    hs: 'haskell',
    ml: 'ocaml',
    mli: 'ocaml',
    clj: 'clojure',
    cljs: 'clojure',
    ex: 'elixir',
    exs: 'elixir',
    erl: 'erlang',
    hrl: 'erlang',
    jl: 'julia',
    m: 'objective-c',
    mm: 'objective-cpp',
    fs: 'fsharp',
    fsx: 'fsharp',
    vb: 'vb',
    zig: 'zig',
    nim: 'nim',
    v: 'verilog',
    sv: 'systemverilog',
    vhd: 'vhdl',
    asm: 'asm',
    s: 'asm',
    tex: 'latex',
    bib: 'bibtex',
    proto: 'proto3',
    graphql: 'graphql',
    gql: 'graphql',
    tf: 'terraform',
    hcl: 'terraform',
    cmake: 'cmake',
    mk: 'makefile',
    diff: 'diff',
    patch: 'diff',
    org: 'org',
    log: 'log',
  },
  names: {
    dockerfile: 'dockerfile',
    containerfile: 'dockerfile',
    makefile: 'makefile',
    gnumakefile: 'makefile',
    'cmakelists.txt': 'cmake',
    jenkinsfile: 'groovy',
    '.gitignore': 'ignore',
    '.dockerignore': 'ignore',
    '.hoptrailignore': 'ignore',
    '.npmignore': 'ignore',
    '.editorconfig': 'ini',
    '.gitconfig': 'properties',
  },
  beginnings: { 'dockerfile.': 'dockerfile' },
  linkedWithout: ['org'],
  generated: true,
  read: (source, _path, { language }) => parseTextBlocks(source, PROSE.has(language) ? 'prose' : 'code'),
};
