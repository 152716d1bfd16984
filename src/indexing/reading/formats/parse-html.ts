import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { ParsedFile, PlacedLink } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { sectionsOf, type Heading } from './heading-tree.ts';
import { stemOf } from './parse-markdown.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** HTML: sections under their headings, topped by the page's title; the text is the source's lines, tags and all. */
export function parseHtml(source: SourceText, path: string): ParsedFile {
  const headings: Heading[] = [];
  const links: PlacedLink[] = [];
  let title = '';
  for (const element of elementsOf(parse(source.text, { sourceCodeLocationInfo: true }))) {
    const location = element.sourceCodeLocation;
    if (!location) continue;
    const depth = /^h([1-6])$/.exec(element.tagName)?.[1];
    if (element.tagName === 'title' && title === '') title = textOf(element);
    if (depth) headings.push({ startLine: location.startLine, endLine: location.endTag?.startLine ?? location.startLine, depth: Number(depth), text: textOf(element) });
    for (const { name, value } of element.attrs) {
      if ((name !== 'href' && name !== 'src') || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value) || value.trim() === '') continue;
      links.push({ kind: 'markdown', target: value.trim(), ...anchorOf(value), line: location.startLine, column: location.startCol - 1 });
    }
  }
  const documentTitle = title || stemOf(path);
  const blocks = sectionsOf({ headings: onePerLine(headings), firstLine: 1, lastLine: source.lineCount, documentTitle, groups: (range) => paragraphs(source, range) });
  links.push(...textLinks(source));
  for (const heading of headings) if (heading.text) links.push({ kind: 'define', target: heading.text, line: heading.startLine });
  return { blocks, links, rest: { kind: 'section', family: 'prose', title: documentTitle } };
}

/** All elements in document order, templates included, with a stack of our own. */
export function* elementsOf(root: Node): Generator<Element> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('tagName' in node) yield node;
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i] as Node);
  }
}

/** The text inside an element, blanks folded. */
export function textOf(element: Node): string {
  let text = '';
  const waiting: Node[] = [element];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    else if (node.nodeName === 'br') text += ' ';
    if ('childNodes' in node) for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i] as Node);
  }
  return text.replace(/\s+/g, ' ').replace(/\s*[¶#]\s*$/, '').trim();
}

function anchorOf(target: string): { anchor?: string } {
  const anchor = target.split('#')[1];
  return anchor ? { anchor } : {};
}

function onePerLine(headings: readonly Heading[]): Heading[] {
  const kept: Heading[] = [];
  for (const heading of headings) if (heading.text !== '' && heading.startLine > (kept.at(-1)?.endLine ?? 0)) kept.push(heading);
  return kept;
}

/** Runs between blank lines and before the tags that begin a block. */
function paragraphs(source: SourceText, range: LineRange): LineRange[] {
  const groups: LineRange[] = [];
  for (let line = range.startLine; line <= range.endLine; line++) {
    if (source.isBlank(line)) continue;
    const last = groups.at(-1);
    const begins = /^\s*<(?:p|ul|ol|dl|table|pre|section|article|div|figure|blockquote|form|script|style|nav|header|footer|main|body|head)\b/i.test(source.line(line));
    if (last && last.endLine === line - 1 && !begins) last.endLine = line;
    else groups.push({ startLine: line, endLine: line });
  }
  return groups;
}
