import { expression, isProseLanguage } from '#protocol';
/** What a stretch of source is, as far as colour goes. */
type Coloured =
  'keyword' | 'string' | 'number' | 'comment' | 'type' | 'heading' | 'link' | 'strong' | 'emphasis' | 'key';

/**
 * What a stretch of source is. Of Markdown, too, what is read and not seen: `syntax` makes its neighbours a heading, a
 * link or bold, `cell` stands between two cells of a table, `rule` is a line that only draws one.
 */
export type TokenKind = 'plain' | Coloured | 'syntax' | 'cell' | 'rule';

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
  'abstract as async await bool boolean break case catch char class const constexpr continue debugger default ' +
    'defer delete do double else enum export extends extern false final finally float fn for foreach from func ' +
    'function get go goto if impl implements import in instanceof int interface internal is let long loop match ' +
    'mod module move mut namespace new nil none null nullptr object of operator override package private ' +
    'protected pub public readonly record ref return sealed self set short signed sizeof static string struct ' +
    'super switch template this throw throws trait true try type typedef typename typeof union unsafe unsigned ' +
    'use using val var virtual void volatile where while with yield',
);
const HASH_WORDS = words(
  'and as assert async await begin break case class continue def del do done elif else elsif end ensure esac ' +
    'except export False fi finally for from function global if import in is lambda local match module next nil ' +
    'None nonlocal not or pass raise redo require rescue return self super then True try undef unless until when ' +
    'while with yield',
);
const DATA_WORDS = words('true false null yes no on off');

const QUOTED = String.raw`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`;
const NUMBER = String.raw`(?<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-zA-Z%]{0,3}\b)`;
const WORD = String.raw`(?<word>[A-Za-z_$][\w$]*)`;

