import { wordList } from '#base';

/** What tells words from code in the lines of a language, as far as it is needed without a grammar. */
export interface LineSyntax {
  /** How a comment of one line begins. */
  comment: RegExp;
  /** How words of several lines begin, and the sign that ends them. */
  words: readonly (readonly [opens: RegExp, closes: string])[];
  /** What goes on to the line that ends it, wherever that is indented. */
  bodies?: readonly (readonly [opens: RegExp, closes: RegExp])[];
}

const HASH = /^#/;
const SLASHES = /^\/\//;
const DASHES = /^--(?!\[=*\[)/;
const SEMICOLON = /^;/;
/** Where no comment has a line of its own. */
const NEVER = /^(?!)/;

const STAR: LineSyntax['words'] = [[/^\/\*/, '*/']];
const QUOTES: LineSyntax['words'] = [
  [/^(?:@\w{1,40} )?(?:~[a-zA-Z])?"""/, '"""'],
  [/^(?:@\w{1,40} )?(?:~[a-zA-Z])?'''/, "'''"],
];
const ML: LineSyntax['words'] = [[/^\(\*(?!\))/, '*)']];
/** The doc string of a definition: it goes on over several lines. */
const LISP: LineSyntax['words'] = [[/^"[^"]*$/, '"']];
const POD: LineSyntax['words'] = [[/^=(?:head\d|pod|over|item|begin|for|encoding)\b/, '=cut']];
const MARKUP: LineSyntax['words'] = [[/^<!--/, '-->'], ...STAR];

/** Where nothing is known of a language: signs that are followed by a blank, or stand alone. */
const UNKNOWN: LineSyntax = {
  comment: /^(?:\/\/+|#+!?|--+|;+|%+|'|REM)(?=\s|$)/,
  words: [...STAR, ...QUOTES],
};

const syntax = (comment: RegExp, words: LineSyntax['words'] = [], more: Partial<LineSyntax> = {}): LineSyntax => ({
  comment,
  words,
  ...more,
});

/** Languages that are written alike. */
const alike = (languages: string, how: LineSyntax): Record<string, LineSyntax> =>
  Object.fromEntries(wordList(languages).map((language) => [language, how]));

/** Of the languages that are read without a grammar, by VS Code's id. */
const SYNTAX: Readonly<Record<string, LineSyntax>> = {
  ...alike('r makefile cmake dockerfile just crystal rego gherkin awk fish nushell tcl', syntax(HASH)),
  ...alike('elixir nim cython starlark graphql', syntax(HASH, QUOTES)),
  ...alike(
    'solidity zig proto3 thrift verilog systemverilog objective-c objective-cpp d glsl hlsl wgsl bicep cue ' +
      'prisma scss less sass',
    syntax(SLASHES, STAR),
  ),
  ...alike('dart scala groovy', syntax(SLASHES, [...STAR, ...QUOTES])),
  ...alike('xml xsl', syntax(NEVER, MARKUP)),
  ...alike('vhdl ada', syntax(DASHES)),
  ...alike('clojure lisp scheme racket', syntax(SEMICOLON, LISP)),
  julia: syntax(/^#(?!=)/, [...QUOTES, [/^#=/, '=#']]),
  perl: syntax(HASH, POD),
  powershell: syntax(HASH, [[/^<#/, '#>']]),
  'go.mod': syntax(SLASHES),
  terraform: syntax(/^(?:#|\/\/)/, STAR),
  nix: syntax(HASH, STAR),
  properties: syntax(/^[#!]/),
  ini: syntax(/^[;#]/),
  fsharp: syntax(SLASHES, [...ML, ...QUOTES]),
  // `#main` is a selector, and `//` an address.
  css: syntax(NEVER, STAR),
  lua: syntax(DASHES, [
    [/^--\[\[/, ']]'],
    [/^--\[=\[/, ']=]'],
    [/^--\[==\[/, ']==]'],
  ]),
  sql: syntax(DASHES, STAR, {
    bodies: [[/^create\b.{0,60}\b(?:function|procedure)\b/i, /\$\w*\$[^$;]*;$|^language\b.*;$/i]],
  }),
  haskell: syntax(DASHES, [[/^\{-/, '-}']]),
  asm: syntax(/^[;#@]/, STAR),
  erlang: syntax(/^%/),
  ocaml: syntax(NEVER, ML),
  pascal: syntax(SLASHES, [[/^\{/, '}'], ...ML]),
  'fortran-modern': syntax(/^!/),
  vb: syntax(/^(?:'|REM\b)/i),
  bat: syntax(/^(?:::|@?REM\b)/i),
  viml: syntax(/^"/),
};

export const lineSyntaxOf = (language: string): LineSyntax => SYNTAX[language] ?? UNKNOWN;
