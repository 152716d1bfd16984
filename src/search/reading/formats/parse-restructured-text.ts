import { stemOf } from '#base';
import type { ParsedFile, PlacedLink } from '../chunk/block.ts';
import { mentionsOf } from '../links/mentions.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { documentHeading, sectionsOf, type Heading } from './sections.ts';
import { ADORNMENT, restructuredTextUnits } from '../units/restructured-text-units.ts';
import { extensions } from './extensions.ts';
import type { TextFormat } from './file-format.ts';

const LABEL = /^\s*\.\. _([^:`]+|`[^`]+`):\s*(\S*)/;
const EMBEDDED = /`[^`<]*<([^`>]+)>`__?/g;
/** Longer lines are data, not markup. */
const LONGEST_LINE = 20_000;
const LONGEST_TITLE = 1_000;
const LONGEST_ROLE = 60;
const FILE_DIRECTIVES = new Set(['include', 'literalinclude', 'image', 'figure', 'csv-table', 'download']);

export const restructuredText: TextFormat = {
  name: 'restructured-text',
  extensions: extensions.restructuredText,
  linkedWithout: ['rst'],
  read: parseRestructuredText,
};

/** reStructuredText: sections by their adornments, links by roles, directives and labels. */
function parseRestructuredText(source: SourceText, path: string): ParsedFile {
  const headings = scanHeadings(source);
  const documentTitle = documentHeading(headings) ?? stemOf(path);
  const links = [...linksOf(source), ...textLinks(source)];
  for (const heading of headings) links.push({ kind: 'define', target: heading.text, line: heading.endLine });
  const references = mentionsOf({
    source,
    firstLine: 1,
    headings: new Map(headings.map(({ endLine, text }) => [endLine - 1, text])),
    isCode: () => false,
    links,
  });
  // What is indented below a paragraph (a directive's body, a literal block) stays with it.
  const goesOn = (line: number): boolean => /^\s/.test(source.line(line));
  return {
    ...sectionsOf(source, { headings, documentTitle, goesOn }),
    links,
    references,
    units: restructuredTextUnits(source),
  };
}

/**
 * Depth is the order in which styles of adornment first appear (docutils, reStructuredText specification, Sections).
 */
function scanHeadings(source: SourceText): Heading[] {
  const headings: Heading[] = [];
  const styles: string[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const over =
      ADORNMENT.test(source.line(line)) && !source.isBlank(line + 1) && ADORNMENT.test(source.line(line + 2));
    const titleLine = over ? line + 1 : line;
    const title = source.line(titleLine);
    const under = source.line(titleLine + 1);
    if (
      title.trim() === '' ||
      ADORNMENT.test(title) ||
      !ADORNMENT.test(under) ||
      under.trimEnd().length < Math.min(title.trim().length, 4)
    )
      continue;
    if (
      !over &&
      (/^\s/.test(title) || (line > 1 && !source.isBlank(line - 1) && !source.line(line - 1).startsWith('.. _')))
    )
      continue;
    if (over && source.line(line).trim()[0] !== under.trim()[0]) continue;
    const style = `${over ? 'over' : ''}${under[0] ?? ''}`;
    if (!styles.includes(style)) styles.push(style);
    headings.push({
      startLine: withLabels(source, line),
      endLine: titleLine + 1,
      depth: styles.indexOf(style) + 1,
      text: plainTitle(title),
    });
    line = titleLine + 1;
  }
  return headings;
}

/** A section begins at the labels right above its title: they are what others refer to. */
function withLabels(source: SourceText, line: number): number {
  let start = line;
  for (let above = line - 1; above >= 1; above--) {
    if (LABEL.test(source.line(above))) start = above;
    else if (!source.isBlank(above)) break;
  }
  return start;
}

const plainTitle = (text: string): string =>
  withoutRoles(text.trim().slice(0, LONGEST_TITLE)).replace(/[`*]+/g, '').replace(/\\(.)/g, '$1');

function linksOf(source: SourceText): PlacedLink[] {
  const links: PlacedLink[] = [];
  let tocIndent = -1;
  for (let line = 1; line <= source.lineCount; line++) {
    const text = source.line(line);
    const label = LABEL.exec(text);
    if (label?.[1] && !label[2]) links.push({ kind: 'define', target: label[1].replace(/`/g, ''), line });
    const directive = directiveIn(text);
    if (directive) {
      tocIndent = directive.name === 'toctree' ? text.search(/\S/) : -1;
      links.push(...directiveLinks(directive.name, directive.argument, line));
    } else if (tocIndent >= 0 && text.trim() !== '') {
      if (text.search(/\S/) <= tocIndent) tocIndent = -1;
      else if (!text.trim().startsWith(':'))
        links.push({ kind: 'markdown', target: bracketed(text) ?? text.trim(), line });
    }
    if (!text.includes('`') || text.length > LONGEST_LINE) continue;
    for (const { role, body, start } of rolesIn(text)) links.push(...roleLink(role, body, line, start));
    for (const match of text.matchAll(EMBEDDED)) {
      const target = match[1] ?? '';
      if (!/^[a-z]+:/i.test(target) && !text.slice(0, match.index).endsWith(':'))
        links.push({ kind: 'markdown', target, line, column: match.index });
    }
  }
  return links;
}

