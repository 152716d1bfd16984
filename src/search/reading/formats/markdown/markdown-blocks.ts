import MarkdownIt from 'markdown-it';
import type { SourceText } from '../../text/source-text.ts';
import type { Heading } from '../sections.ts';

/**
 * Blocks alone, with their lines. A definition of a link (`[Mara]: hello`) is read as the text that it may be.
 * markdown-it takes some 50 ms per megabyte for this; micromark's mdast takes 4 to 6 s.
 */
const blockParser = new MarkdownIt({ html: true });
blockParser.core.ruler.enableOnly(['normalize', 'block']);
blockParser.block.ruler.disable('reference');
const inlineParser = new MarkdownIt({ html: true });

export type BlockToken = ReturnType<MarkdownIt['parse']>[number];

/** Longer texts are read as paragraphs alone: nobody writes them by hand. */
const LONGEST_TEXT = 2_000_000;

export interface MarkdownBlocks {
  /** Lines of the tokens count from the first line of the text. Empty for a text that is too long. */
  tokens: BlockToken[];
  headings: Heading[];
  /** 1 for lines inside fenced code, HTML comments, scripts and preformatted HTML: no headings, no links there. */
  literal: Uint8Array;
}

/** Block tokens of a text (CommonMark with tables). */
export const blockTokens = (text: string): BlockToken[] => blockParser.parse(text, {});

/** Headings and code of a Markdown text from a line on. Headings inside lists and quotations head nothing. */
export function readBlocks(source: SourceText, firstLine: number): MarkdownBlocks {
  const literal = new Uint8Array(source.lineCount + 2);
  const text = source.text.slice(source.offsetOf(firstLine));
  if (text.length > LONGEST_TEXT) return { tokens: [], headings: [], literal };
  const tokens = blockTokens(text);
  const headings: Heading[] = [];
  tokens.forEach((token, i) => {
    const [from, to] = token.map ?? [0, 0];
    if (token.type === 'heading_open' && token.level === 0)
      headings.push({
        startLine: firstLine + from,
        endLine: firstLine + to - 1,
        depth: Number(token.tag.slice(1)),
        text: plainInline(tokens[i + 1]?.content ?? ''),
      });
    else if (token.type === 'fence' || (token.type === 'html_block' && LITERAL_HTML.test(token.content)))
      literal.fill(1, firstLine + from, Math.min(firstLine + to, source.lineCount + 1));
  });
  return { tokens, headings, literal };
}

const LITERAL_HTML = /^\s*<(?:!--|(?:pre|script|style|textarea)\b)/i;

/** What is longer is no heading that anyone would read; a title is cut far below this. */
const LONGEST_HEADING = 2_000;
const WIKILINK = /!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g;
/** `Words {#anchor}` */
const ANCHOR = /\s\{#[^{}]{1,200}\}\s*$/;

/** A heading as people read it: without emphasis, code marks, links' targets and trailing anchors. */
export function plainInline(text: string): string {
  const words = text
    .slice(0, LONGEST_HEADING)
    .replace(WIKILINK, (_, page: string, shown?: string) => shown ?? page)
    .replace(ANCHOR, '')
    .replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1')
    .replace(/\s+/g, ' ');
  let plain = '';
  for (const { type, content, children } of inlineParser.parseInline(words.trim(), {})[0]?.children ?? []) {
    if (type === 'image') plain += (children ?? []).map((child) => child.content).join('');
    else if (type !== 'html_inline') plain += content;
  }
  return plain
    .replace(/(?:^|\s)#+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
