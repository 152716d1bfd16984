import { stemOf } from '#base';
import { z } from 'zod';
import { titleUnder } from '../../domain/passage-title.ts';
import type { Unit } from '../../domain/unit.ts';
import type { Block, ParsedFile, PlacedLink } from '../chunk/block.ts';
import { titleUnderHeading } from './sections.ts';
import type { CodeParser } from '../code/code-parser.ts';
import { markdownLinks } from '../links/markdown-links.ts';
import { SourceText } from '../text/source-text.ts';
import { markdownUnits } from '../units/markdown-units.ts';
import { textUnits } from '../units/prose-units.ts';
import { jsonTokens, stringValue, type JsonToken } from './parse-json.ts';
import { scanMarkdown } from './markdown-lines.ts';
import { blanked, WrittenText, writtenLines, type WrittenLine } from './written-text.ts';
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

/** A cell: its lines in the notebook's JSON, and its source and what it wrote with the places of both there. */
interface Cell {
  startLine: number;
  endLine: number;
  type: string;
  source: WrittenLine[];
  outputs: WrittenLine[];
}

/** What a notebook's own program is told, and no other. */
const MAGIC = /^\s*[%!?]/;

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
  const program = await readProgram(cells, path, language, code);
  for (const link of program.links) links.push(link);
  const units = [...cells.flatMap(unitsOfCell), ...program.units].sort((a, b) => a.start - b.start);
  return { blocks, links, rest: { kind: 'data', family: 'code', title: documentTitle }, units };
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
        cell = { startLine: source.lineAt(token.start), endLine: 0, type: '', source: [], outputs: [] };
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
      if (isValue && keys[3] === 'source') for (const line of writtenLines(source, token)) cell.source.push(line);
      if (keys[3] === 'outputs' && isOutput(keys, depth, pending?.type === ':'))
        for (const line of writtenLines(source, token)) cell.outputs.push(line);
    }
    pending = token;
  }
  return cells;
}

/** `outputs[].text` and `outputs[].data['text/plain']`, each a string or a list of them. */
function isOutput(keys: readonly string[], depth: number, isValue: boolean): boolean {
  const at = keys[5] === 'text' ? 5 : keys[5] === 'data' && keys[6] === 'text/plain' ? 6 : undefined;
  return at !== undefined && (depth === at ? isValue : depth === at + 1);
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

/** What a cell says and wrote; programs are read as one. */
function unitsOfCell({ type, source, outputs }: Cell): Unit[] {
  const said = new WrittenText([source]);
  return [
    ...(type === 'code' ? [] : said.placed(markdownUnits(said.source, 1))),
    ...linesAsStatements([...source.filter(({ text }) => type === 'code' && MAGIC.test(text)), ...outputs]),
  ];
}

function linesAsStatements(lines: readonly WrittenLine[]): Unit[] {
  const written = new WrittenText([lines]);
  return written.placed(textUnits(written.source.text, 'code'));
}

/** All code cells are one program: what one imports, the next one uses. */
async function readProgram(
  cells: readonly Cell[],
  path: string,
  language: string,
  code: CodeParser,
): Promise<{ links: PlacedLink[]; units: Unit[] }> {
  const programs = cells
    .filter(({ type }) => type === 'code')
    .map(({ source }) => source.map((line) => (MAGIC.test(line.text) ? blanked(line) : line)));
  const lines = programs.flat();
  if (lines.length === 0 || !(await code.supports(language)))
    return { links: [], units: programs.flatMap(linesAsStatements) };
  const written = new WrittenText(programs);
  const parsed = await code.parse(written.source, path, language);
  return { links: linesMapped(parsed.links, lines), units: written.placed(parsed.units ?? []) };
}

function linesMapped(links: readonly PlacedLink[], lines: Cell['source']): PlacedLink[] {
  return links.flatMap((link) => {
    const line = lines[link.line - 1]?.line;
    const { column: _column, ...rest } = link;
    return line === undefined ? [] : [{ ...rest, line }];
  });
}
