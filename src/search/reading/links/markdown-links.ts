import type { PlacedLink } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { decoded } from './path-table.ts';
import { textLinks } from './text-links.ts';

/** Longer labels, targets and titles are not read: they could be looked for from every bracket. */
const LONGEST_LABEL = 2_000;
const LONGEST_TARGET = 2_000;
const LONGEST_TITLE = 300;
const REFERENCE = /\[([^[\]\n]{1,200})\]\[([^[\]\n]{0,200})\]/g;
const HTML_LINK = /<(?:a|img|source|video)\s[^<>]{0,300}?(?:href|src)\s*=\s*["']([^"'<>]+)["']/gi;

interface Target {
  /** Where the link begins. */
  offset: number;
  target: string;
}

/**
 * Links of a Markdown text outside code: inline, by reference, in raw HTML, wikilinks; then file names and web
 * addresses.
 */
export function markdownLinks(source: SourceText, literal: Uint8Array, firstLine: number): PlacedLink[] {
  const lines = linesWithoutCode(source, literal, firstLine);
  const text = lines.join('\n');
  const links: PlacedLink[] = [];
  const add = (offset: number, raw: string): void => {
    const target = raw.replace(/^<|>$/g, '').trim();
    if (target === '' || /^[a-z][a-z0-9+.-]*:/i.test(target)) return; // web addresses are found in the text itself
    const hash = target.indexOf('#');
    const anchor = hash < 0 ? '' : decoded(target.slice(hash + 1));
    links.push({ kind: 'markdown', target, ...(anchor && { anchor }), ...source.placeOf(offset) });
  };
  for (const { offset, target } of inlineLinks(text)) add(offset, target);
  const definitions = new Map<string, string>();
  const defined = definitionsIn(lines, source);
  for (const { label, target } of defined) definitions.set(keyOf(label), target);
  if (defined.length > 0) {
    for (const match of text.matchAll(REFERENCE))
      add(match.index, definitions.get(keyOf(match[2] || match[1] || '')) ?? '');
    for (const { offset, target } of defined) add(offset, target);
  }
  for (const match of text.matchAll(HTML_LINK)) add(match.index, match[1] ?? '');
  if (text.includes('[[')) for (const link of lines.flatMap((line, i) => wikilinksIn(line, i + 1))) links.push(link);
  for (const link of textLinks(source)) if (link.line >= firstLine) links.push(link);
  return links;
}

const keyOf = (label: string): string => label.toLowerCase().replace(/\s+/g, ' ').trim();

/** `[label](target "title")`: from each `](` forwards for the target and backwards for the label's bracket. */
function* inlineLinks(text: string): Generator<Target> {
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at + 2)) {
    if (text[at - 1] === '\\') continue;
    const target = targetAt(text, at + 2);
    const offset = target === undefined ? -1 : labelBefore(text, at);
    if (target !== undefined && offset >= 0) yield { offset, target };
  }
}

/** Offset of the bracket that a label begins with: at most one pair inside it, no blank line. -1 when there is none. */
function labelBefore(text: string, end: number): number {
  let inner = 0;
  for (let at = end - 1; at >= 0 && end - at <= LONGEST_LABEL; at--) {
    const character = text[at];
    if (character === '\n' && isBlankLineAt(text, at + 1)) return -1;
    if ((character !== '[' && character !== ']') || text[at - 1] === '\\') continue;
    if (character === ']' && inner > 0) return -1;
    if (character === '[' && inner === 0) return at;
    inner += character === ']' ? 1 : -1;
  }
  return -1;
}

function isBlankLineAt(text: string, start: number): boolean {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return text[at] === '\n';
}

/**
 * What stands between the parentheses of a link, without its title; undefined where they do not close as they should.
 */
