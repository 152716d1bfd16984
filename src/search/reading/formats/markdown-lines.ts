import type { LineRange } from '../chunk/split-lines.ts';
import type { SourceText } from '../text/source-text.ts';
import type { Heading } from './sections.ts';

/** What the block structure of a Markdown text is, as far as cutting and linking need it. */
interface MarkdownLines {
  headings: Heading[];
  /** 1 for lines inside fenced code, HTML comments and raw HTML: no headings, no links there. */
  literal: Uint8Array;
  /** Fenced code, fences included. */
  fences: LineRange[];
}

const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;
const NOT_PARAGRAPH = /^(?: {0,3}(?:>|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|\|)| {4}|\t)/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) {1,4}(?=\S)/;
const RAW_HTML = /^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)/i;

/**
 * Finds headings and code in one pass over the lines, by CommonMark's block rules (version 0.31, sections 4.2, 4.3,
 * 4.5, 4.6). A full parser costs seconds per megabyte; this one costs milliseconds, and a test holds it against the
 * full parser.
 */
export function scanMarkdown(source: SourceText, firstLine: number): MarkdownLines {
  const literal = new Uint8Array(source.lineCount + 1);
  const headings: Heading[] = [];
  const fences: LineRange[] = [];
  let paragraphStart = 0;
  for (let line = firstLine; line <= source.lineCount; line++) {
    const text = source.line(line);
    const end = endOfLiteral(source, line, text, paragraphStart > 0);
    if (end) {
      literal.fill(1, line, end.endLine + 1);
      if (end.fenced) fences.push({ startLine: line, endLine: end.endLine });
      line = end.endLine;
      paragraphStart = 0;
      continue;
    }
    const atx = headingAt(source, line);
    if (atx) headings.push({ startLine: line, endLine: line, depth: atx.depth, text: plainInline(atx.text) });
    const underline = paragraphStart > 0 ? SETEXT.exec(text) : null;
    if (underline) {
      const title = source.slice(paragraphStart, line - 1);
      headings.push({
        startLine: paragraphStart,
        endLine: line,
        depth: (underline[1] ?? '').startsWith('=') ? 1 : 2,
        text: plainInline(title),
      });
    }
    const plain = !atx && !underline && !source.isBlank(line);
    if (!plain) paragraphStart = 0;
    else if (paragraphStart === 0) paragraphStart = startsParagraph(source, line, firstLine) ? line : 0;
  }
  return { headings, literal, fences };
}

/** How many times the character at an offset is repeated from there on. */
function runLength(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] === text[at]) end += 1;
  return end - at;
}

const isBlankMark = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Where a line's own text begins behind indentation, quotation marks, bullets and numbers. */
function endOfContainers(text: string): number {
  let at = 0;
  for (;;) {
    const character = text[at] ?? '';
    let end = at;
    while (end - at < 9 && (text[end] ?? '') >= '0' && (text[end] ?? '') <= '9') end += 1;
    if (isBlankMark(character) || character === '>') at += 1;
    else if ((character === '-' || character === '*' || character === '+') && isBlankMark(text[at + 1])) at += 1;
    else if (end > at && (text[end] === '.' || text[end] === ')') && isBlankMark(text[end + 1])) at = end + 1;
    else return at;
  }
}

/** The marks that open a fence, whatever list or quotation they stand in; undefined for any other line. */
function fenceIn(text: string): string | undefined {
  if (!text.includes('```') && !text.includes('~~~')) return undefined;
  const inner = text.slice(endOfContainers(text));
  if (inner[0] !== '`' && inner[0] !== '~') return undefined;
  const length = runLength(inner, 0);
  return length < 3 || (inner[0] === '`' && inner.includes('`', length)) ? undefined : inner.slice(0, length);
}

function closesFence(text: string, fence: string): boolean {
  let at = 0;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '>') at += 1;
  return (
    text[at] === fence[0] &&
    runLength(text, at) >= fence.length &&
    text.slice(at).trimEnd().length === runLength(text, at)
  );
}

/** `## Words ##`: one to six marks, then a blank or the end of the line. */
function atxHeading(text: string): { depth: number; text: string } | undefined {
  const indent = text.startsWith(' ') ? runLength(text, 0) : 0;
  if (indent > 3 || text[indent] !== '#') return undefined;
  const depth = runLength(text, indent);
  const behind = text[indent + depth];
  if (depth > 6 || (behind !== undefined && behind !== ' ' && behind !== '\t')) return undefined;
  const words = text.slice(indent + depth).trim();
  let end = words.length;
  while (words[end - 1] === '#') end -= 1;
  const closed = end === 0 || words[end - 1] === ' ' || words[end - 1] === '\t';
  return { depth, text: closed ? words.slice(0, end).trimEnd() : words };
}

/** An indented heading may stand inside the list item above it: then it heads nothing but that item. */
function headingAt(source: SourceText, line: number): { depth: number; text: string } | undefined {
  const text = source.line(line);
  const found = atxHeading(text);
  return found && text.startsWith(' ') && insideItem(source, line, text.search(/\S/)) ? undefined : found;
}

function insideItem(source: SourceText, line: number, indent: number): boolean {
  for (let i = line - 1; i >= 1 && i > line - 200; i--) {
    const item = ITEM.exec(source.line(i));
    if (item && item[0].length <= indent) return true;
    if (/^\S/.test(source.line(i))) return false;
  }
  return false;
}