const cLike: Grammar = {
  pattern: new RegExp(
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![^]))|^[ \t]*\*(?![\w*])[^\n]*)|(?<string>${QUOTED}|` +
      '`(?:\\\\.|[^`\\\\])*`?' +
      String.raw`)|${NUMBER}|${WORD}`,
    'gm',
  ),
  keywords: C_WORDS,
};
const hashLike: Grammar = {
  pattern: expression('gm')`
    (?<comment>^[ \t]*[rbfu]{0,2}(?:"""[\s\S]*?(?:"""|(?![^]))|'''[\s\S]*?(?:'''|(?![^])))|#[^\n]*)|
    (?<string>[rbfu]{0,2}(?:"""[\s\S]*?(?:"""|(?![^]))|'''[\s\S]*?(?:'''|(?![^]))|${QUOTED}))|
    ${NUMBER}|${WORD}
  `,
  keywords: HASH_WORDS,
};
const data: Grammar = {
  pattern: expression('gm')`
    (?<key>^[ \t]*(?:- )?[\w.$/-]+(?=\s*[:=](?:\s|$))|"(?:\\.|[^"\\\n])*"(?=\s*:)|^\[[^\]\n]+\])|
    (?<string>${QUOTED})|(?<comment>(?:^|\s)[#;][^\n]*)|${NUMBER}|${WORD}
  `,
  keywords: DATA_WORDS,
};
const grammars: Readonly<Record<string, Grammar>> = {
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
/** Besides prose of every language, which has no grammar above: colour would mean nothing in them. */
const plainLanguages = words('csv text txt');
/** What authors write behind the fence of a code block, by its usual name. */
const FENCED: Readonly<Record<string, string>> = {
  js: 'javascript',
  ts: 'typescript',
  py: 'python',
  rb: 'ruby',
  sh: 'shellscript',
  shell: 'shellscript',
  console: 'shellscript',
  yml: 'yaml',
};

const languageOf = (name: string): string => FENCED[name.toLowerCase()] ?? name.toLowerCase();

/**
 * Tokens of a stretch of source in order, without overlaps; what is between them is plain. Enough for three lines, not
 * a parser.
 */
export function tokenise(text: string, named: string): Token[] {
  const language = languageOf(named);
  if (language === 'markdown') return [...markdownTokens(text)];
  const known = grammars[language];
  if (plainLanguages.has(language) || (!known && isProseLanguage(language))) return [];
  const grammar = known ?? cLike;
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

const FENCE = /^ {0,3}(?:(`{3,})([^`\n]*)|(~{3,})((?:[^~\n][^\n]*)?))$/;
const HEADING = /^(#{1,6} +)((?:[^ \r\n].*)?)$/;
/** A row begins and ends with a bar. */
const ROW = /^[ \t]*\|.*\|[ \t]*$/;
/** The line below the header cells, and a row without a word. */
const EMPTY_ROW = /^[|:\-\s]*$/;
const BLOCK = /^(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}\.) (?:\[[ xX]\] )?)?/;
const INLINE = expression('g')`
  \x60(?<code>[^\x60\n]+)\x60|!?\[\[(?:[^\][|\n]*\|)?(?<wiki>[^\][|\n]+)\]\]|
  !?\[(?<label>[^\][\n]+)\](?:\([^()\n]*\)|\[(?!\d{1,3}\])[^\][\n]*\])|<(?<address>https?:[^<>\n]*)>|
  \*\*(?<strong>[^*\n]+)\*\*|__(?<low>[^_\n]+)__|
  (?<![\w*])\*(?<star>[^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])|(?<![\w])_(?<line>[^_\s](?:[^_\n]*[^_\s])?)_(?![\w])
`;

/** Markdown line by line; a block of code is read as what it is. */
function* markdownTokens(text: string): Generator<Token> {
  let start = 0;
  let fence: { mark: string; language: string; start: number } | undefined;
  for (const whole of text.split('\n')) {
    const line = whole.replace(/\r$/, '');
    const [, ticks, info, waves, wavesInfo] = FENCE.exec(line) ?? [];
    const mark = ticks ?? waves;
    if (fence && mark?.startsWith(fence.mark)) {
      yield* fencedTokens(text.slice(fence.start, start), fence.language, fence.start);
      fence = undefined;
      yield { start, end: start + line.length, kind: 'rule' };
    } else if (!fence && mark !== undefined) {
      const language = languageOf((info ?? wavesInfo ?? '').trim().split(/\s/)[0] ?? '');
      fence = { mark, language, start: start + whole.length + 1 };
      yield { start, end: start + line.length, kind: 'rule' };
    } else if (!fence) yield* lineTokens(line, start);
    start += whole.length + 1;
  }
  if (fence) yield* fencedTokens(text.slice(fence.start), fence.language, fence.start);
}

function* fencedTokens(text: string, language: string, start: number): Generator<Token> {
  if (language === '' || language === 'markdown') return;
  for (const token of tokenise(text, language)) yield { ...token, start: token.start + start, end: token.end + start };
}

function* lineTokens(line: string, start: number): Generator<Token> {
  const end = start + line.length;
  const [, signs] = HEADING.exec(line) ?? [];
  if (line === '---') yield { start, end, kind: 'comment' };
  else if (signs !== undefined) {
    yield { start, end: start + signs.length, kind: 'syntax' };
    if (signs.length < line.length) yield { start: start + signs.length, end, kind: 'heading' };
  } else if (ROW.test(line)) {
    if (EMPTY_ROW.test(line)) yield { start, end, kind: 'rule' };
    else yield* rowTokens(line, start);
  } else {
    const block = BLOCK.exec(line)?.[0] ?? '';
    const sign = block.trim();
    const at = start + block.indexOf(sign);
    if (sign !== '') yield { start: at, end: at + sign.length, kind: 'keyword' };
    yield* inlineTokens(line.slice(block.length), start + block.length);
  }
}

/** A row's cells, and the bars between them with the space around. A bar behind a backslash belongs to its cell. */
function* rowTokens(line: string, start: number): Generator<Token> {
  const isSpace = (at: number): boolean => line[at] === ' ' || line[at] === '\t';
  let from = 0;
  for (let bar = line.indexOf('|'); bar >= 0; bar = line.indexOf('|', bar + 1)) {
    if (line[bar - 1] === '\\') continue;
    let [before, after] = [bar, bar + 1];
    while (before > from && isSpace(before - 1)) before -= 1;
    while (isSpace(after)) after += 1;
    yield* inlineTokens(line.slice(from, before), start + from);
    yield { start: start + before, end: start + after, kind: 'cell' };
    from = after;
  }
}

const LOOKS: Readonly<Record<string, Coloured>> = {
  code: 'string',
  wiki: 'link',
  label: 'link',
  address: 'link',
  strong: 'strong',
  low: 'strong',
  star: 'emphasis',
  line: 'emphasis',
};

function* inlineTokens(text: string, start: number): Generator<Token> {
  for (const match of text.matchAll(INLINE)) {
    const [name = '', shown = ''] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    const kind = LOOKS[name];
    if (kind === undefined) continue;
    const [whole] = match;
    const isBold = kind === 'strong';
    const before =
      name === 'wiki' ? whole.length - 2 - shown.length : isBold ? 2 : name === 'label' ? whole.indexOf('[') + 1 : 1;
    const from = start + match.index;
    const end = from + before + shown.length;
    yield { start: from, end: from + before, kind: 'syntax' };
    if (isBold) yield* boldTokens(shown, from + before);
    else yield { start: from + before, end, kind };
    yield { start: end, end: from + whole.length, kind: 'syntax' };
  }
}

/** A link or code within bold text is drawn as what it is, and the rest bold. */
function* boldTokens(text: string, start: number): Generator<Token> {
  let at = start;
  for (const token of inlineTokens(text, start)) {
    if (token.start > at) yield { start: at, end: token.start, kind: 'strong' };
    yield token;
    at = token.end;
  }
  if (at < start + text.length) yield { start: at, end: start + text.length, kind: 'strong' };
}
