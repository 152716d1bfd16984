import type { ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { macroOf, requestIn, roffInPlace } from '../text/plain-roff.ts';
import { SourceText } from '../text/source-text.ts';
import { isVerbatim, manPageUnits, PARAGRAPHS, verbatimEnd } from '../units/man-page-units.ts';
import { extensions } from './extensions.ts';
import type { TextFormat } from './file-format.ts';
import { sectionsOf, type Heading } from './sections.ts';
import { stemOf } from '#base';

/** What a page names itself by stands above this line, behind licence and definitions. */
const LAST_OF_HEAD = 400;

const DEPTHS = new Map([
  ['SH', 1],
  ['Sh', 1],
  ['SS', 2],
  ['Ss', 2],
]);

export const manPage: TextFormat = {
  name: 'man-page',
  extensions: extensions.manPage,
  holds: (text) => titleOf(text) !== undefined,
  read: parseManPage,
};

/**
 * `DUF(1)`, by the request that a page begins with, `.TH` of man or `.Dt` of mdoc; undefined where a line of text
 * stands before any. Definitions may stand above it.
 */
function titleOf(text: string): string | undefined {
  let defining = false;
  let continued = false;
  let from = 0;
  for (let line = 0; line < LAST_OF_HEAD && from < text.length; line++) {
    const end = text.indexOf('\n', from);
    const said = text.slice(from, end < 0 ? text.length : end).trimEnd();
    from = end < 0 ? text.length : end + 1;
    const macro = macroOf(said);
    if (defining) defining = said !== '..';
    else if (!macro && said !== '' && !continued) return undefined;
    else if (macro?.name === 'TH' || macro?.name === 'Dt') {
      const [name = '', section = ''] = macro.args;
      return name === '' ? undefined : `${name}${section && `(${section})`}`;
    } else defining = /^(?:de1?|am|ig)$/.test(macro?.name ?? '');
    continued = said.endsWith('\\');
  }
  return undefined;
}

/** A page of the manual, in roff with the requests of man or of mdoc: sections by their headings. */
function parseManPage(source: SourceText, path: string): ParsedFile {
  const page = new SourceText(roffInPlace(source.text, path));
  const documentTitle = titleOf(source.text) ?? stemOf(path);
  const shown = linesAsWritten(source);
  const headings = headingsOf(source, page, shown);
  // All pages have the same sections: they name a part of their page, and nothing that another file could mean.
  const defined = headings
    .filter(({ depth }) => depth > 1)
    .map(({ text, endLine }) => ({ kind: 'define' as const, target: text, line: endLine }));
  return {
    ...sectionsOf(source, {
      headings,
      documentTitle,
      // An example stays with what announces it.
      isBlank: (line) => source.isBlank(line) && !shown.has(line),
      begins: (line) => !shown.has(line) && beginsParagraph(source.line(line)),
      goesOn: (line) => requestIn(source.line(line)) !== undefined,
    }),
    links: [...textLinks(page), ...defined],
    units: manPageUnits(source, page),
  };
}

/** Lines that stand as they are written, with the request that ends them. */
function linesAsWritten(source: SourceText): Set<number> {
  const shown = new Set<number>();
  for (let line = 1; line <= source.lineCount; line++) {
    const macro = macroOf(source.line(line));
    if (!macro || !isVerbatim(macro)) continue;
    const end = verbatimEnd(source, line);
    while (line < end) shown.add((line += 1));
  }
  return shown;
}

/** Headings; the words of one stand behind its request, or on the next line. */
function headingsOf(source: SourceText, page: SourceText, shown: ReadonlySet<number>): Heading[] {
  const headings: Heading[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const depth = shown.has(line) ? undefined : DEPTHS.get(requestIn(source.line(line)) ?? '');
    if (depth === undefined) continue;
    const endLine = page.isBlank(line) && !page.isBlank(line + 1) ? line + 1 : line;
    const text = page.line(endLine).replace(/\s+/g, ' ').trim();
    if (text !== '') headings.push({ startLine: line, endLine, depth, text });
    line = endLine;
  }
  return headings;
}

/** Whether a line is a request that begins a paragraph or an entry. */
function beginsParagraph(line: string): boolean {
  const macro = macroOf(line);
  return macro !== undefined && PARAGRAPHS.has(macro.name) && !(macro.name === 'IP' && macro.args.length === 0);
}