/** A line begins a paragraph when nothing above it swallows it (a list item, a quotation, a table). */
function startsParagraph(source: SourceText, line: number, firstLine: number): boolean {
  if (NOT_PARAGRAPH.test(source.line(line))) return false;
  const above = line > firstLine ? source.line(line - 1) : '';
  return (
    above.trim() === '' ||
    atxHeading(above) !== undefined ||
    SETEXT.test(above) ||
    fenceIn(above) !== undefined ||
    /^\s*(?:-->|<\/)/.test(above)
  );
}

function endOfLiteral(
  source: SourceText,
  line: number,
  text: string,
  inParagraph: boolean,
): { endLine: number; fenced: boolean } | undefined {
  const fence = fenceIn(text);
  if (fence && !(/^(?: {4}|\t)/.test(text) && !inParagraph && !insideList(source, line)))
    return { endLine: endOfFence(source, line, fence), fenced: true };
  if (/^ {0,3}<!--/.test(text)) return { endLine: lineWith(source, line, '-->'), fenced: false };
  const raw = RAW_HTML.exec(text)?.[1];
  return raw ? { endLine: lineWith(source, line, `</${raw.toLowerCase()}>`), fenced: false } : undefined;
}

/** A fence inside of a quotation ends with it. */
function endOfFence(source: SourceText, line: number, fence: string): number {
  const opening = source.line(line);
  const isQuoted = opening.slice(0, endOfContainers(opening)).includes('>');
  for (let i = line + 1; i <= source.lineCount; i++) {
    if (isQuoted && !source.line(i).trimStart().startsWith('>')) return i - 1;
    if (closesFence(source.line(i), fence)) return i;
  }
  return source.lineCount;
}

function lineWith(source: SourceText, line: number, ending: string): number {
  for (let i = line; i <= source.lineCount; i++) if (source.line(i).toLowerCase().includes(ending)) return i;
  return source.lineCount;
}

/** Four spaces mean code at the top, but the inside of an item in a list. */
function insideList(source: SourceText, line: number): boolean {
  for (let i = line - 1; i >= 1 && i > line - 200; i--) {
    const text = source.line(i);
    if (/^\s*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text)) return true;
    if (text !== '' && !/^\s/.test(text)) return false;
  }
  return false;
}

// A private-use character keeps the place of what was escaped, so that nothing takes it for a mark.
const ESCAPED = '\uE000';
const ESCAPES = /\uE000(\d{1,4});/g;
/** What is longer is no heading that anyone would read; a title is cut far below this. */
const LONGEST_HEADING = 2_000;

/** A line of a heading (`## Words {#anchor}`) as people read it. */
export const headingInLine = (line: string): string => plainInline(line.replace(/^#+/u, ''));

/** A heading as people read it: without emphasis, code marks, links' targets and trailing anchors. */
export function plainInline(text: string): string {
  const escaped: string[] = [];
  const linked = text
    .slice(0, LONGEST_HEADING)
    .replace(/\\([!-/:-@[-`{-~])/g, (_, character: string) => `${ESCAPED}${escaped.push(character) - 1};`)
    .replace(/!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g, (_, page: string, shown?: string) => shown ?? page)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1');
  let plain = withoutCodeMarks(withoutAnchor(linked.replace(/\s+/g, ' ')));
  for (const mark of ['**', '__', '*', '_']) plain = withoutPairs(plain, mark);
  return plain
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(ESCAPES, (_, index: string) => escaped[Number(index)] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `Words {#anchor}` */
function withoutAnchor(text: string): string {
  const trimmed = text.trimEnd();
  const start = trimmed.endsWith('}') ? trimmed.lastIndexOf('{#') : -1;
  return start < 0 || trimmed.indexOf('}', start) < trimmed.length - 1 ? text : trimmed.slice(0, start).trimEnd();
}

/** Runs of backticks go in pairs; one that is left over stays. */
function withoutCodeMarks(text: string): string {
  if (!text.includes('`')) return text;
  const runs = text.match(/`+/g)?.length ?? 0;
  let seen = 0;
  return text.replace(/`+/g, (run) => (seen++ < runs - (runs % 2) ? '' : run));
}

const WORD = /[\p{L}\p{N}]/u;
const isSpace = (character: string | undefined): boolean => character === undefined || character.trim() === '';
const isWord = (character: string | undefined): boolean => character !== undefined && WORD.test(character);

/** Takes away pairs of marks around words; looks at each place once, as the next closing mark is remembered. */
function withoutPairs(text: string, mark: string): string {
  if (!text.includes(mark)) return text;
  const single = mark.length === 1;
  let plain = '';
  let kept = 0;
  let closing = 0;
  for (let at = text.indexOf(mark); at >= 0 && closing >= 0; at = text.indexOf(mark, Math.max(at + 1, kept))) {
    const inside = at + mark.length;
    if (isSpace(text[inside]) || (single && isWord(text[at - 1]))) continue;
    if (closing <= inside) closing = nextClosing(text, mark, inside + 1);
    if (closing < 0) break;
    plain += text.slice(kept, at) + text.slice(inside, closing);
    kept = closing + mark.length;
  }
  return plain + text.slice(kept);
}

function nextClosing(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (!isSpace(text[at - 1]) && !(mark.length === 1 && isWord(text[at + 1]))) return at;
  }
  return -1;
}
