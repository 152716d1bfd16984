import { stemOf } from '#base';
import { Tokenizer, type DefaultTreeAdapterTypes, type Token } from 'parse5';
import type { ParsedFile, PlacedLink } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { htmlUnits } from '../units/html-units.ts';
import { sectionsOf, type Heading } from './sections.ts';
import { RAW_CONTENT } from './raw-html.ts';
import type { TextFormat } from './file-format.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Words of a heading or title beyond this are not kept: an element that is never closed holds the rest of the page. */
const LONGEST_WORDS = 1_000;
/** What a page's tags say: headings, links and title, in order. */
interface Outline {
  title: string;
  headings: Heading[];
  links: PlacedLink[];
}

/** Templates of pages. What stands before such an extension tells first (`values.yaml.j2`). */
const templates = Object.fromEntries(
  ['ejs', 'erb', 'handlebars', 'hbs', 'j2', 'jinja', 'jinja2', 'liquid', 'mustache', 'njk', 'twig'].map((extension) => [
    extension,
    'html',
  ]),
);

export const html: TextFormat = {
  name: 'html',
  extensions: { html: 'html', htm: 'html', xhtml: 'html', ...templates },
  // A template may make anything: it is a page where it holds elements that end.
  holds: (text) => /<\/[a-z][\w-]*>/i.test(text),
  linkedWithout: ['html'],
  read: parseHtml,
};

/** HTML: sections under their headings, topped by the page's title; the text is the source's lines, tags and all. */
function parseHtml(source: SourceText, path: string): ParsedFile {
  const { title, headings, links: written } = outlineOf(source.text);
  const links = [...written, ...textLinks(source)];
  const documentTitle = title || stemOf(path);
  for (const heading of headings)
    if (heading.text) links.push({ kind: 'define', target: heading.text, line: heading.startLine });
  const begins = (line: number): boolean => BEGINS_BLOCK.test(source.line(line));
  return {
    ...sectionsOf(source, { headings: onePerLine(headings), documentTitle, begins }),
    links,
    units: htmlUnits(source.text, { start: 0, end: source.text.length }).units,
  };
}

/**
 * Reads the tags one after the other. No tree is built: repairing what crosses takes parse5 quadratic time, and a
 * heading needs no more than its own two tags.
 */
function outlineOf(html: string): Outline {
  const outline: Outline = { title: '', headings: [], links: [] };
  let open: { heading?: Heading; tag: string; words: string } | undefined;
  const close = (): void => {
    if (!open) return;
    const words = foldSpace(open.words);
    if (open.heading) open.heading.text = words;
    else outline.title ||= words;
    open = undefined;
  };
  const addWords = (words: string): void => {
    if (open && open.words.length < LONGEST_WORDS) open.words += words.slice(0, LONGEST_WORDS);
  };
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: ({ tagName, attrs, location }) => {
        const mode = RAW_CONTENT[tagName];
        if (mode !== undefined) tokenizer.state = mode;
        if (!location) return;
        const depth = /^h([1-6])$/.exec(tagName)?.[1];
        if (depth || (tagName === 'title' && outline.title === '')) {
          close();
          open = { tag: tagName, words: '' };
          if (depth)
            outline.headings.push(
              (open.heading = {
                startLine: location.startLine,
                endLine: location.startLine,
                depth: Number(depth),
                text: '',
              }),
            );
        } else if (tagName === 'br') addWords(' ');
        outline.links.push(...linksOf(attrs, location));
      },
      onEndTag: ({ tagName, location }) => {
        if (open?.tag !== tagName) return;
        if (open.heading && location) open.heading.endLine = location.startLine;
        close();
      },
      onCharacter: ({ chars }) => addWords(chars),
      onWhitespaceCharacter: () => addWords(' '),
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: close,
    },
  );
  tokenizer.write(html, true);
  return outline;
}

function linksOf(attributes: readonly Token.Attribute[], location: Token.Location): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const { name, value } of attributes) {
    if ((name !== 'href' && name !== 'src') || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value) || value.trim() === '')
      continue;
    links.push({
      kind: 'markdown',
      target: value.trim(),
      ...anchorOf(value),
      line: location.startLine,
      column: location.startCol - 1,
    });
  }
  return links;
}

/** All elements in document order, templates included, with a stack of our own. */
export function* elementsOf(root: Node): Generator<Element> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('tagName' in node) yield node;
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node)
      for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i] as Node);
  }
}

/** The text inside an element, blanks folded. */
export function textOf(element: Node): string {
  let text = '';
  const waiting: Node[] = [element];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    else if (node.nodeName === 'br') text += ' ';
    if ('childNodes' in node)
      for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i] as Node);
  }
  return foldSpace(text);
}

/** Blanks folded, and without the mark that documentation puts behind a heading for its link. */
function foldSpace(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return /[¶#]$/.test(folded) ? folded.slice(0, -1).trimEnd() : folded;
}

function anchorOf(target: string): { anchor?: string } {
  const anchor = target.split('#')[1];
  return anchor ? { anchor } : {};
}

function onePerLine(headings: readonly Heading[]): Heading[] {
  const kept: Heading[] = [];
  for (const heading of headings)
    if (heading.text !== '' && heading.startLine > (kept.at(-1)?.endLine ?? 0)) kept.push(heading);
  return kept;
}

const BEGINS_BLOCK =
  /^\s*<(?:p|ul|ol|dl|table|pre|section|article|div|figure|blockquote|form|script|style|nav|header|footer|main|body|head)\b/i;
