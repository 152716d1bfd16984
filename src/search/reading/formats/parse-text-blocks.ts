import { wordSet } from '#base';
import { asOnePart, titleUnder } from '../../domain/passage-title.ts';
import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { type IndentedLine, indentedLines } from '../text/indented-lines.ts';
import { lineSyntaxOf } from '../text/line-syntax.ts';
import type { SourceText } from '../text/source-text.ts';
import { declares, declaresFunction, declaresSection, headOf, indentedUnits } from '../units/indented-units.ts';
import { extensions, languageTable } from './extensions.ts';
import type { TextFormat } from './file-format.ts';
import { sectionsOf } from './sections.ts';
import { assignedSettings } from './settings.ts';

/** Titles of more parts say no more. */
const DEEPEST_BLOCK = 3;
/** Languages whose lines are lists of patterns, records or changes: none is below another. */
const FLAT = new Set(['ignore', 'jsonl', 'diff']);
/** Languages of settings, of styles and of pages: no program is written in them. */
const NO_PROGRAM = wordSet('css scss sass less xml xsl ini properties bibtex gotmpl gherkin go.mod');
/** Those of files of settings. */
const SETTINGS = new Set(['ini', 'properties']);
/** Languages whose lines are sentences. */
const PROSE = new Set(['log', 'latex', 'org', 'plaintext']);

const isProgramLanguage = (language: string): boolean =>
  ![NO_PROGRAM, FLAT, PROSE].some((others) => others.has(language));

/**
 * Text that nothing else is known about, also every parser's fallback. What its indentation and its words tell of
 * functions, tables and sections gives titles; the rest is cut at blank lines and shallow indentation.
 */
export function parseTextBlocks(source: SourceText, language: string): ParsedFile {
  const kind = isProgramLanguage(language) ? 'code' : 'block';
  const lines = indentedLines(source, lineSyntaxOf(language));
  return {
    ...linesOf(source, 'code', kind),
    blocks: declaredBlocks(source, lines, kind),
    units: indentedUnits(source.text, lines),
  };
}

/** A text as lines of which none is below another. */
const linesOf = (source: SourceText, family: Block['family'], kind: 'code' | 'block' = 'block'): ParsedFile => ({
  blocks: [],
  links: textLinks(source),
  rest: { kind, family, title: '' },
});

/** What is declared over several lines, with the comments above it. */
function declaredBlocks(
  source: SourceText,
  lines: readonly IndentedLine[],
  rest: 'code' | 'block',
  above = '',
  depth = 0,
): Block[] {
  return lines.flatMap((line, i) => {
    const said = source.text.slice(line.start, line.headEnd);
    if (line.isWords || line.lastLine === line.firstLine) return [];
    if (rest === 'code' ? !declares(said) : !declaresSection(said))
      return depth < DEEPEST_BLOCK ? declaredBlocks(source, line.parts, rest, above, depth + 1) : [];
    let startLine = line.firstLine;
    for (let before = lines[i - 1]; before?.isWords && before.lastLine >= startLine - 2; before = lines[--i - 1])
      startLine = before.firstLine;
    const title = titleUnder(above, asOnePart(headOf(source.text, line)));
    const children = depth < DEEPEST_BLOCK ? declaredBlocks(source, line.parts, rest, title, depth + 1) : [];
    const kind = rest === 'code' && declaresFunction(said) ? 'function' : rest;
    return [{ startLine, endLine: line.lastLine, kind, openKind: rest, title, children, family: 'code' }];
  });
}

/** What no parser here knows, and every text of which nothing is known: cut at blank lines and shallow indentation. */
export const textBlocks: TextFormat = {
  name: 'text',
  extensions: extensions.text,
  names: languageTable(`
    dockerfile=dockerfile containerfile=dockerfile makefile=makefile gnumakefile=makefile cmakelists.txt=cmake
    jenkinsfile=groovy justfile=just workspace=starlark .gitignore=ignore .dockerignore=ignore
    .hoptrailignore=ignore .npmignore=ignore .editorconfig=ini .gitconfig=properties .env=properties go.mod=go.mod
    go.work=go.mod
  `),
  beginnings: { 'dockerfile.': 'dockerfile' },
  linkedWithout: ['org'],
  generated: true,
  minified: ['css', 'xml'],
  read: (source, _path, { language }) => {
    if (PROSE.has(language)) return linesOf(source, 'prose');
    if (FLAT.has(language)) return linesOf(source, 'code');
    const parsed = parseTextBlocks(source, language);
    return SETTINGS.has(language) ? { ...parsed, references: assignedSettings(source) } : parsed;
  },
};

/** Plain prose: one block per paragraph, joined to groups by the chunker. */
export const plainText: TextFormat = {
  name: 'plain-text',
  extensions: extensions.plainText,
  names: languageTable(`
    license=plaintext copying=plaintext notice=plaintext readme=plaintext changelog=plaintext authors=plaintext
  `),
  linkedWithout: ['txt'],
  read: (source) => ({ ...sectionsOf(source, { headings: [], documentTitle: '' }), links: textLinks(source) }),
};

/** The endings of programs, without the dot, that are read without a grammar. */
export const programExtensions: readonly string[] = Object.entries(textBlocks.extensions ?? {}).flatMap(
  ([extension, language]) => (isProgramLanguage(language) ? [extension] : []),
);
