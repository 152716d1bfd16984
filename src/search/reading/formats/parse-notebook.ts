import { stemOf } from '#base';
import { z } from 'zod';
import { titleUnder } from '../../domain/passage-title.ts';
import type { Block, ParsedFile, PlacedLink } from '../chunk/block.ts';
import { titleUnderHeading } from './heading-tree.ts';
import type { CodeParser } from '../code/code-parser.ts';
import { markdownLinks } from '../links/markdown-links.ts';
import { SourceText } from '../text/source-text.ts';
import { jsonTokens, stringValue, type JsonToken } from './parse-json.ts';
import { scanMarkdown } from './markdown-lines.ts';
import type { TextFormat } from './file-format.ts';

const metadata = z.looseObject({
  metadata: z
    .looseObject({
      kernelspec: z.looseObject({ language: z.string().optional() }).optional(),
      language_info: z.looseObject({ name: z.string().optional() }).optional(),
    })
    .optional()
    .catch(undefined),
});

/** A cell: its lines in the notebook's JSON, and its source with the JSON line of each source line. */
interface Cell {
  startLine: number;
  endLine: number;
  type: string;
  source: { text: string; line: number }[];
}

export const notebook: TextFormat = {
  name: 'notebook',
  extensions: { ipynb: 'jupyter' },
  linkedWithout: ['ipynb'],
  read: (source, path, { code }) => parseNotebook(source, path, code),
};

/** Jupyter notebooks cell by cell, at the lines of the JSON file; links are read from the cells' own source. */
async function parseNotebook(source: SourceText, path: string, code: CodeParser): Promise<ParsedFile> {
  const cells = cellsOf(source);
  const language = languageOfNotebook(source.text);
  const links: PlacedLink[] = [];
  const blocks: Block[] = [];
  const open: { depth: number; text: string }[] = [];
  const firstTitle = cells
    .flatMap((cell) => (cell.type === 'markdown' ? headingsOf(cell) : []))
    .find((heading) => heading.depth === 1)?.text;
  const documentTitle = firstTitle ?? stemOf(path);
  cells.forEach((cell, i) => {
    for (const heading of cell.type === 'markdown' ? headingsOf(cell) : []) {
      while ((open.at(-1)?.depth ?? 0) >= heading.depth) open.pop();
      open.push(heading);
      links.push({ kind: 'define', target: heading.text, line: heading.line });
    }
    const headingPath = open.reduce((above, heading) => titleUnderHeading(above, heading.text), documentTitle);
    blocks.push({
      startLine: cell.startLine,
      endLine: cell.endLine,
      kind: 'cell',
      title: open.length > 0 ? headingPath : titleUnder(documentTitle, `Cell ${i + 1}`),
      children: [],
      solitary: true,
      family: 'code',
    });
    if (cell.type === 'markdown') for (const link of linesMapped(markdownLinksOf(cell), cell.source)) links.push(link);
  });
  for (const link of await codeLinks(cells, path, language, code)) links.push(link);
  return { blocks, links, rest: { kind: 'data', family: 'code', title: documentTitle } };
}

function languageOfNotebook(text: string): string {
  const parsed = metadata.safeParse(JSON.parse(text));
  const name = (
    parsed.data?.metadata?.language_info?.name ??
    parsed.data?.metadata?.kernelspec?.language ??
    'python'
  ).toLowerCase();
  return name === 'bash' ? 'shellscript' : name === 'c#' ? 'csharp' : name;
}

/** Reads `cells` from the tokens, because a parsed value has no lines. */
function cellsOf(source: SourceText): Cell[] {
  const { text } = source;
  const cells: Cell[] = [];
  const keys: string[] = [];
  let depth = 0;
  let pending: JsonToken | undefined;
  let cell: Cell | undefined;
  for (const token of jsonTokens(text)) {
    if (token.type === ':' && pending) keys[depth] = stringValue(text, pending);
    else if (token.type === '{' || token.type === '[') {
      if (depth === 2 && keys[1] === 'cells' && token.type === '{')
        cell = { startLine: source.lineAt(token.start), endLine: 0, type: '', source: [] };
      depth += 1;
      keys[depth] = '';
    } else if (token.type === '}' || token.type === ']') {
      depth -= 1;
      if (depth === 2 && cell && token.type === '}') {
        cells.push({ ...cell, endLine: source.lineAt(token.start) });
        cell = undefined;
      }
    } else if (token.type === 'string' && cell && depth >= 3) {
      const isValue = depth === 3 ? pending?.type === ':' : depth === 4;
      if (isValue && keys[3] === 'cell_type') cell.type = stringValue(text, token);
      if (isValue && keys[3] === 'source') addSource(cell, stringValue(text, token), source.lineAt(token.start));
    }
    pending = token;
  }
  return cells;
}

function addSource(cell: Cell, value: string, line: number): void {
  for (const text of value.replace(/\n$/, '').split('\n')) cell.source.push({ text, line });
}

function headingsOf(cell: Cell): { depth: number; text: string; line: number }[] {
  const text = new SourceText(cell.source.map(({ text }) => text).join('\n'));
  return scanMarkdown(text, 1)
    .headings.filter((heading) => heading.text !== '')
    .map((heading) => ({
      depth: heading.depth,
      text: heading.text,
      line: cell.source[heading.endLine - 1]?.line ?? cell.startLine,
    }));
}

function markdownLinksOf(cell: Cell): PlacedLink[] {
  const text = new SourceText(cell.source.map(({ text }) => text).join('\n'));
  return markdownLinks(text, scanMarkdown(text, 1).literal, 1);
}

/** All code cells are one program: what one imports, the next one uses. */
async function codeLinks(
  cells: readonly Cell[],
  path: string,
  language: string,
  code: CodeParser,
): Promise<PlacedLink[]> {
  const lines = cells.filter((cell) => cell.type === 'code').flatMap((cell) => cell.source);
  if (lines.length === 0 || !(await code.supports(language))) return [];
  const program = new SourceText(lines.map(({ text }) => (/^\s*[%!?]/.test(text) ? '' : text)).join('\n'));
  return linesMapped((await code.parse(program, path, language)).links, lines);
}

function linesMapped(links: readonly PlacedLink[], lines: Cell['source']): PlacedLink[] {
  return links.flatMap((link) => {
    const line = lines[link.line - 1]?.line;
    const { column: _column, ...rest } = link;
    return line === undefined ? [] : [{ ...rest, line }];
  });
}
