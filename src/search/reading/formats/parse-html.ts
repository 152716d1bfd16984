import { stemOf, expression } from '#base';
import type { Token } from 'parse5';
import type { ParsedFile, PlacedLink } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { htmlUnits } from '../units/html-units.ts';
import { sectionsOf, type Heading } from './sections.ts';
import { readTags } from './html-tags.ts';
import { extensions } from './extensions.ts';
import type { TextFormat } from './file-format.ts';

/** Words of a heading or title beyond this are not kept: an element that is never closed holds the rest of the page. */
const LONGEST_WORDS = 1_000;
/** What a page's tags say: headings, links and title, in order. */
interface Outline {
  title: string;
  headings: Heading[];
  links: PlacedLink[];
}

export const html: TextFormat = {
  name: 'html',
  extensions: extensions.html,
  // A template may make anything: it is a page where it holds elements that end.
  holds: (text) => /<\/[a-z][\w-]*>/i.test(text),
  linkedWithout: ['html'],
  minified: ['html'],
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

/** What the tags say: a heading needs no more than its own two. */
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
  readTags(html, {
    start: ({ tagName, attrs, location }) => {
      if (!location) return;
      const depth = /^h([1-6])$/.exec(tagName)?.[1];
      if (depth || (tagName === 'title' && outline.title === '')) {
        close();
        open = { tag: tagName, words: '' };
        if (depth) {
          const line = location.startLine;
          open.heading = { startLine: line, endLine: line, depth: Number(depth), text: '' };
          outline.headings.push(open.heading);
        }
      } else if (tagName === 'br') addWords(' ');
      outline.links.push(...linksOf(attrs, location));
    },
    end: ({ tagName, location }) => {
      if (open?.tag !== tagName) return;
      if (open.heading && location) open.heading.endLine = location.startLine;
      close();
    },
    words: (chars) => addWords(chars),
    blank: () => addWords(' '),
  });
  close();
  return outline;
}

function linksOf(attributes: readonly Token.Attribute[], location: Token.Location): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const { name, value } of attributes) {
    if ((name !== 'href' && name !== 'src') || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value) || value.trim() === '')
      continue;
    const anchor = value.split('#')[1];
    const place = { line: location.startLine, column: location.startCol - 1 };
    links.push({ kind: 'markdown', target: value.trim(), ...(anchor && { anchor }), ...place });
  }
  return links;
}

/** Blanks folded, and without the mark of a link that documentation puts behind a heading: `Depth#`, but not `C#`. */
function foldSpace(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return /(?:¶|(?<!\b\p{Lu})#)$/u.test(folded) ? folded.slice(0, -1).trimEnd() : folded;
}

function onePerLine(headings: readonly Heading[]): Heading[] {
  const kept: Heading[] = [];
  for (const heading of headings)
    if (heading.text !== '' && heading.startLine > (kept.at(-1)?.endLine ?? 0)) kept.push(heading);
  return kept;
}

const BEGINS_BLOCK = expression('i')`
  ^\s*<(?:p|ul|ol|dl|table|pre|section|article|div|figure|blockquote|form|script|style|nav|header|footer|main|body|
    head)\b
`;
