import type { ParsedFile } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';
import { textLinks } from '../links/text-links.ts';
import { macroOf, roffInPlace } from '../text/plain-roff.ts';
import { SourceText } from '../text/source-text.ts';
import { isVerbatim, manPageUnits, PARAGRAPHS, verbatimEnd } from '../units/man-page-units.ts';
import type { TextFormat } from './file-format.ts';
import { sectionsOf, type Heading } from './heading-tree.ts';
import { stemOf } from '#base';

/** What a page names itself by stands above this line, behind licence and definitions. */
const LAST_OF_HEAD = 400;

const DEPTHS = new Map([
  ['SH', 1],
  ['Sh', 1],
  ['SS', 2],
  ['Ss', 2],
]);

/** `ls.1`, `printf.3p`, `perlfunc.3pm`: sections, with a letter or the name of a collection behind them. */
const SECTIONS = [...'123456789'].flatMap((section) =>
  ['', ...'abcdefghijklmnopqrstuvwxyz', 'pm', 'perl', 'ssl', 'posix', 'bsd', 'tcl'].map((letters) => section + letters),
);

export const manPage: TextFormat = {
  name: 'man-page',
  extensions: Object.fromEntries([...SECTIONS, 'man', 'mdoc'].map((extension) => [extension, 'roff'])),
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
  const headings = headingsOf(source, page);
  const blocks = sectionsOf({
    headings,
    firstLine: 1,
    lastLine: source.lineCount,
    documentTitle,
    groups: (range) => paragraphGroups(source, range),
  });
  // All pages have the same sections: they name a part of their page, and nothing that another file could mean.
  const defined = headings
    .filter(({ depth }) => depth > 1)
    .map(({ text, endLine }) => ({ kind: 'define' as const, target: text, line: endLine }));
  return {
    blocks,
    links: [...textLinks(page), ...defined],
    rest: { kind: 'section', family: 'prose', title: documentTitle },
    units: manPageUnits(source, page),
  };
}

/** Headings; the words of one stand behind its request, or on the next line. */
function headingsOf(source: SourceText, page: SourceText): Heading[] {
  const headings: Heading[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const macro = macroOf(source.line(line));
    if (macro && isVerbatim(macro)) line = verbatimEnd(source, line);
    const depth = DEPTHS.get(macro?.name ?? '');
    if (depth === undefined) continue;
    const endLine = page.isBlank(line) && !page.isBlank(line + 1) ? line + 1 : line;
    const text = page.line(endLine).replace(/\s+/g, ' ').trim();
    if (text !== '') headings.push({ startLine: line, endLine, depth, text });
    line = endLine;
  }
  return headings;
}

/** Paragraphs and entries; an example stays with what announces it. */
function paragraphGroups(source: SourceText, range: LineRange): LineRange[] {
  const groups: LineRange[] = [];
  let afterBlank = true;
  for (let line = range.startLine; line <= range.endLine; line++) {
    const last = groups.at(-1);
    if (source.isBlank(line)) {
      afterBlank = true;
      continue;
    }
    const macro = macroOf(source.line(line));
    const begins = macro ? PARAGRAPHS.has(macro.name) && !(macro.name === 'IP' && macro.args.length === 0) : afterBlank;
    if (last && !begins) last.endLine = line;
    else groups.push({ startLine: line, endLine: line });
    afterBlank = false;
    if (macro && isVerbatim(macro)) {
      const group = groups.at(-1);
      line = Math.min(range.endLine, verbatimEnd(source, line));
      if (group) group.endLine = line;
    }
  }
  return groups;
}
