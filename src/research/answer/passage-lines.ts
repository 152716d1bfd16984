import { parse } from 'csv-parse/sync';
import { baseName, wordSet, expression } from '#base';
import {
  asciidocWords,
  contentStems,
  headerCells,
  isProseLanguage,
  isProsePassage,
  type Passage,
  plainText,
  type TextSpan,
} from '#search';
import { withoutEntities } from './entities.ts';
import { codeBlock, codeSpan, disarmMarks, sanitiseText, tagsAsCode } from './sanitise-text.ts';
import type { Quote } from './quote.ts';

/**
 * Where quoted words stand in a text; white space, quotation marks, dashes, case and Markdown emphasis do not count.
 * `…` skips. undefined: nowhere.
 */
export function findQuote(text: string, quote: string): TextSpan | undefined {
  const parts = quote
    .split(/\[?(?:…|\.\.\.)\]?/u)
    .map((part) => normalise(part).text.trim())
    .filter(Boolean);
  if (parts.length === 0) return undefined;
  const source = normalise(text);
  let start = -1;
  let at = 0;
  for (const part of parts) {
    const found = source.text.indexOf(part, at);
    if (found < 0) return undefined;
    if (start < 0) start = found;
    at = found + part.length;
  }
  const first = source.offsets[start];
  const last = source.offsets[at - 1];
  return first === undefined || last === undefined ? undefined : { start: first, end: last + 1 };
}

const SAME: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
  '\u00a0': ' ',
};

/** Comparable characters, each with its offset in the original. */
function normalise(text: string): { text: string; offsets: number[] } {
  let out = '';
  let afterSpace = true; // at the beginning, too, white space does not count
  const offsets: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = SAME[text[i] ?? ''] ?? (text[i] ?? '').toLowerCase();
    if (char === '*' || char === '`' || char === '_') continue;
    const space = /\s/.test(char);
    if (space && afterSpace) continue;
    afterSpace = space;
    for (const unit of space ? ' ' : char) {
      out += unit;
      for (let n = 0; n < unit.length; n++) offsets.push(i);
    }
  }
  return { text: out, offsets };
}

/** First and last line in the file of a stretch of a passage's text. */
export function linesOf(passage: Passage, span: TextSpan): { startLine: number; endLine: number } {
  const startLine = passage.startLine + lineBreaks(passage.text.slice(0, span.start));
  const endLine = startLine + lineBreaks(passage.text.slice(span.start, span.end));
  return { startLine: Math.min(startLine, passage.endLine), endLine: Math.min(endLine, passage.endLine) };
}

const lineBreaks = (text: string): number => (text.match(/\r\n|\r|\n/g) ?? []).length;

/** A sentence of a table's cell is prose, too; an example of code in a text is none. */
const isProseQuote = ({ kind, passage }: Quote): boolean =>
  kind !== 'statement' && (isProsePassage(passage) || (kind === 'sentence' && isProseLanguage(passage.language)));

/** What code is written in, where that is known: a note does not say it of its examples. */
const languageOf = ({ language }: Passage): string => (isProseLanguage(language) ? '' : language);

/** What a passage is called in a sentence: its title, else its file. */
export const nameOfPassage = (passage: Passage): string => passage.title || passage.path;

/** Foreign text on one line, inert, without anything that looks like one of our marks. */
export const inlineText = (text: string): string => oneLine(disarmMarks(sanitiseText(text)));

/** The same of what a file says word for word: its addresses are shown, as code. */
const quotedText = (text: string): string => oneLine(disarmMarks(sanitiseText(text, 'as code')));

