import { isProse } from './passage-lines.ts';
import { codeBlock, codeSpan, disarmMarks, sanitiseText } from './sanitise-text.ts';
import type { Quote } from './select-quotes.ts';

/** Foreign text on one line, inert, without anything that looks like one of our marks. */
export const inlineText = (text: string): string => disarmMarks(sanitiseText(text)).replace(/\s+/gu, ' ').trim();

/** A quote with its mark: prose in quotation marks, code as code. List signs and heading signs of the source are left out. */
export function formatQuote(quote: Quote, mark: string): string {
  if (isProse(quote.passage)) return `“${inlineText(quote.text).replace(/^(?:[-*+>]|#{1,6}|\d+[.)])\s+/u, '')}” ${mark}`;
  return quote.text.includes('\n') ? `${mark}\n${indent(codeBlock(quote.text, quote.passage.language))}` : `${codeSpan(quote.text.trim())} ${mark}`;
}

const indent = (block: string): string => block.split('\n').map((line) => `  ${line}`).join('\n');