function targetAt(text: string, start: number): string | undefined {
  const from = skipSpace(text, start);
  const end = text[from] === '<' ? endInBrackets(text, from) : endOfBare(text, from);
  if (end < 0) return undefined;
  const target = text.slice(from, end);
  const behind = skipSpace(text, end);
  if (text[behind] === ')') return target;
  return behind > end && text[skipSpace(text, endOfTitle(text, behind))] === ')' ? target : undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < LONGEST_TARGET && /\s/.test(text[at] ?? '')) at += 1;
  return at;
}

function endInBrackets(text: string, start: number): number {
  for (let at = start + 1; at < text.length && at - start < LONGEST_TARGET; at++) {
    if (text[at] === '>') return at + 1;
    if (text[at] === '<' || text[at] === '\n') return -1;
  }
  return -1;
}

/** A target without blanks; parentheses inside it come in pairs, one deep. */
function endOfBare(text: string, start: number): number {
  let open = false;
  for (let at = start; at < text.length && at - start < LONGEST_TARGET; at++) {
    const character = text[at] ?? '';
    if (character === '(' && !open) open = true;
    else if (character === ')' && open) open = false;
    else if (/[\s()<>]/.test(character)) return open ? -1 : at;
  }
  return -1;
}

/** Where a title in quotes or parentheses ends; past the text when it does not. */
function endOfTitle(text: string, start: number): number {
  const closing = { '"': '"', "'": "'", '(': ')' }[text[start] ?? ''];
  const end = closing === undefined ? -1 : text.slice(start + 1, start + 1 + LONGEST_TITLE).indexOf(closing);
  return end < 0 ? text.length : start + 1 + end + 1;
}

/**
 * `[label]: target`, the target on the same line or on the next; behind it at most a title (CommonMark 0.31, section
 * 4.7).
 */
function definitionsIn(lines: readonly string[], source: SourceText): (Target & { label: string })[] {
  return lines.flatMap((line, i) => {
    const indent = line.length - line.trimStart().length;
    const end = line[indent] === '[' && indent <= 3 ? line.indexOf(']') : -1;
    const label = line.slice(indent + 1, end);
    if (end < 0 || line[end + 1] !== ':' || label === '' || label.length > 200 || label.startsWith('^')) return [];
    const behind = line.slice(end + 2).trim() === '' ? (lines[i + 1] ?? '') : line.slice(end + 2);
    const target = definedTarget(behind);
    return target === undefined ? [] : [{ offset: source.offsetOf(i + 1), label, target }];
  });
}

/** The first word, where nothing but a title stands behind it: prose may begin with brackets and a colon, too. */
function definedTarget(text: string): string | undefined {
  const trimmed = text.trimStart();
  const bracket = trimmed.startsWith('<') ? endInBrackets(trimmed, 0) : -1;
  const space = bracket > 0 ? bracket : trimmed.search(/\s/);
  const end = space < 0 ? trimmed.length : space;
  return /^(?:$|["'(])/.test(trimmed.slice(end).trim()) ? trimmed.slice(0, end) || undefined : undefined;
}

/** The lines with front matter, literal lines and code spans blanked out, every offset kept. */
function linesWithoutCode(source: SourceText, literal: Uint8Array, firstLine: number): string[] {
  return source.lines.map((line, i) => {
    if (i + 1 < firstLine || literal[i + 1] === 1) return ' '.repeat(line.length);
    return line.includes('`') ? withoutCodeSpans(line) : line;
  });
}

/** A span goes from a run of backticks to the next run of the same length (CommonMark 0.31, section 6.1). */
function withoutCodeSpans(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map((match) => ({ start: match.index, length: match[0].length }));
  const nextOfLength = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] ?? { length: 0 };
    closing[i] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, i);
  }
  let plain = '';
  let kept = 0;
  for (let i = 0; i < runs.length; i++) {
    const from = runs[i];
    const to = runs[closing[i] ?? -1];
    if (!from || !to) continue;
    const end = to.start + to.length;
    plain += line.slice(kept, from.start) + ' '.repeat(end - from.start);
    kept = end;
    i = closing[i] ?? i;
  }
  return plain + line.slice(kept);
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
