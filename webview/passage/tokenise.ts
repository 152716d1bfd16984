/** What a stretch of source is, as far as colour goes. */
export type TokenKind =
  'plain' | 'keyword' | 'string' | 'number' | 'comment' | 'type' | 'heading' | 'link' | 'strong' | 'key';

/** Offsets into the tokenised text, end exclusive. */
export interface Token {
  start: number;
  end: number;
  kind: Exclude<TokenKind, 'plain'>;
}

interface Grammar {
  /** Alternatives with one named group per kind. */
  pattern: RegExp;
  keywords: ReadonlySet<string>;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const C_WORDS = words(
  'abstract as async await bool boolean break case catch char class const constexpr continue debugger default defer delete do double else enum export extends extern false final finally float fn for foreach from func function get go goto if impl implements import in instanceof int interface internal is let long loop match mod module move mut namespace new nil none null nullptr object of operator override package private protected pub public readonly record ref return sealed self set short signed sizeof static string struct super switch template this throw throws trait true try type typedef typename typeof union unsafe unsigned use using val var virtual void volatile where while with yield',
);
const HASH_WORDS = words(
  'and as assert async await begin break case class continue def del do done elif else elsif end ensure esac except export False fi finally for from function global if import in is lambda local match module next nil None nonlocal not or pass raise redo require rescue return self super then True try undef unless until when while with yield',
);
const DATA_WORDS = words('true false null yes no on off');

const QUOTED = String.raw`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`;
const NUMBER = String.raw`(?<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-zA-Z%]{0,3}\b)`;
const WORD = String.raw`(?<word>[A-Za-z_$][\w$]*)`;

const cLike: Grammar = {
  pattern: new RegExp(
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^[ \t]*\*(?![\w*])[^\n]*)|(?<string>${QUOTED}|` +
      '`(?:\\\\.|[^`\\\\])*`?' +
      String.raw`)|${NUMBER}|${WORD}`,
    'gm',
  ),
  keywords: C_WORDS,
};
const hashLike: Grammar = {
  pattern: new RegExp(
    String.raw`(?<string>[rbfu]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${QUOTED}))|(?<comment>#[^\n]*)|${NUMBER}|${WORD}`,
    'gm',
  ),
  keywords: HASH_WORDS,
};
const data: Grammar = {
  pattern: new RegExp(
    String.raw`(?<key>^[ \t]*(?:- )?[\w.$/-]+(?=\s*[:=](?:\s|$))|"(?:\\.|[^"\\\n])*"(?=\s*:)|^\[[^\]\n]+\])|(?<string>${QUOTED})|(?<comment>(?:^|\s)[#;][^\n]*)|${NUMBER}|${WORD}`,
    'gm',
  ),
  keywords: DATA_WORDS,
};
const markdown: Grammar = {
  pattern:
    /(?<heading>^#{1,6} [^\n]*)|(?<comment>^(?:---|```[^\n]*)$)|(?<string>`[^`\n]+`)|(?<link>\[\[[^\][\n]+\]\]|!?\[[^\][\n]*\]\([^()\n]*\)|<https?:[^<>\n]*>)|(?<strong>\*\*[^*\n]+\*\*|__[^_\n]+__)|(?<keyword>^[ \t]*(?:[-*+]|\d{1,9}\.)(?= )(?: \[[ xX]\])?|^>+ ?)/gm,
  keywords: new Set(),
};

const grammars: Readonly<Record<string, Grammar>> = {
  markdown,
  restructuredtext: markdown,
  python: hashLike,
  ruby: hashLike,
  shellscript: hashLike,
  bash: hashLike,
  dockerfile: hashLike,
  makefile: hashLike,
  r: hashLike,
  perl: hashLike,
  json: data,
  jsonc: data,
  jsonl: data,
  yaml: data,
  toml: data,
  ini: data,
  properties: data,
};
/** Prose stays plain: colour in it would mean nothing. */
const plainLanguages = words('plaintext pdf docx html csv');

/**
 * Tokens of a stretch of source in order, without overlaps; what is between them is plain. Enough for three lines, not
 * a parser.
 */
export function tokenise(text: string, language: string): Token[] {
  if (plainLanguages.has(language)) return [];
  const grammar = grammars[language] ?? cLike;
  const tokens: Token[] = [];
  for (const match of text.matchAll(grammar.pattern)) {
    const kind = kindOf(match, grammar);
    if (kind) tokens.push({ start: match.index, end: match.index + match[0].length, kind });
  }
  return tokens;
}

function kindOf(match: RegExpMatchArray, grammar: Grammar): Token['kind'] | undefined {
  const groups = match.groups ?? {};
  const word = groups['word'];
  if (word !== undefined) {
    if (grammar.keywords.has(word)) return 'keyword';
    return /^[A-Z][a-z]\w*$/.test(word) && grammar !== data ? 'type' : undefined;
  }
  const kinds: Token['kind'][] = ['comment', 'string', 'number', 'key', 'heading', 'link', 'strong', 'keyword'];
  return kinds.find((kind) => groups[kind] !== undefined);
}