/** `.. name:: argument` */
function directiveIn(text: string): { name: string; argument: string } | undefined {
  const trimmed = text.trimStart();
  const end = trimmed.startsWith('.. ') ? trimmed.indexOf('::', 3) : -1;
  const name = trimmed.slice(3, end);
  return end >= 0 && /^[\w:-]+$/.test(name) ? { name, argument: trimmed.slice(end + 2).trim() } : undefined;
}

interface Role {
  role: string;
  body: string;
  start: number;
  end: number;
}

/** Each `` :role:`body` ``, found from the colon and backtick in its middle. */
function* rolesIn(text: string): Generator<Role> {
  let end = 0;
  for (let middle = text.indexOf(':`'); middle >= 0; middle = text.indexOf(':`', Math.max(middle + 2, end))) {
    let start = middle;
    while (start > end && middle - start <= LONGEST_ROLE && /[\w+.:-]/.test(text[start - 1] ?? '')) start -= 1;
    const colon = text.slice(start, middle).indexOf(':');
    const closing = text.indexOf('`', middle + 2);
    if (closing < 0) return;
    if (colon < 0 || start + colon + 1 >= middle || closing === middle + 2) continue;
    end = closing + 1;
    yield {
      role: text.slice(start + colon + 1, middle),
      body: text.slice(middle + 2, closing),
      start: start + colon,
      end,
    };
  }
}

function withoutRoles(text: string): string {
  let plain = '';
  let kept = 0;
  for (const { body, start, end } of rolesIn(text)) {
    plain += text.slice(kept, start) + body;
    kept = end;
  }
  return plain + text.slice(kept);
}

function directiveLinks(name: string, argument: string, line: number): PlacedLink[] {
  if (argument === '') return [];
  if (FILE_DIRECTIVES.has(name) && !/^[a-z]+:\/\//i.test(argument))
    return [{ kind: 'markdown', target: argument, line }];
  if (name === 'automodule' || name === 'module' || name === 'currentmodule')
    return [{ kind: 'import', target: argument, line }];
  if (/^auto[a-z]+$/.test(name)) return [{ kind: 'call', target: argument.split('(')[0] ?? argument, line }];
  return [];
}

/** `words <target>`: the target at the end; undefined when there is none. */
function bracketed(text: string): string | undefined {
  const trimmed = text.trimEnd();
  const start = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1;
  const inner = trimmed.slice(start + 1, -1);
  return start < 0 || inner === '' || inner.includes('>') ? undefined : inner;
}

function roleLink(role: string, body: string, line: number, column: number): PlacedLink[] {
  const target = (bracketed(body) ?? body).replace(/^[~!]/, '').replace(/\(\)$/, '').trim();
  if (target === '') return [];
  const name = role.split(':').at(-1) ?? role;
  if (name === 'doc' || name === 'download') return [{ kind: 'markdown', target, line, column }];
  if (name === 'ref' || name === 'numref') return [{ kind: 'wikilink', target, line, column }];
  if (['class', 'func', 'meth', 'attr', 'exc', 'data', 'obj', 'const', 'type', 'decorator'].includes(name))
    return [{ kind: 'call', target, line, column }];
  if (name === 'mod') return [{ kind: 'import', target, line, column }];
  return [];
}
