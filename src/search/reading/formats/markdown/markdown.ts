import { stemOf } from '#base';
import { plainly } from '../../../domain/file-cause.ts';
import type { ParsedFile, PlacedLink } from '../../chunk/block.ts';
import { markdownLinks } from './markdown-links.ts';
import { mentionsOf } from '../../links/mentions.ts';
import type { SourceText } from '../../text/source-text.ts';
import { markdownUnits } from './markdown-units.ts';
import { expressionsInBraces } from '../components.ts';
import { readScripts, type ScriptRegion } from '../scripts-in-pages.ts';
import { readFrontMatter } from './front-matter.ts';
import { documentHeading, type Heading, proseBlock, sectionsOf } from '../sections.ts';
import { readBlocks } from './markdown-blocks.ts';
import { alike, type TextFormat } from '../file-format.ts';

/**
 * Marks a Markdown file that Hoptrail wrote itself: a thread that was exported. Stands at its beginning, or in its
 * front matter.
 */
const EXPORTED_THREAD = ['<!-- hoptrail:thread -->', 'hoptrail: thread'];
const MARKED_LINES = 20;

export const markdown: TextFormat = {
  name: 'markdown',
  extensions: { ...alike('md markdown mdown mkd qmd rmd', 'markdown'), mdx: 'mdx' },
  linkedWithout: ['md', 'mdx', 'markdown'],
  read: (source, path, { language, code }) => {
    const parsed = parseMarkdown(source, path);
    return language === 'mdx' ? readScripts(parsed, scriptsOf(source), source, path, code) : parsed;
  },
  leaveOut: (source) => (isExportedThread(source) ? plainly('exported-thread') : undefined),
};

/**
 * Markdown: front matter, then sections under their heading path, topped by the document's title or the file's stem.
 */
function parseMarkdown(source: SourceText, path: string): ParsedFile {
  const frontMatter = readFrontMatter(source);
  const firstLine = (frontMatter?.endLine ?? 0) + 1;
  const written = readBlocks(source, firstLine);
  const { literal, tokens } = written;
  const tables = new Set(tokens.flatMap(({ type, map }) => (type === 'table_open' && map ? firstLine + map[0] : [])));
  const headings = written.headings.map(withoutExpression);
  const documentTitle = frontMatter?.title ?? (documentHeading(headings) || stemOf(path));
  const { blocks, rest } = sectionsOf(source, {
    headings,
    firstLine,
    documentTitle,
    // Fenced code is never cut by its blank lines.
    isBlank: (line) => source.isBlank(line) && literal[line] !== 1,
    isTable: ({ startLine }) => tables.has(startLine),
  });
  if (frontMatter)
    blocks.unshift(proseBlock({ startLine: 1, endLine: frontMatter.endLine }, 'front-matter', documentTitle));
  const links: PlacedLink[] = [...(frontMatter?.links ?? []), ...markdownLinks(source, written, firstLine)];
  if (frontMatter?.title) links.push({ kind: 'define', target: frontMatter.title, line: 1 });
  for (const heading of headings)
    if (heading.text) links.push({ kind: 'define', target: heading.text, line: heading.endLine });
  const references = mentionsOf({
    source,
    firstLine,
    headings: new Map(headings.map(({ startLine, text }) => [startLine, text])),
    isCode: (line) => literal[line] === 1,
    links,
  });
  return { blocks, links, references, rest, units: markdownUnits(source, firstLine, tokens) };
}

/** What a page of MDX takes in and gives out, and the expressions in its text. */
function scriptsOf(source: SourceText): ScriptRegion[] {
  const scripts: ScriptRegion[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    if (!/^(?:import|export)\s/.test(source.line(line))) continue;
    const last = source.lastWhile(line, (next) => !source.isBlank(next));
    scripts.push({ ...source.spanOf(line, last), language: 'javascriptreact' });
    line = last;
  }
  const isOutside = ({ start }: ScriptRegion): boolean => !scripts.some((one) => start >= one.start && start < one.end);
  return [...scripts, ...expressionsInBraces(source.text).filter(isOutside)];
}

/** A heading that a program fills in (`# <%= page.title %>`) names nothing. */
const withoutExpression = (heading: Heading): Heading =>
  /^(?:<%[^%]*%>|\{\{[^{}]*\}\})$/u.test(heading.text.trim()) ? { ...heading, text: '' } : heading;

/** True for what Hoptrail wrote itself: its answers must not become evidence for later ones. */
function isExportedThread(source: SourceText): boolean {
  const [first = '', ...others] = source.lines.slice(0, MARKED_LINES).map((line) => line.trim());
  // The marker comes first, or in front matter, which begins with a line of dashes and ends with the next.
  const end = others.indexOf('---');
  const head = first === '' || first === '---' ? others.slice(0, end < 0 ? MARKED_LINES : end) : [first];
  return EXPORTED_THREAD.some((mark) => head.includes(mark));
}
