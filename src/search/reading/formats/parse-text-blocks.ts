import { wordSet } from '#base';
import { asOnePart, titleUnder } from '../../domain/passage-title.ts';
import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { indentedStatements } from '../text/indented-statements.ts';
import type { SourceText } from '../text/source-text.ts';
import { headLabel, type Statement, statementUnits } from '../units/statements.ts';
import { languageTable, type TextFormat } from './file-format.ts';
import { sectionsOf } from './sections.ts';
import { assignedSettings } from './settings.ts';

/** Titles of more parts say no more. */
const DEEPEST_BLOCK = 3;
/** Languages whose lines are lists of patterns, records or changes: none is below another. */
const FLAT = new Set(['ignore', 'jsonl', 'diff']);
/** Languages of settings, of styles and of pages: no program is written in them. */
const NO_PROGRAM = wordSet('css scss sass less xml xsl ini properties bibtex gotmpl gherkin go.mod');
/** Those of files of settings. */
const SETTINGS = new Set(['ini', 'properties']);
/** Languages whose lines are sentences. */
const PROSE = new Set(['log', 'plaintext']);
const FUNCTION = /^(?:[a-z]+\s+){0,4}(?:def\w*|function|fn|fun|func|sub|proc|procedure|method|test)\b|\)\s*\{?$/i;

const isProgramLanguage = (language: string): boolean =>
  ![NO_PROGRAM, FLAT, PROSE].some((others) => others.has(language));

/**
 * Text that nothing else is known about, also every parser's fallback. Its indentation tells statements with what
 * stands inside of them; of programs these give titles. The rest is cut at blank lines and shallow indentation.
 */
export function parseTextBlocks(source: SourceText, language: string): ParsedFile {
  const kind = isProgramLanguage(language) ? 'code' : 'block';
  const statements = indentedStatements(source, language);
  return {
    ...linesOf(source, 'code', kind),
    blocks: declaredBlocks(source, statements, kind),
    units: statementUnits(source, statements),
  };
}

/** A text as lines of which none is below another. */
const linesOf = (source: SourceText, family: Block['family'], kind: 'code' | 'block' = 'block'): ParsedFile => ({
  blocks: [],
  links: textLinks(source),
  rest: { kind, family, title: '' },
});

/** What holds several lines, with the comments above it; of settings and styles only their sections. */
function declaredBlocks(
  source: SourceText,
  statements: readonly Statement[],
  rest: 'code' | 'block',
  above = '',
  depth = 0,
): Block[] {
  return statements.flatMap((each, i) => {
    const parts = each.isWords ? [] : each.parts();
    const said = source.text.slice(each.start, each.headEnd);
    if (parts.length === 0 || (rest === 'block' && !said.startsWith('['))) return [];
    let startLine = each.firstLine;
    const before = statements[i - 1];
    if (before?.isWords && before.lastLine === startLine - 1) startLine = before.firstLine;
    const title = titleUnder(above, asOnePart(headLabel(said)));
    const children = depth < DEEPEST_BLOCK ? declaredBlocks(source, parts, rest, title, depth + 1) : [];
    const kind = rest === 'code' && FUNCTION.test(said) ? 'function' : rest;
    return [{ startLine, endLine: each.lastLine, kind, openKind: rest, title, children, family: 'code' }];
  });
}

/** What no parser here knows, and every text of which nothing is known: cut at blank lines and shallow indentation. */
export const textBlocks: TextFormat = {
  name: 'text',
  extensions: languageTable(`
    pyx=cython jsonl=jsonl ndjson=jsonl css=css scss=scss sass=sass less=less sql=sql lua=lua r=r pl=perl
    pm=perl xml=xml svg=xml xsd=xml xsl=xsl plist=xml csproj=xml props=xml targets=xml ini=ini
    cfg=ini conf=properties properties=properties bat=bat cmd=bat ps1=powershell
    psm1=powershell dart=dart scala=scala sc=scala groovy=groovy gradle=groovy hs=haskell ml=ocaml mli=ocaml
    clj=clojure cljs=clojure ex=elixir exs=elixir erl=erlang hrl=erlang jl=julia m=objective-c mm=objective-cpp
    fs=fsharp fsx=fsharp vb=vb zig=zig nim=nim v=verilog sv=systemverilog vhd=vhdl asm=asm s=asm
    bib=bibtex proto=proto3 graphql=graphql gql=graphql tf=terraform hcl=terraform cmake=cmake mk=makefile
    diff=diff patch=diff tpl=gotmpl tmpl=gotmpl gotmpl=gotmpl bicep=bicep nix=nix cue=cue rego=rego bzl=starlark
    bazel=starlark star=starlark prisma=prisma thrift=thrift sol=solidity feature=gherkin fish=fish nu=nushell
    awk=awk tcl=tcl vim=viml el=lisp lisp=lisp scm=scheme rkt=racket d=d cr=crystal pas=pascal
    f90=fortran-modern f95=fortran-modern adb=ada ads=ada glsl=glsl hlsl=hlsl wgsl=wgsl log=log
  `),
  names: languageTable(`
    dockerfile=dockerfile containerfile=dockerfile makefile=makefile gnumakefile=makefile cmakelists.txt=cmake
    jenkinsfile=groovy justfile=just workspace=starlark .gitignore=ignore .dockerignore=ignore
    .hoptrailignore=ignore .npmignore=ignore .editorconfig=ini .gitconfig=properties .env=properties go.mod=go.mod
    go.work=go.mod
  `),
  beginnings: { 'dockerfile.': 'dockerfile' },
  generated: true,
  minified: ['css', 'xml'],
  read: (source, _path, { language }) => {
    if (PROSE.has(language)) return linesOf(source, 'prose');
    if (FLAT.has(language)) return linesOf(source, 'code');
    const parsed = parseTextBlocks(source, language);
    return SETTINGS.has(language) ? { ...parsed, references: assignedSettings(source) } : parsed;
  },
};

/** Plain prose: one block per paragraph, joined to groups by the chunker. */
export const plainText: TextFormat = {
  name: 'plain-text',
  extensions: languageTable('txt=plaintext text=plaintext'),
  names: languageTable(`
    license=plaintext copying=plaintext notice=plaintext readme=plaintext changelog=plaintext authors=plaintext
  `),
  linkedWithout: ['txt'],
  read: (source) => ({ ...sectionsOf(source, { headings: [], documentTitle: '' }), links: textLinks(source) }),
};

/** The endings of programs, without the dot, that are read without a grammar. */
export const programExtensions: readonly string[] = Object.entries(textBlocks.extensions).flatMap(
  ([extension, language]) => (isProgramLanguage(language) ? [extension] : []),
);
