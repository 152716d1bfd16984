import type { PlacedLink } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { textLinks } from './text-links.ts';
import { wikilinksIn } from './wikilinks.ts';

/** Longer lines are data; looking for pairs of marks in them could take for ever. */
const LONGEST_LINE = 20_000;
const LABEL = String.raw`(?:[^[\]\\\n]|\\.|\n(?![ \t]*\n)|\[[^[\]\n]{0,200}\]){0,400}`;
const INLINE = new RegExp(String.raw`\[${LABEL}\]\(\s*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*){0,4})(?:\s+(?:"[^"]{0,300}"|'[^']{0,300}'|\([^()]{0,300}\)))?\s*\)`, 'g');
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:\s*(<[^<>\n]*>|\S+)/gm;
const REFERENCE = /\[([^[\]\n]{1,200})\]\[([^[\]\n]{0,200})\]/g;
const HTML_LINK = /<(?:a|img|source|video)\s[^<>]{0,300}?(?:href|src)\s*=\s*["']([^"'<>]+)["']/gi;

/** Links of a Markdown text outside code: inline, by reference, in raw HTML, wikilinks; then file names and web addresses. */
export function markdownLinks(source: SourceText, literal: Uint8Array, firstLine: number): PlacedLink[] {
  const text = withoutCode(source, literal, firstLine);
  const links: PlacedLink[] = [];
  const add = (offset: number, raw: string): void => {
    const target = raw.replace(/^<|>$/g, '').trim();
    if (target === '' || /^[a-z][a-z0-9+.-]*:/i.test(target)) return; // web addresses are found in the text itself
    const anchor = anchorOf(target);
    links.push({ kind: 'markdown', target, ...(anchor ? { anchor } : {}), ...placeOf(source, offset) });
  };
  for (const match of text.matchAll(INLINE)) add(match.index, match[1] ?? '');
  const definitions = new Map<string, string>();
  for (const match of text.matchAll(DEFINITION)) {
    if (!(match[1] ?? '').startsWith('^')) definitions.set(keyOf(match[1] ?? ''), match[2] ?? '');
  }
  if (definitions.size > 0) {
    for (const match of text.matchAll(REFERENCE)) add(match.index, definitions.get(keyOf(match[2] || match[1] || '')) ?? '');
    for (const match of text.matchAll(DEFINITION)) if (!(match[1] ?? '').startsWith('^')) add(match.index, match[2] ?? '');
  }
  for (const match of text.matchAll(HTML_LINK)) add(match.index, match[1] ?? '');
  if (text.includes('[[')) {
    text.split('\n').forEach((line, i) => links.push(...wikilinksIn(line, i + 1)));
  }
  for (const link of textLinks(source)) if (link.line >= firstLine) links.push(link);
  return links;
}

const keyOf = (label: string): string => label.toLowerCase().replace(/\s+/g, ' ').trim();

function anchorOf(target: string): string {
  const at = target.indexOf('#');
  if (at < 0) return '';
  try {
    return decodeURIComponent(target.slice(at + 1));
  } catch {
    return target.slice(at + 1); // a stray percent sign: as written
  }
}

function placeOf(source: SourceText, offset: number): { line: number; column: number } {
  const line = source.lineAt(offset);
  return { line, column: offset - source.offsetOf(line) };
}

/** The text with front matter, literal lines and code spans blanked out, every offset kept. */
function withoutCode(source: SourceText, literal: Uint8Array, firstLine: number): string {
  const lines = source.lines.map((line, i) => {
    if (i + 1 < firstLine || literal[i + 1] === 1) return ' '.repeat(line.length);
    return line.includes('`') && line.length < LONGEST_LINE ? line.replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, (code) => ' '.repeat(code.length)) : line;
  });
  return lines.join('\n');
}
