import { wordList } from '#base';

/** `pyx=cython jsonl=jsonl`: extensions, or names of files, each with its language. */
export const languageTable = (pairs: string): Record<string, string> =>
  Object.fromEntries(wordList(pairs).map((pair) => pair.split('=') as [string, string]));

const alike = (extensions: readonly string[], language: string): Record<string, string> =>
  Object.fromEntries(extensions.map((extension) => [extension, language]));

/** `ls.1`, `printf.3p`, `perlfunc.3pm`: sections, with a letter or the name of a collection behind them. */
const SECTIONS = [...'123456789'].flatMap((section) =>
  ['', ...'abcdefghijklmnopqrstuvwxyz', 'pm', 'perl', 'ssl', 'posix', 'bsd', 'tcl'].map((letters) => section + letters),
);

/** Templates of pages. What stands before such an extension tells first (`values.yaml.j2`). */
const TEMPLATES = wordList('ejs erb handlebars hbs j2 jinja jinja2 liquid mustache njk twig');

/**
 * The extensions of each format, as its descriptor has them. They stand apart from the formats, since whoever reads one
 * looks for names of files of all others in its text (`links/text-links.ts`).
 */
export const extensions = {
  markdown: languageTable(
    'md=markdown markdown=markdown mdown=markdown mkd=markdown mdx=markdown qmd=markdown rmd=markdown',
  ),
  restructuredText: alike(['rst', 'rest'], 'restructuredtext'),
  asciidoc: alike(['adoc', 'asciidoc'], 'asciidoc'),
  manPage: alike([...SECTIONS, 'man', 'mdoc'], 'roff'),
  plainText: alike(['txt', 'text'], 'plaintext'),
  notebook: alike(['ipynb'], 'jupyter'),
  html: alike(['html', 'htm', 'xhtml', ...TEMPLATES], 'html'),
  json: languageTable('json=json jsonc=jsonc json5=json webmanifest=json geojson=json code-workspace=jsonc'),
  yaml: alike(['yaml', 'yml'], 'yaml'),
  toml: alike(['toml'], 'toml'),
  csv: languageTable('csv=csv tsv=tsv tab=tsv'),
  pdf: alike(['pdf'], 'pdf'),
  docx: alike(['docx'], 'docx'),
  text: languageTable(`
    pyx=cython jsonl=jsonl ndjson=jsonl css=css scss=scss sass=sass less=less sql=sql lua=lua r=r pl=perl
    pm=perl xml=xml svg=xml xsd=xml xsl=xsl plist=xml csproj=xml props=xml targets=xml vue=vue svelte=svelte
    astro=astro ini=ini cfg=ini conf=properties properties=properties bat=bat cmd=bat ps1=powershell
    psm1=powershell dart=dart scala=scala sc=scala groovy=groovy gradle=groovy hs=haskell ml=ocaml mli=ocaml
    clj=clojure cljs=clojure ex=elixir exs=elixir erl=erlang hrl=erlang jl=julia m=objective-c mm=objective-cpp
    fs=fsharp fsx=fsharp vb=vb zig=zig nim=nim v=verilog sv=systemverilog vhd=vhdl asm=asm s=asm tex=latex
    bib=bibtex proto=proto3 graphql=graphql gql=graphql tf=terraform hcl=terraform cmake=cmake mk=makefile
    diff=diff patch=diff tpl=gotmpl tmpl=gotmpl gotmpl=gotmpl bicep=bicep nix=nix cue=cue rego=rego bzl=starlark
    bazel=starlark star=starlark prisma=prisma thrift=thrift sol=solidity feature=gherkin fish=fish nu=nushell
    awk=awk tcl=tcl vim=viml el=lisp lisp=lisp scm=scheme rkt=racket d=d cr=crystal pas=pascal
    f90=fortran-modern f95=fortran-modern adb=ada ads=ada glsl=glsl hlsl=hlsl wgsl=wgsl org=org log=log
  `),
} satisfies Record<string, Readonly<Record<string, string>>>;
