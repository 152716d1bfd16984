import MarkdownIt from 'markdown-it';
import type { PlacedLink } from '../../chunk/block.ts';
import { decoded } from '../../links/path-table.ts';
import { textLinks } from '../../links/text-links.ts';
import type { SourceText } from '../../text/source-text.ts';
import type { MarkdownBlocks } from './markdown-blocks.ts';

/** Links as they are written: nothing is encoded, and none is refused. */
const inline = new MarkdownIt({ html: true });
inline.normalizeLink = (address) => address;
inline.validateLink = () => true;

/** `[label]: target`, with at most a title behind it: prose may begin with brackets and a colon, too. */
const DEFINITION = /^ {0,3}\[([^\]\n^][^\]\n]{0,200})\]:[ \t]*<?([^\s<>]{1,2000})>?[ \t]*(?:["'(].{0,300})?$/;
/** Full and collapsed; a shortcut (`[label]`) is an ordinary word in brackets far too often. */
const REFERENCE = /\[([^[\]\n]{1,200})\]\[([^[\]\n]{0,200})\]/g;
const HTML_LINK = /<(?:a|img|source|video)\s[^<>]{0,300}?(?:href|src)\s*=\s*["']([^"'<>]+)["']/gi;
const CODE_SPAN = /``[^\n]{1,300}?``|`[^`\n]{1,300}`/g;
/** Longer lines are data, in which nothing is marked. */
const LONGEST_LINE = 100_000;

/**
 * Links of a Markdown text outside code: inline, by reference, in raw HTML, wikilinks; then file names and web
 * addresses.
 */
export function markdownLinks(
  source: SourceText,
  { tokens, literal }: Pick<MarkdownBlocks, 'tokens' | 'literal'>,
  firstLine: number,
): PlacedLink[] {
  const links: PlacedLink[] = [];
  const add = (raw: string, line: number): void => {
    const target = raw.trim();
    if (target === '' || /^[a-z][a-z0-9+.-]*:/i.test(target)) return; // web addresses are found in the text itself
    const hash = target.indexOf('#');
    const anchor = hash < 0 ? '' : decoded(target.slice(hash + 1));
    const column = Math.max(0, source.line(line).indexOf(target));
    links.push({ kind: 'markdown', target, ...(anchor && { anchor }), line, column });
  };
  const definitions = new Map<string, string>();
  const uses: { label: string; line: number }[] = [];
  for (let line = firstLine; line <= source.lineCount; line++) {
    const written = source.line(line);
    if (literal[line] === 1 || written.length > LONGEST_LINE) continue;
    const [, label, href] = DEFINITION.exec(written) ?? [];
    if (label !== undefined && href !== undefined) {
      if (!definitions.has(keyOf(label))) definitions.set(keyOf(label), href);
      add(href, line);
    }
    const text = written.includes('`') ? written.replace(CODE_SPAN, (span) => ' '.repeat(span.length)) : written;
    for (const match of text.matchAll(HTML_LINK)) add(match[1] ?? '', line);
    for (const match of text.matchAll(REFERENCE)) uses.push({ label: match[2] || match[1] || '', line });
    links.push(...wikilinksIn(text, line));
  }
  for (const { label, line } of uses) add(definitions.get(keyOf(label)) ?? '', line);
  let firstOfBlock = 0;
  for (const { type, content, map } of tokens) {
    firstOfBlock = map?.[0] ?? firstOfBlock; // the cells of a table have no lines of their own
    if (type !== 'inline' || !content.includes(']') || content.length > LONGEST_LINE) continue;
    let from = 0;
    let line = firstLine + firstOfBlock;
    for (const target of targetsIn(content)) {
      const at = content.indexOf(target, from);
      if (at >= 0) {
        line += content.slice(from, at).split('\n').length - 1;
        from = at;
      }
      add(target, line);
    }
  }
  for (const link of textLinks(source)) if (link.line >= firstLine) links.push(link);
  return links;
}

const keyOf = (label: string): string => label.toLowerCase().replace(/\s+/g, ' ').trim();

function targetsIn(content: string): string[] {
  const tokens: ReturnType<typeof inline.parse> = [];
  inline.inline.parse(content, inline, {}, tokens);
  return tokens.flatMap((token) => token.attrGet(token.type === 'image' ? 'src' : 'href') ?? []);
}

const WIKILINK = /!?\[\[([^[\]|\n]+?)(?:\\?\|[^[\]\n]*)?\]\]/g;

/**
 * Wikilinks of one line: `[[Page]]`, `[[Page#Heading]]`, `[[Page|shown]]`, `![[embedded.png]]`. The target keeps its
 * anchor.
 */
export function wikilinksIn(text: string, line: number): PlacedLink[] {
  if (!text.includes('[[')) return [];
  return [...text.matchAll(WIKILINK)].flatMap((match) => {
    const target = (match[1] ?? '').trim();
    return target ? [{ kind: 'wikilink' as const, target, ...partOf(target), line, column: match.index }] : [];
  });
}

/** The heading that a wikilink means; a mark of a paragraph is none. */
function partOf(target: string): { anchor?: string } {
  const anchor = target.split('#').slice(1).at(-1)?.trim();
  return anchor && !anchor.startsWith('^') ? { anchor } : {};
}
