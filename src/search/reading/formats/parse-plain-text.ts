import { asOnePart, titleUnder } from '../../domain/passage-title.ts';
import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { type IndentedLine, indentedLines } from '../text/indented-lines.ts';
import type { SourceText } from '../text/source-text.ts';
import { declares, headOf, indentedUnits } from '../units/indented-units.ts';
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
 * Text that nothing else is known about, also every parser's fallback. What its indentation and its words tell of
 * functions, tables and sections gives titles; the rest is cut at blank lines and shallow indentation.
 */
export function parseTextBlocks(source: SourceText, family: 'code' | 'prose' = 'code'): ParsedFile {
  const parsed: ParsedFile = { blocks: [], links: textLinks(source), rest: { kind: 'block', family, title: '' } };
  if (family === 'prose') return parsed;
  const lines = indentedLines(source);
  return { ...parsed, blocks: declaredBlocks(source, lines), units: indentedUnits(source.text, lines) };
}

/** What is declared over several lines, with the comments above it. */
function declaredBlocks(source: SourceText, lines: readonly IndentedLine[], above = '', depth = 0): Block[] {
  return lines.flatMap((line, i) => {
    if (line.isWords || line.lastLine === line.firstLine || !declares(source.text.slice(line.start, line.headEnd)))
      return [];
    let startLine = line.firstLine;
    for (let before = lines[i - 1]; before?.isWords && before.lastLine >= startLine - 2; before = lines[--i - 1])
      startLine = before.firstLine;
    const title = titleUnder(above, asOnePart(headOf(source.text, line)));
    const children = depth < DEEPEST_BLOCK ? declaredBlocks(source, line.parts, title, depth + 1) : [];
    return [{ startLine, endLine: line.lastLine, kind: 'block', title, children, family: 'code' }];
  });
}

/** Titles of more parts say no more. */
const DEEPEST_BLOCK = 3;
/** Languages whose lines are lists of patterns, records or changes: none is below another. */
const FLAT = new Set(['ignore', 'jsonl', 'diff']);
/** Languages of text, of settings, of data and of pages: no program is written in them. */
const NO_PROGRAM = new Set(
  'jsonl css scss sass less sql xml xsl ini properties latex bibtex proto3 graphql diff org log gotmpl gherkin'.split(
    ' ',
  ),
);
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
    tpl: 'gotmpl',
    tmpl: 'gotmpl',
    gotmpl: 'gotmpl',
    bicep: 'bicep',
    nix: 'nix',
    cue: 'cue',
    rego: 'rego',
    bzl: 'starlark',
    bazel: 'starlark',
    star: 'starlark',
    prisma: 'prisma',
    thrift: 'thrift',
    sol: 'solidity',
    feature: 'gherkin',
    fish: 'fish',
    nu: 'nushell',
    awk: 'awk',
    tcl: 'tcl',
    vim: 'viml',
    el: 'lisp',
    lisp: 'lisp',
    scm: 'scheme',
    rkt: 'racket',
    d: 'd',
    cr: 'crystal',
    pas: 'pascal',
    f90: 'fortran-modern',
    f95: 'fortran-modern',
    adb: 'ada',
    ads: 'ada',
    glsl: 'glsl',
    hlsl: 'hlsl',
    wgsl: 'wgsl',
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
    justfile: 'just',
    workspace: 'starlark',
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
  read: (source, _path, { language }) =>
    FLAT.has(language)
      ? { blocks: [], links: textLinks(source), rest: { kind: 'block', family: 'code', title: '' } }
      : parseTextBlocks(source, PROSE.has(language) ? 'prose' : 'code'),
};

/** The endings of programs, without the dot, that are read without a grammar. */
export const programExtensions: readonly string[] = Object.entries(textBlocks.extensions ?? {}).flatMap(
  ([extension, language]) => (NO_PROGRAM.has(language) ? [] : [extension]),
);
