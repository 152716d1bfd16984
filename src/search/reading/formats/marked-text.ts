import { stemOf } from '#base';
import { mentionsOf } from '../links/mentions.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { withoutTrailing } from '../../text/trim.ts';
import { textUnits } from '../units/prose-units.ts';
import { languageTable, type TextFormat } from './file-format.ts';
import { documentHeading, type Heading, sectionsOf } from './sections.ts';

/**
 * Text whose markup is read for its headings alone: reStructuredText, AsciiDoc, Org, LaTeX, manual pages. Everything
 * else of it is text as it stands.
 */
export const markedText: TextFormat = {
  name: 'marked-text',
  extensions: languageTable(`
    rst=restructuredtext rest=restructuredtext adoc=asciidoc asciidoc=asciidoc org=org tex=latex man=roff mdoc=roff
    1=roff 2=roff 3=roff 4=roff 5=roff 6=roff 7=roff 8=roff 1m=roff 3pm=roff 3p=roff 3ssl=roff
  `),
  holds: (text, language) => language !== 'roff' || /^\.(?:TH|Dd|Dt)\s/m.test(text.slice(0, 20_000)),
  linkedWithout: ['rst', 'adoc', 'org'],
  read: (source, path, { language }) => {
    const headings = headingsOf(source, language);
    const links = textLinks(source);
    const references = mentionsOf({
      source,
      firstLine: 1,
      headings: new Map(headings.map(({ startLine, text }) => [startLine, text])),
      isCode: () => false,
      links,
    });
    for (const { text, endLine } of headings) links.push({ kind: 'define', target: text, line: endLine });
    return {
      ...sectionsOf(source, { headings, documentTitle: documentHeading(headings) ?? stemOf(path) }),
      links,
      references,
      units: textUnits(withoutHeadings(source, headings), 'prose'),
    };
  },
};

/** The text with blanks in place of its headings. */
function withoutHeadings(source: SourceText, headings: readonly Heading[]): string {
  const lines = [...source.lines];
  for (const { startLine, endLine } of headings)
    for (let line = startLine; line <= endLine; line++) lines[line - 1] = ' '.repeat(source.line(line).length);
  return lines.join('\n');
}

const LATEX_DEPTHS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph'];
const LONGEST_HEADING = 300;

/** How a line of each language says that it is a heading: depth and words, or undefined. */
const HEADING_LINES: Readonly<Record<string, (line: string) => { depth: number; text: string } | undefined>> = {
  asciidoc: (line) => bySigns(/^(={1,6}|#{1,6})[ \t]+(\S.*)$/.exec(line)),
  org: (line) => bySigns(/^(\*{1,9})[ \t]+(\S.*)$/.exec(line)),
  latex: (line) => {
    const [, name = '', text = ''] = /^\s*\\([a-z]{4,13})\*?(?:\[[^\]]*\])?\{([^}]+)\}/.exec(line) ?? [];
    const depth = LATEX_DEPTHS.indexOf(name) + 1;
    return depth > 0 ? { depth, text } : undefined;
  },
  roff: (line) => {
    const [, name = '', text = ''] = /^\.(SH|SS|Sh|Ss)[ \t]+(\S.*)$/.exec(line) ?? [];
    return name === '' ? undefined : { depth: name[1]?.toLowerCase() === 'h' ? 1 : 2, text: text.replaceAll('"', '') };
  },
};

const bySigns = (found: RegExpExecArray | null): { depth: number; text: string } | undefined =>
  found?.[1] && found[2] ? { depth: found[1].length, text: withoutClosing(found[2]) } : undefined;

/** `Title` of `Title ==`: signs that close a heading stand behind a blank. */
function withoutClosing(text: string): string {
  const title = withoutTrailing(text, /[=#*]/);
  return title !== text && /[ \t]$/.test(title) ? withoutTrailing(title, /[ \t]/) : text;
}

/** A line of one sign, at least three times. */
const UNDERLINE = /^([=\-~^"'`*+#.:_])\1{2,}\s*$/;
/** Signs of blocks in AsciiDoc, which may stand below a line of text: only these underline a title. */
const UNDERLINED_LANGUAGES = new Set(['restructuredtext', 'asciidoc']);

/** Headings by a sign before them or a line of signs below; of the latter, styles are depths as they first appear. */
function headingsOf(source: SourceText, language: string): Heading[] {
  const headings: Heading[] = [];
  const styles: string[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const said = source.line(line);
    if (said.length > LONGEST_HEADING || source.isBlank(line)) continue;
    const marked = HEADING_LINES[language]?.(said);
    if (marked) {
      headings.push({ startLine: line, endLine: line, depth: marked.depth, text: marked.text.trim() });
      continue;
    }
    if (!UNDERLINED_LANGUAGES.has(language) || UNDERLINE.test(said)) continue;
    const sign = UNDERLINE.exec(source.line(line + 1))?.[1];
    const length = source.line(line + 1).trimEnd().length;
    const above = line > 1 ? source.line(line - 1) : '';
    const isOverlined = sign !== undefined && UNDERLINE.exec(above)?.[1] === sign;
    if (sign === undefined || Math.abs(length - said.trim().length) > 2) continue;
    if (!isOverlined && (/^\s/.test(said) || !source.isBlank(line - 1))) continue;
    const style = `${isOverlined ? 'over' : ''}${sign}`;
    if (!styles.includes(style)) styles.push(style);
    headings.push({
      startLine: isOverlined ? line - 1 : line,
      endLine: line + 1,
      depth: styles.indexOf(style) + 1,
      text: said.trim().replace(/[`*]+/g, ''),
    });
    line += 1;
  }
  return headings;
}
