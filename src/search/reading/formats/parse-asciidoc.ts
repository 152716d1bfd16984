import { stemOf } from '#base';
import type { ParsedFile, PlacedLink } from '../chunk/block.ts';
import { mentionsOf } from '../links/mentions.ts';
import { textLinks } from '../links/text-links.ts';
import { plainAsciidoc } from '../text/asciidoc-words.ts';
import type { SourceText } from '../text/source-text.ts';
import { asciidocUnits } from '../units/asciidoc-units.ts';
import { type AsciidocLines, scanAsciidoc } from './asciidoc-lines.ts';
import { extensions } from './extensions.ts';
import type { TextFormat } from './file-format.ts';
import { documentHeading, type Heading, sectionsOf } from './sections.ts';

const LONGEST_TITLE = 1_000;
const LONGEST_LINE = 20_000;

export const asciidoc: TextFormat = {
  name: 'asciidoc',
  extensions: extensions.asciidoc,
  linkedWithout: ['adoc'],
  read: parseAsciidoc,
};

/** AsciiDoc: sections by their titles, links by macros and cross-references. */
function parseAsciidoc(source: SourceText, path: string): ParsedFile {
  const lines = scanAsciidoc(source);
  const headings = lines.headings.map(({ line, endLine, depth, text }): Heading => ({
    startLine: withAttributes(source, lines, line),
    endLine,
    depth,
    text: plainAsciidoc(text.slice(0, LONGEST_TITLE)),
  }));
  const documentTitle = documentHeading(headings) ?? stemOf(path);
  // Blocks that stand as they are, and tables, are one each.
  const isInside = (line: number): boolean => lines.kinds[line] === 'literal' || lines.kinds[line] === 'table';
  const isBlank = (line: number): boolean => source.isBlank(line) && !isInside(line);
  const links = [...linksOf(source, lines), ...textLinks(source).map(withoutWords)];
  lines.headings.forEach(({ line }, i) => links.push({ kind: 'define', target: headings[i]?.text ?? '', line }));
  const references = mentionsOf({
    source,
    firstLine: 1,
    headings: new Map(lines.headings.map(({ line }, i) => [line, headings[i]?.text ?? ''])),
    isCode: (line) => lines.kinds[line] === 'literal',
    links,
  });
  return {
    ...sectionsOf(source, { headings, documentTitle, isBlank }),
    links,
    references,
    units: asciidocUnits(source, lines),
  };
}

/** A section begins at the anchors and attributes right above its title: they are its own. */
function withAttributes(source: SourceText, { kinds }: AsciidocLines, line: number): number {
  let start = line;
  for (let above = line - 1; above >= 1; above--) {
    if (kinds[above] === 'attributes') start = above;
    else if (!source.isBlank(above)) break;
  }
  return start;
}

/** The words of a link stand right behind its address: `https://example.org[a page]`. */
const withoutWords = (link: PlacedLink): PlacedLink => ({ ...link, target: link.target.split('[', 1)[0] ?? '' });

const MACRO = /\b(xref|link|include|image|video|audio):{1,2}([^\s[\]]{1,500})\[/g;
const REFERENCE = /<<([^<>,\n]{1,200})(?:,[^<>\n]{0,300})?>>/g;
const ANCHOR = /\[\[([\w:.-]{1,200})(?:,[^\]\n]{0,200})?\]\]|\banchor:([\w:.-]{1,200})\[/g;
/** `[#limits]`, `[quote#limits.role]` */
const BLOCK_ID = /^\[[^\]#\n]{0,100}#([\w:-]{1,200})/;

function linksOf(source: SourceText, { kinds }: AsciidocLines): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const text = source.line(line);
    const kind = kinds[line];
    if (text.length > LONGEST_LINE || kind === 'comment' || (kind === 'literal' && !text.startsWith('include::')))
      continue;
    for (const match of text.matchAll(ANCHOR))
      links.push({ kind: 'define', target: match[1] ?? match[2] ?? '', line, column: match.index });
    const id = kind === 'attributes' ? BLOCK_ID.exec(text)?.[1] : undefined;
    if (id !== undefined) links.push({ kind: 'define', target: id, line });
    for (const match of text.matchAll(MACRO)) {
      const target = targetOf(match[1] ?? '', match[2] ?? '');
      if (target !== undefined) links.push({ ...target, line, column: match.index });
    }
    for (const match of text.matchAll(REFERENCE)) {
      const target = targetOf('xref', match[1] ?? '');
      if (target !== undefined) links.push({ ...target, line, column: match.index });
    }
  }
  return links;
}

/** A file, or an anchor of some page: `guide.adoc#limits`, `limits`, Antora's `module:guide.adoc`. */
function targetOf(macro: string, written: string): Pick<PlacedLink, 'kind' | 'target' | 'anchor'> | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) return undefined;
  const target = written.slice(macro === 'xref' ? written.lastIndexOf(':') + 1 : 0).trim();
  const [file = '', anchor = ''] = target.split('#', 2);
  if (file === '' || (macro === 'xref' && anchor === '' && !/\.\w{1,8}$/.test(file))) {
    const name = anchor || file;
    return name === '' ? undefined : { kind: 'wikilink', target: name };
  }
  return { kind: 'markdown', target, ...(anchor !== '' && { anchor }) };
}