/** List signs and heading signs of the source are left out. */
export const withoutSign = (text: string): string => text.replace(/^(?:[-*+>]|#{1,6}|\d+[.)])\s+/u, '');

/**
 * A quote with its mark, for a list of them: prose in quotation marks, a row as its cells by their headers, code as
 * code.
 */
export function formatQuote(found: Quote, mark: string): string {
  const quote = asOnPage(found);
  const table = tableRows(quote);
  if (table) return `${rowsInline(table.rows, table.header)} ${mark}`;
  if (isProseQuote(quote)) return `“${inContext(quote)}” ${mark}`;
  const said = wordsOfComment(quote);
  if (said !== undefined) return `“${said}”${ofContext(quote)} ${mark}`;
  if (quote.text.trim().includes('\n'))
    return `${placeOf(quote)} ${mark}\n${indent(codeBlock(withoutIndent(inWholeLines(quote)), languageOf(quote.passage)))}`;
  const code = codeSpan(quote.text.trim());
  if (isExample(quote)) return `${[aboveOf(quote), code].filter(Boolean).join(' ')} ${mark}`;
  return `${code}${ofContext(quote)} ${mark}`;
}

/** Code that a text shows: what announces it there are words. */
const isExample = ({ kind, passage }: Quote): boolean => kind === 'statement' && isProsePassage(passage);

const ofContext = ({ context }: Quote): string => (context ? ` in ${codeSpan(oneLine(context.text))}` : '');

/** How a comment begins: one that is quoted from its beginning is shown as code. */
const COMMENT_SIGN = /^\s{0,80}(?:\/[/*]|#|--|;|%|"{3}|'{3}|<!)/u;

/** Languages whose doc comments are written with tags of HTML or XML. */
const TAGS_IN_COMMENTS = wordSet(
  'java csharp kotlin scala groovy php typescript typescriptreact javascript javascriptreact c cpp fsharp vb',
);

/** `<paramref name="limit"/>`, `<see cref="T:Store"/>`, `<c>null</c>`: names within a doc comment in XML. */
const XML_NAME = expression('gu')`
  <(?:paramref|typeparamref|see|seealso)\s+(?:name|cref|langword)="(?:[A-Z]:)?([^"<>\n]{1,120})
  "\s*(?:\/>|>\s*<\/(?:see|seealso)>)|<c>([^<>\n]{1,120})<\/c>
`;

const withoutReferences = (text: string): string =>
  text.replace(XML_NAME, (_all, name?: string, code?: string) => codeSpan(name ?? code ?? ''));

/** Words from the middle of a comment, which are prose; undefined of anything else. */
function wordsOfComment({ kind, text, passage }: Quote): string | undefined {
  if (kind !== 'comment' || COMMENT_SIGN.test(text)) return undefined;
  const words = text.replace(/\n[ \t]{0,80}(?:\*(?!\*)|\/\/+[/!]?|#+[:!]?|--+)?[ \t]?/gu, ' ');
  const said = withoutReferences(withoutMacros(words, passage));
  return withoutSign(quotedText(TAGS_IN_COMMENTS.has(passage.language) ? said : tagsAsCode(said)));
}

/**
 * A quote that stands in the answer's place: prose as a block of its own, a row as a table, code below what it belongs
 * to.
 */
export function formatLead(found: Quote, mark: string): string {
  const quote = asOnPage(found);
  const table = tableRows(quote);
  if (table && table.header.length > 0) return tableBlock(table, mark);
  if (table) return `> ${rowsInline(table.rows, [])} ${mark}`;
  if (isProseQuote(quote)) return `> ${inContext(quote)} ${mark}`;
  const said = wordsOfComment(quote);
  if (said !== undefined) return `> ${said} ${mark}\n\n${placeOf(quote)}${ofContext(quote)}`;
  const above = isExample(quote) ? aboveOf(quote).replace(/ ›$/u, '') : '';
  const code = codeBlock(
    above === '' ? withContext(quote) : withoutIndent(inWholeLines(quote)),
    languageOf(quote.passage),
  );
  return [above, code, `${placeOf(quote)} ${mark}`].filter(Boolean).join('\n\n');
}

/** What is written with entities. */
const HAS_ENTITIES = wordSet('html markdown');

/**
 * Words of a manual page without its requests and escapes, which stand on lines of their own: prose is told on one. An
 * entry is its tag and, behind a colon, what it says. Words of HTML and Markdown have signs in place of entities.
 */
export function asOnPage(quote: Quote): Quote {
  const { passage, kind, context } = quote;
  if (HAS_ENTITIES.has(passage.language) && kind !== 'statement')
    return {
      ...quote,
      text: withoutEntities(quote.text),
      ...(context && { context: { ...context, text: withoutEntities(context.text) } }),
    };
  const text = plainText(quote.passage, quote.text, quote.kind === 'field');
  return { ...quote, text: text !== quote.text && isProseQuote(quote) ? oneLine(text) : text };
}

/** File and line of a quote, as code. */
const placeOf = ({ passage, start, end, file = baseName(passage.path) }: Quote): string =>
  codeSpan(`${file}:${linesOf(passage, { start, end }).startLine}`);

/** Quotes of several files of one name say in which folder each lies. */
export function withFolders<Q extends Quote>(quotes: readonly Q[]): Q[] {
  return quotes.map((quote) => {
    const alike = new Set(
      quotes.flatMap(({ passage }) => (baseName(passage.path) === baseName(quote.passage.path) ? [passage.path] : [])),
    );
    if (alike.size < 2) return quote;
    const ending = (path: string, parts: number): string => path.split('/').slice(-parts).join('/');
    let parts = 2;
    while (new Set([...alike].map((path) => ending(path, parts))).size < alike.size) parts += 1;
    return { ...quote, file: ending(quote.passage.path, parts) };
  });
}

/** `:ref:`the locks <lock-a>``, `` `the plan <https://plan.example>`__ ``: text that a page shows without its signs. */
const ROLE = /(?::([\w:+.-]{1,40}):)?(?<!`)`(?!`)([^`<>\n]{1,200}?)(?:[ \n]<[^`<>\n]{1,300}>)?`(?!`)_{0,2}/gu;
/** Roles of names of programs and files. */
const NAMES_CODE = expression('u')`
  (?:^|:|-)(?:func|class|meth|method|mod|attr|data|const|exc|obj|type|macro|member|file|source|option|envvar|
    command|program|kbd|samp|pypi|code|dir)$
`;

/**
 * Prose of reStructuredText without the signs of its roles and links, also in comments of Python, where backticks alone
 * are code, and of AsciiDoc without those of its links; any other as it is. Of a text that is no page what looks like a
 * tag is code.
 */
function withoutMacros(text: string, { language }: Passage): string {
  if (language === 'plaintext') return tagsAsCode(text);
  if (language === 'asciidoc') return asciidocWords(text);
  if (language !== 'restructuredtext' && language !== 'python') return text;
  return text.replace(ROLE, (all, role: string | undefined, said: string) => {
    if (role === undefined && language === 'python' && !all.endsWith('_')) return all;
    if (role === 'pep' || role === 'rfc') return `${role.toUpperCase()} ${said}`;
    const name = said.startsWith('~') ? said.slice(said.lastIndexOf('.') + 1) : said;
    return role !== undefined && NAMES_CODE.test(role) ? codeSpan(name) : name;
  });
}

/** Prose behind what it belongs to: `On leave: until 4 May`, `Tides › Spring`. */
const inContext = (quote: Quote): string =>
  [aboveOf(quote), withoutSign(quotedText(withoutMacros(quote.text, quote.passage)))].filter(Boolean).join(' ');

/** What a quote belongs to, up to the sign before it; '' where that says nothing, as `Then:`. */
function aboveOf({ passage, context }: Quote): string {
  if (context === undefined || contentStems(context.text).length === 0) return '';
  const above = withoutSign(quotedText(withoutMacros(context.text, passage)));
  return above === '' || /[:：]$/u.test(above) ? above : `${above} ›`;
}

const STEP = '  ';

/**
 * Code one step below its signature, however deep it stands in the file; what lies between them is told by `…`. A
 * comment stands above what it is about.
 */
function withContext(quote: Quote): string {
  const { passage, start, context } = quote;
  const own = inWholeLines(quote);
  if (context === undefined) return withoutIndent(own);
  const below = lineBelow(quote);
  if (below !== undefined) {
    const above = context.text.split(' › ').slice(0, -1).join(' › ');
    const both = withoutIndent(`${own}\n${below}`);
    const before = passage.text.slice(0, start).trimEnd().split('\n').at(-1)?.trim() ?? '';
    const isNext = before !== '' && before.startsWith(above.split(' › ').at(-1) ?? above);
    return above === '' ? both : `${above}\n${isNext ? '' : `${STEP}…\n`}${indentedStep(both)}`;
  }
  const { end } = context;
  const follows = end !== undefined && end <= start && passage.text.slice(end, start).trim() === '';
  return `${context.text.trim()}\n${follows ? '' : `${STEP}…\n`}${indentedStep(withoutIndent(own))}`;
}

const indentedStep = (code: string): string => code.replaceAll(/^(?=.)/gmu, STEP);

/** The line right below a comment, where that is what the comment is about. */
function lineBelow({ kind, passage: { text }, end, context }: Quote): string | undefined {
  const at = context?.start;
  if (kind !== 'comment' || at === undefined || at < end || text.slice(end, at).trim() !== '') return undefined;
  const stop = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, stop < 0 ? text.length : stop);
}

/** The quote with the white space before it on its first line. */
function inWholeLines({ passage, text, start }: Quote): string {
  const before = passage.text.slice(passage.text.lastIndexOf('\n', start) + 1, start);
  return before.trim() === '' ? before + text : text;
}

function withoutIndent(code: string): string {
  const lines = code.split('\n');
  const least = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/u)));
  return Number.isFinite(least) ? lines.map((line) => line.slice(least)).join('\n') : code;
}

/** Rows that are told on one line: of a whole table the first ones, the others are behind its mark. */
const MOST_INLINE = 3;

function rowsInline(rows: readonly (readonly string[])[], header: readonly string[]): string {
  const told = rows.slice(0, MOST_INLINE).map((row) => rowInline(row, header));
  return [...told, ...(rows.length > MOST_INLINE ? ['…'] : [])].join('; ');
}

function rowInline(row: readonly string[], header: readonly string[]): string {
  return row
    .map((cell, i) => {
      const name = inlineText(header[i] ?? '');
      return name === '' ? quotedText(cell) : `**${name.replaceAll('*', '')}** ${quotedText(cell)}`;
    })
    .filter((cell) => cell !== '')
    .join(' · ');
}

/** A column that is empty in all rows shown, as one of pictures is, is left out. */
function tableBlock({ header, rows }: TableRows, mark: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const inert = (cell: string): string => quotedText(cell).replaceAll('|', '\\|');
  const all = rows.map((row) => header.map((_, column) => inert(row[column] ?? '')));
  const isFilled = header.map((_, column) => all.some((row) => row[column] !== ''));
  const kept = isFilled.includes(true) ? isFilled : header.map(() => true);
  const shown = <T>(cells: readonly T[]): T[] => cells.filter((_, column) => kept[column]);
  const body = all.map(shown);
  const last = body.at(-1);
  if (last) last.push(`${last.pop() ?? ''} ${mark}`.trim());
  const names = shown(header.map(inert));
  return [line(names), line(names.map(() => '---')), ...body.map(line)].join('\n');
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const indent = (block: string): string =>
  block
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');

/** Rows of a table with the header cells above them; no header cells where they are not known. */
interface TableRows {
  header: string[];
  rows: string[][];
}

/** A quote as the rows that it is; undefined for anything else. */
function tableRows(quote: Quote): TableRows | undefined {
  const lines = quote.text.split('\n').filter((line) => line.trim() !== '');
  const cells = cellsIn(quote, lines);
  if (!cells) return undefined;
  const rows = cells.filter((row) => !isRuler(row));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (columns === 0) return undefined;
  const header = headerOf(quote, columns);
  return { header: header.length === columns ? header : [], rows };
}

function cellsIn({ kind, passage, text, context }: Quote, lines: readonly string[]): string[][] | undefined {
  // A note may hold a table of HTML, too.
  if (passage.language === 'html' || (kind === 'row' && /<t[dh]\b/iu.test(text)))
    return kind === 'row' ? htmlRows(text) : undefined;
  // Its cells may stand each in a line of its own.
  if (passage.language === 'asciidoc' && kind === 'row') {
    const cells = barCells(asciidocWords(lines.join(' ')));
    return inRowsOf(context ? headerCells(context.text).length : cells.length, cells);
  }
  if (lines.every((line) => line.trimStart().startsWith('|'))) return lines.map(barCells);
  if (kind !== 'row') return undefined;
  if (lines.some((line) => line.includes('|'))) return lines.map(barCells);
  if (passage.language === 'restructuredtext') return lines.map((line) => line.trim().split(/\s{2,}/u));
  return separated(lines.join('\n'));
}

const htmlRows = (text: string): string[][] =>
  text
    .split(/<tr\b/iu)
    .map(htmlCells)
    .filter((cells) => cells.some((cell) => cell !== ''));

/** What stands in the cells of a row of HTML, with the tags inside of them. */
function htmlCells(text: string): string[] {
  const cells: string[] = [];
  let isOpen = false;
  // What stands before the first tag is in no cell.
  for (const part of text.split('<').slice(1)) {
    if (/^t[dh]\b/iu.test(part)) {
      isOpen = true;
      cells.push(part.slice(part.indexOf('>') + 1));
    } else if (/^\/?t[dhr]\b/iu.test(part)) isOpen = false;
    else if (isOpen) cells.push(`${cells.pop() ?? ''}<${part}`);
  }
  return cells.map((cell) => cell.trim());
}

/** Cells between bars; one behind a backslash belongs to its cell. */
function barCells(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/u).map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

const inRowsOf = (columns: number, cells: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(cells.length / columns) }, (_, i) => cells.slice(i * columns, (i + 1) * columns));

const isRuler = (row: readonly string[]): boolean => row.length > 0 && row.every((cell) => /^:?-+:?$/u.test(cell));

/** The delimiter is the one that gives most cells. */
function separated(text: string): string[][] {
  const readings = [',', ';', '\t'].map((delimiter): string[][] => {
    try {
      return parse(text, { delimiter, relax_quotes: true, relax_column_count: true, trim: true });
    } catch {
      return [[text]]; // a quotation mark that is never closed: the line is one cell
    }
  });
  return readings.reduce((best, rows) => ((rows[0]?.length ?? 0) > (best[0]?.length ?? 0) ? rows : best));
}

/** As the context says it; else the row above the ruler of the same table, where that stands in the passage. */
function headerOf({ context, passage, start }: Quote, columns: number): string[] {
  if (context) {
    const within =
      context.start !== undefined && context.end !== undefined
        ? barCells(passage.text.slice(context.start, context.end))
        : [];
    return within.length === columns ? within : headerCells(context.text);
  }
  const above = passage.text.slice(0, start).split('\n').slice(0, -1);
  for (let i = above.length - 1; i > 0 && (above[i] ?? '').includes('|'); i--)
    if (isRuler(barCells(above[i] ?? ''))) return barCells(above[i - 1] ?? '');
  return [];
}
