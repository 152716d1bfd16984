import { stemOf, wordSet, expression } from '#base';

/** The language of manual pages. */
const ROFF = 'roff';
/** A request with its name: `.SH NAME`, `'nf`. Comments have none: `.\" words`, `'\" t`, a lone dot. */
const MACRO = /^[.'][ \t]*([A-Za-z0-9%]{1,12})(?=[\s\\]|$)/;
/** One escape: what it names stands in one of the last four groups. */
const ESCAPE = expression('g')`
  \\(?:["#].*|[fFmMgnkYV](?:\[[^\]\n]{0,40}\]|\([^\n]{2}|[^\n])|
    s(?:\[[^\]\n]{0,9}\]|'[^'\n]{0,9}'|[+-]?(?:\(\d\d|[1-3]\d|\d))|[hvwlLDboxXZABRSHCN]'[^'\n]{0,200}'|
    \*?\[([^\]\n]{1,40})\]|\*?\(([^\n]{2})|\*([^\n])|([^\n])|$)
`;

/** Names in roff, each with what it stands for. */
const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair): [string, string] => {
        const at = pair.lastIndexOf('=', pair.length - 2);
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );

/** Characters by their names, those that pages use; any other is left out. */
const CHARACTERS = table(`
  aq=' dq=" oq=‘ cq=’ lq=“ rq=” Aq=' Lq=“ Rq=” bq=‚ Bq=„ Fo=« Fc=» em=— en=– hy=- mi=− pl=+ mu=× di=÷ +-=± eq==
  bu=• ci=○ sq=□ co=© rg=® tm=™ Tm=™ ha=^ ti=~ ga=\` aa=' rs=\\ sl=/ ba=| at=@ sh=# Do=$ lB=[ rB=] lC={ rC=}
  la=< ra=> <==≤ >==≥ !==≠ ~~=≈ ->=→ <-=← de=° sc=§ ss=ß :a=ä :o=ö :u=ü :A=Ä :O=Ö :U=Ü 'e=é \`e=è 'a=á \`a=à
  ~n=ñ ,c=ç oA=Å oa=å /o=ø /O=Ø Eu=€ --=— L"=" R"=" C+=C++ R=®
`);
/** What a backslash and one character stand for. */
const SHORT = new Map([...table('e=\\ E=\\ \\=\\'), [' ', ' '], ['~', ' '], ['0', ' '], ['t', ' ']]);

/** What an escape reads as; '' for a change of font and whatever else is not seen. */
function meaningOf([, bracketed, pair, single, short]: readonly (string | undefined)[]): string {
  if (short !== undefined) return SHORT.get(short) ?? (/[\p{L}\p{N}&|^/,:%(){}!?]/u.test(short) ? '' : short);
  const name = bracketed ?? pair ?? single ?? '';
  const code = /^u([0-9A-F]{4,5})$/.exec(name)?.[1];
  if (code === undefined) return CHARACTERS.get(name) ?? '';
  const point = Number.parseInt(code, 16);
  return point >= 0xd800 && point < 0xe000 ? '' : String.fromCodePoint(point);
}

const withoutEscapes = (text: string): string =>
  text.replace(ESCAPE, (...match: (string | undefined)[]) => meaningOf(match));

/** The same in as many characters: blanks behind a word make up for what it has lost. */
function escapesInPlace(line: string): string {
  let plain = '';
  let from = 0;
  let owed = 0;
  const add = (said: string): void => {
    const blank = owed > 0 ? said.search(/\s/) : -1;
    plain += blank < 0 ? said : said.slice(0, blank) + ' '.repeat(owed) + said.slice(blank);
    if (blank >= 0) owed = 0;
  };
  for (const match of line.matchAll(ESCAPE)) {
    add(line.slice(from, match.index));
    const said = meaningOf(match);
    add(said);
    owed += match[0].length - said.length;
    from = match.index + match[0].length;
  }
  add(line.slice(from));
  return plain + ' '.repeat(owed);
}

