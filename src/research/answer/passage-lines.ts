import type { Passage, TextSpan } from '#search';
import { codeBlock, codeSpan, disarmMarks, sanitiseText } from './sanitise-text.ts';
import type { Quote } from './select-quotes.ts';

/**
 * Where quoted words stand in a text; white space, quotation marks, dashes, case and Markdown emphasis do not count.
 * `…` skips. undefined: nowhere.
 */
export function findQuote(text: string, quote: string): TextSpan | undefined {
  const parts = quote
    .split(/…|\.\.\.|\[…\]/u)
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

const PROSE_LANGUAGES = new Set(['markdown', 'plaintext', 'restructuredtext', 'html', 'latex']);
const CODE_KINDS = new Set<Passage['kind']>(['function', 'class', 'outline', 'code', 'data', 'table']);

/** Prose is quoted as sentences, anything else as code. */
export const isProse = (passage: Passage): boolean =>
  !CODE_KINDS.has(passage.kind) && PROSE_LANGUAGES.has(passage.language);

/** What a passage is called in a sentence: its title, else its file. */
export const nameOfPassage = (passage: Passage): string => passage.title || passage.path;

/** Foreign text on one line, inert, without anything that looks like one of our marks. */
export const inlineText = (text: string): string => disarmMarks(sanitiseText(text)).replace(/\s+/gu, ' ').trim();

/**
 * A quote with its mark: prose in quotation marks, code as code. List signs and heading signs of the source are left
 * out.
 */
export function formatQuote(quote: Quote, mark: string): string {
  if (isProse(quote.passage))
    return `“${inlineText(quote.text).replace(/^(?:[-*+>]|#{1,6}|\d+[.)])\s+/u, '')}” ${mark}`;
  return quote.text.includes('\n')
    ? `${mark}\n${indent(codeBlock(quote.text, quote.passage.language))}`
    : `${codeSpan(quote.text.trim())} ${mark}`;
}

const indent = (block: string): string =>
  block
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
