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

const hash = syntax(HASH);
const c = syntax(SLASHES, STAR);
const lisp = syntax(SEMICOLON, LISP);
const markup = syntax(SLASHES, MARKUP);

/** Of the languages that are read without a grammar, by VS Code's id. */
const SYNTAX: Readonly<Record<string, LineSyntax>> = {
  elixir: syntax(HASH, QUOTES),
  julia: syntax(/^#(?!=)/, [...QUOTES, [/^#=/, '=#']]),
  nim: syntax(HASH, QUOTES),
  cython: syntax(HASH, QUOTES),
  starlark: syntax(HASH, QUOTES),
  graphql: syntax(HASH, QUOTES),
  perl: syntax(HASH, POD),
  powershell: syntax(HASH, [[/^<#/, '#>']]),
  terraform: syntax(/^(?:#|\/\/)/, STAR),
  nix: syntax(HASH, STAR),
  r: hash,
  makefile: hash,
  cmake: hash,
  dockerfile: hash,
  just: hash,
  crystal: hash,
  rego: hash,
  gherkin: hash,
  awk: hash,
  fish: hash,
  nushell: hash,
  tcl: hash,
  properties: syntax(/^[#!]/),
  ini: syntax(/^[;#]/),
  dart: syntax(SLASHES, [...STAR, ...QUOTES]),
  scala: syntax(SLASHES, [...STAR, ...QUOTES]),
  groovy: syntax(SLASHES, [...STAR, ...QUOTES]),
  fsharp: syntax(SLASHES, [...ML, ...QUOTES]),
  solidity: c,
  zig: c,
  proto3: c,
  thrift: c,
  verilog: c,
  systemverilog: c,
  'objective-c': c,
  'objective-cpp': c,
  d: c,
  glsl: c,
  hlsl: c,
  wgsl: c,
  bicep: c,
  cue: c,
  prisma: c,
  scss: c,
  less: c,
  sass: c,
  // `#main` is a selector, and `//` an address.
  css: syntax(/^(?!)/, STAR),
  vue: markup,
  svelte: markup,
  astro: markup,
  xml: syntax(/^(?!)/, MARKUP),
  xsl: syntax(/^(?!)/, MARKUP),
  lua: syntax(DASHES, [
    [/^--\[\[/, ']]'],
    [/^--\[=\[/, ']=]'],
    [/^--\[==\[/, ']==]'],
  ]),
  sql: syntax(DASHES, STAR, {
    bodies: [[/^create\b.{0,60}\b(?:function|procedure)\b/i, /\$\w*\$[^$;]*;$|^language\b.*;$/i]],
  }),
  haskell: syntax(DASHES, [[/^\{-/, '-}']]),
  vhdl: syntax(DASHES),
  ada: syntax(DASHES),
  clojure: lisp,
  lisp,
  scheme: lisp,
  racket: lisp,
  asm: syntax(/^[;#@]/, STAR),
  erlang: syntax(/^%/),
  ocaml: syntax(/^(?!)/, ML),
  pascal: syntax(SLASHES, [[/^\{/, '}'], ...ML]),
  'fortran-modern': syntax(/^!/),
  vb: syntax(/^(?:'|REM\b)/i),
  bat: syntax(/^(?:::|@?REM\b)/i),
  viml: syntax(/^"/),
};

export const lineSyntaxOf = (language: string): LineSyntax => SYNTAX[language] ?? UNKNOWN;