/** The name of the request that a line is: '' for a comment, undefined for a line of text. */
export const requestIn = (line: string): string | undefined =>
  /^[.']/.test(line) ? (MACRO.exec(line)?.[1] ?? '') : undefined;

/** The same with its arguments. */
export function macroOf(line: string): { name: string; args: string[] } | undefined {
  const name = requestIn(line);
  if (name === undefined) return undefined;
  return { name, args: name === '' ? [] : argumentsOf(line.slice(line.indexOf(name) + name.length)) };
}

/** Arguments of a request without escapes: parted by blanks, unless they stand between double quotes. */
function argumentsOf(text: string): string[] {
  const args: string[] = [];
  let word = '';
  let open = false;
  let begun = false;
  const push = (): void => {
    if (begun) args.push(withoutEscapes(word));
    word = '';
    begun = false;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (char === '\\') {
      if (text[i + 1] === '"') break;
      word += char + (text[i + 1] ?? '');
      begun = true;
      i += 1;
    } else if (char === '"' && open && text[i + 1] === '"') {
      word += char;
      i += 1;
    } else if (char === '"' && (open || !begun)) {
      open = !open;
      begun = true;
    } else if (/\s/.test(char) && !open) push();
    else {
      word += char;
      begun = true;
    }
  }
  push();
  return args;
}

/** Requests of man whose arguments are words of the text. */
const SPACED = wordSet('B I R SB SM CW TH SH SS UR MT SY TQ');
const JOINED = wordSet('BR RB BI IB IR RI UE ME');
/** A sign before an item, and no name of it. */
export const BULLET = /^(?:[•*○□·+–—-]|o|)$/u;

/** What a request shows on the page; '' where it only lays it out. */
function shownBy({ name, args }: { name: string; args: string[] }, page: string): string {
  if (JOINED.has(name)) return args.join('');
  if (name === 'MR') return args.length > 1 ? `${args[0]}(${args[1]})${args.slice(2).join('')}` : args.join('');
  if (name === 'IP') return BULLET.test(args[0] ?? '') ? '' : (args[0] ?? '');
  if (name === 'OP') return `[${args.join(' ')}]`;
  if (SPACED.has(name)) return args.join(' ');
  return MDOC.has(name) ? shownByMdoc([name, ...args], page) : '';
}

const ENCLOSING = table(`Op=[] Dq=“” Qq="" Sq=‘’ Ql=‘’ Pq=() Bq=[] Aq=<> Brq={}`);
const SIGNS = table(`
  Oo=[ Do=“ Qo=" So=‘ Po=( Bo=[ Ao=< Bro={ Nd=– Oc=] Dc=” Qc=" Sc=’ Pc=) Bc=] Ac=> Brc=}
  Fx=FreeBSD Nx=NetBSD Ox=OpenBSD Dx=DragonFly Bx=BSD Ux=UNIX At=UNIX
`);
/** Requests of mdoc, which may stand in the arguments of one another. */
const MDOC = new Set([
  ...wordSet('Ad An Ap Ar Cd Cm D1 Dl Dt Dv Em Er Ev Fa Fd Fl Fn Ft Ic In It Li Lk Ms Mt Nd Nm No Ns Pa Pf Sh Ss'),
  ...wordSet('St Sx Sy Ta Tn Va Vt Xc Xo Xr %A %B %D %J %N %O %P %Q %R %T %U %V'),
  ...ENCLOSING.keys(),
  ...SIGNS.keys(),
]);
const CLOSES = /^(?:[.,:;?!)\]}>”’'"]|[.,:;?!)\]]{2})$/u;
const OPENS = /^[([{<“‘]$/u;

/** A line of mdoc, word by word: a word is a request, or what the one before it is about. */
function shownByMdoc(words: readonly string[], page: string): string {
  let said = '';
  let glue = true;
  let before = '';
  let closing = '';
  const put = (word: string): void => {
    if (word === '') return;
    said += glue || CLOSES.test(word) ? word : ` ${word}`;
    glue = OPENS.test(word);
  };
  const isRequest = (at: number): boolean => MDOC.has(words[at] ?? '');
  let end = words.length;
  while (end > 1 && CLOSES.test(words[end - 1] ?? '')) end -= 1;
  for (let i = 0; i < end; i++) {
    const word = words[i] ?? '';
    if (!isRequest(i)) {
      put(CLOSES.test(word) || word === '|' ? word : before + word);
      continue;
    }
    const isAlone = i + 1 >= end;
    before = word === 'Fl' ? '-' : '';
    const pair = ENCLOSING.get(word);
    if (pair !== undefined) {
      put(pair[0] ?? '');
      glue = true;
      closing = (pair[1] ?? '') + closing;
    } else if (word === 'Ns' || word === 'Ap') {
      said += word === 'Ap' ? "'" : '';
      glue = true;
    } else if (word === 'Pf') {
      put(words[(i += 1)] ?? '');
      glue = true;
    } else if (word === 'Xr' || word === 'Fn') {
      const from = i + 1;
      while (i + 1 < end && !isRequest(i + 1) && (word === 'Fn' || i < from + 1)) i += 1;
      const [name = '', ...inside] = words.slice(from, i + 1);
      put(inside.length > 0 || word === 'Fn' ? `${name}(${inside.join(', ')})` : name);
    } else if (word === 'Fl' && (isAlone || isRequest(i + 1))) {
      put('-');
      glue = true;
    } else if (word === 'Nm' && (isAlone || isRequest(i + 1))) put(page);
    else if (word === 'Ar' && (isAlone || isRequest(i + 1))) put('file ...');
    else put(SIGNS.get(word) ?? '');
  }
  return said + closing + words.slice(end).join('');
}

/** One line as it is read on the page. */
function plainLine(line: string, page: string): string {
  const macro = macroOf(line);
  return macro ? shownBy(macro, page) : withoutEscapes(line);
}

/** The same in as many characters, so that places in it are places in the source. */
function lineInPlace(line: string, page: string): string {
  const macro = macroOf(line);
  if (!macro) return escapesInPlace(line);
  const shown = [page, ''].map((name) => shownBy(macro, name)).find((said) => said.length <= line.length) ?? '';
  return shown.padEnd(line.length);
}

/** What of a passage tells how it reads. */
interface Written {
  language?: string;
  path: string;
  text: string;
}

/**
 * A passage's text, or a stretch of it, as it is read on the page: of a manual page without its requests and escapes,
 * any other as it is. With `tagged`, a colon stands behind the tag that an entry begins with.
 */
export function plainText({ language, path }: Written, text: string, tagged = false): string {
  if (language !== ROFF) return text;
  const lines = text.split('\n');
  const tag = tagged ? tagEnd(lines) : -1;
  const shown: string[] = [];
  lines.forEach((line, i) => {
    const name = requestIn(line);
    const said = plainLine(line, stemOf(path));
    const above = shown.at(-1)?.trimEnd();
    if (above !== undefined && (name === 'UE' || name === 'ME')) shown[shown.length - 1] = above + said;
    else if (above !== undefined && name === 'TQ') shown[shown.length - 1] = `${above},`;
    else if (said !== '' || line === '') shown.push(said);
    const last = shown.at(-1)?.trimEnd() ?? '';
    if (i === tag && i < lines.length - 1 && !last.endsWith(':')) shown[shown.length - 1] = `${last}:`;
  });
  return shown.join('\n');
}

/** A passage's text with blanks in place of whatever of it is not read, so that all places stay as they are. */
export const textInPlace = ({ language, path, text }: Written): string =>
  language === ROFF ? roffInPlace(text, path) : text;

export function roffInPlace(text: string, path: string): string {
  return text
    .split('\n')
    .map((line) => lineInPlace(line, stemOf(path)))
    .join('\n');
}

/** The last line of the tag that an entry begins with: further ones follow `.TQ`, and `.It Xo` goes on up to `.Xc`. */
export function tagEnd(lines: readonly string[]): number {
  const nameAt = (at: number): string => requestIn(lines[at] ?? '') ?? '';
  if (nameAt(0) === 'It' && /\sXo\b/.test(lines[0] ?? '')) {
    const end = lines.findIndex((line) => requestIn(line) === 'Xc');
    return Math.max(0, end);
  }
  let end = 0;
  while (nameAt(end + 1) === 'TQ' && end + 2 < lines.length) end += 2;
  return end;
}
