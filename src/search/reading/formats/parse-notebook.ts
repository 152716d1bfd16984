import { stemOf } from '#base';
import { z } from 'zod';
import { titleUnder } from '../../domain/passage-title.ts';
import type { References } from '../../domain/references.ts';
import type { TextSpan, Unit } from '../../domain/unit.ts';
import type { Block, ParsedFile, PlacedLink } from '../chunk/block.ts';
import { titleUnderHeading } from './sections.ts';
import { codeLanguages } from '../code/code-languages.ts';
import type { CodeParser } from '../code/code-parser.ts';
import { SourceText } from '../text/source-text.ts';
import { textUnits } from '../units/prose-units.ts';
import { jsonTokens, stringValue, type JsonToken } from './parse-json.ts';
import { readBlocks } from './markdown/markdown-blocks.ts';
import { markdownLinks } from './markdown/markdown-links.ts';
import { markdownUnits } from './markdown/markdown-units.ts';
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

/** Of a notebook that names none: Jupyter began with it. */
const USUAL_LANGUAGE = 'python';
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
  const texts = cells.map((cell) => (cell.type === 'code' ? { headings: [], links: [], units: [] } : readText(cell)));
  const program = await readProgram(cells, path, languageOfNotebook(source.text), code);
  const links = [...texts.flatMap((text) => text.links), ...program.links];
  const open: { depth: number; text: string }[] = [];
  const firstTitle = texts.flatMap(({ headings }) => headings).find(({ depth }) => depth === 1)?.text;
  const documentTitle = firstTitle ?? stemOf(path);
  const blocks = cells.map(({ startLine, endLine }, i): Block => {
    for (const heading of texts[i]?.headings ?? []) {
      while ((open.at(-1)?.depth ?? 0) >= heading.depth) open.pop();
      open.push(heading);
      links.push({ kind: 'define', target: heading.text, line: heading.line });
    }
    const headingPath = open.reduce((above, heading) => titleUnderHeading(above, heading.text), documentTitle);
    const title = open.length > 0 ? headingPath : titleUnder(documentTitle, `Cell ${i + 1}`);
    return { startLine, endLine, kind: 'cell', title, children: [], solitary: true, family: 'code' };
  });
  const lines = cells.flatMap(({ type, source: own, outputs }) =>
    linesAsStatements([...own.filter(({ text }) => type === 'code' && MAGIC.test(text)), ...outputs]),
  );
  const units = [...texts.flatMap((text) => text.units), ...lines, ...program.units];
  const rest = { kind: 'data', family: 'code', title: documentTitle } as const;
  return { blocks, links, rest, units: units.sort((x, y) => x.start - y.start), references: program.references };
}

function languageOfNotebook(text: string): string {
  const parsed = metadata.safeParse(JSON.parse(text));
  const name = (
    parsed.data?.metadata?.language_info?.name ??
    parsed.data?.metadata?.kernelspec?.language ??
    USUAL_LANGUAGE
  ).toLowerCase();
  return codeLanguages.find(({ kernels }) => kernels?.includes(name))?.id ?? name;
}

/** Reads `cells`, which lie in `worksheets` up to version 3, from the tokens, because a parsed value has no lines. */
function cellsOf(source: SourceText): Cell[] {
  const { text } = source;
  const cells: Cell[] = [];
  const keys: string[] = [];
  let depth = 0;
  let pending: JsonToken | undefined;
  let cell: Cell | undefined;
  for (const token of jsonTokens(text)) {
    const at = keys[1] === 'worksheets' ? 4 : 2;
    if (token.type === ':' && pending) keys[depth] = stringValue(text, pending);
    else if (token.type === '{' || token.type === '[') {
      if (depth === at && keys[at - 1] === 'cells' && token.type === '{')
        cell = { startLine: source.lineAt(token.start), endLine: 0, type: '', source: [], outputs: [] };
      depth += 1;
      keys[depth] = '';
    } else if (token.type === '}' || token.type === ']') {
      depth -= 1;
      if (depth === at && cell && token.type === '}') {
        cells.push({ ...cell, endLine: source.lineAt(token.start) });
        cell = undefined;
      }
    } else if (token.type === 'string' && cell && depth > at) {
      const [key = '', ...further] = keys.slice(at + 1);
      const isValue = depth === at + 1 ? pending?.type === ':' : depth === at + 2;
      if (isValue && key === 'cell_type') cell.type = stringValue(text, token);
      if (isValue && SOURCE.test(key)) for (const line of writtenLines(source, token)) cell.source.push(line);
      if (key === 'outputs' && isOutput(further, depth - at - 2, pending?.type === ':'))
        for (const line of writtenLines(source, token)) cell.outputs.push(line);
    }
    pending = token;
  }
  return cells;
}

/** Up to version 3 that of a program is called its input. */
const SOURCE = /^(?:source|input)$/;
/** What was written, and of an error its name and what it says; its traceback repeats both. */
const WRITTEN = /^(?:text|ename|evalue)$/;

/** `outputs[].text` and `outputs[].data['text/plain']`, each a string or a list of them, by the keys in an output. */
function isOutput([, key = '', inner]: readonly string[], depth: number, isValue: boolean): boolean {
  const at = WRITTEN.test(key) ? 1 : key === 'data' && inner === 'text/plain' ? 2 : undefined;
  return at !== undefined && (depth === at ? isValue : depth === at + 1);
}

/** What a cell of text says; one that is raw has no headings and no links. */
function readText({ type, source, startLine }: Cell) {
  const written = new WrittenText([source]);
  const blocks = readBlocks(written.source, 1);
  const isMarkdown = type === 'markdown';
  const headings = blocks.headings.filter(({ text }) => isMarkdown && text !== '');
  return {
    headings: headings.map(({ depth, text, endLine }) => ({ depth, text, line: written.lineOf(endLine) ?? startLine })),
    links: isMarkdown ? written.linksPlaced(markdownLinks(written.source, blocks, 1)) : [],
    units: written.placed(markdownUnits(written.source, 1, blocks.tokens)),
  };
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
): Promise<{ links: PlacedLink[]; units: Unit[]; references?: References | undefined }> {
  const programs = cells
    .filter(({ type }) => type === 'code')
    .map(({ source }) => source.map((line) => (MAGIC.test(line.text) ? blanked(line) : line)));
  if (programs.length === 0 || !(await code.supports(language)))
    return { links: [], units: programs.flatMap(linesAsStatements) };
  const written = new WrittenText(programs);
  const parsed = await code.parse(written.source, path, language);
  return {
    links: written.linksPlaced(parsed.links),
    units: written.placed(parsed.units ?? []),
    references: parsed.references && written.referencesPlaced(parsed.references),
  };
}

/** A line of a text that a file of JSON holds as a string. */
interface WrittenLine {
  text: string;
  /** The line of the file that it stands in. */
  line: number;
  /** Where each of its characters is written in the file, and where the last one ends. */
  places: readonly number[];
}

/** The lines of a string of JSON. One that ends with a line break ends there, and begins no other line. */
function writtenLines(file: SourceText, token: JsonToken): WrittenLine[] {
  const { value, places } = decoded(file.text, token);
  const line = file.lineAt(token.start);
  const lines: WrittenLine[] = [];
  let start = 0;
  for (const text of value.replace(/\n$/, '').split('\n')) {
    const end = start + text.length;
    // A lone carriage return would be a line of its own.
    lines.push({ text: text.replaceAll('\r', ' '), line, places: places.slice(start, end + 1) });
    start = end + 1;
  }
  return lines;
}

/** The line as blanks: nobody reads it, and every place stays what it was. */
const blanked = (line: WrittenLine): WrittenLine => ({ ...line, text: ' '.repeat(line.text.length) });

/** A string as it is meant, with the place of every character and of its end. */
function decoded(text: string, token: JsonToken): { value: string; places: number[] } {
  const value = stringValue(text, token);
  const places: number[] = [];
  let at = token.start + 1;
  for (let i = 0; i < value.length; i++) {
    places.push(at);
    at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
  }
  if (at === token.end - 1) return { value, places: [...places, at] };
  // Its escapes are broken, or it is not closed: as it is written.
  const written = text.slice(token.start + 1, token.end);
  return { value: written, places: Array.from({ length: written.length + 1 }, (_, i) => token.start + 1 + i) };
}

/** Lines of a text that a file holds in strings, read as a text of its own whose places lead back. */
class WrittenText {
  readonly source: SourceText;
  readonly #lines: readonly WrittenLine[];
  /** For every line the last one of its part. */
  readonly #lastLines: readonly number[];

  /** @param parts What stands in one part of the file and ends there, such as a cell. */
  constructor(parts: readonly (readonly WrittenLine[])[]) {
    this.#lines = parts.flat();
    this.source = new SourceText(this.#lines.map(({ text }) => text).join('\n'));
    let last = 0;
    this.#lastLines = parts.flatMap((lines) => {
      last += lines.length;
      return lines.map(() => last);
    });
  }

  /** The line of the file that a line of this text stands in; undefined beyond its end. */
  lineOf(line: number): number | undefined {
    return this.#lines[line - 1]?.line;
  }

  linksPlaced(links: readonly PlacedLink[]): PlacedLink[] {
    return links.flatMap(({ column: _column, ...link }) => {
      const line = this.lineOf(link.line);
      return line === undefined ? [] : [{ ...link, line }];
    });
  }

  referencesPlaced({ definitions, uses, imports, ...rest }: References): References {
    const placed = <One extends { line: number }>(one: One): One => ({ ...one, line: this.lineOf(one.line) ?? 1 });
    return {
      ...rest,
      definitions: definitions.map((one) => ({ ...placed(one), endLine: this.lineOf(one.endLine) ?? 1 })),
      uses: uses.map(placed),
      imports: imports.map(placed),
    };
  }

  /** Units of this text by their places in the file. */
  placed(units: readonly Unit[]): Unit[] {
    return units.map(({ context, ...unit }) => {
      const placed = { ...unit, ...this.#placeOf(unit) };
      if (!context) return placed;
      const { start, end } = context;
      const place = start === undefined || end === undefined ? {} : this.#placeOf({ start, end });
      return { ...placed, context: { ...context, ...place } };
    });
  }

  #placeOf({ start, end }: TextSpan): TextSpan {
    const lastLine = this.#lastLines[this.source.lineAt(start) - 1] ?? 0;
    const last = Math.min(end, this.source.offsetOf(lastLine) + this.source.line(lastLine).length);
    return { start: this.#placeAt(start, 0), end: this.#placeAt(Math.max(start, last - 1), 1) };
  }

  #placeAt(offset: number, behind: 0 | 1): number {
    const line = this.source.lineAt(offset);
    const places = this.#lines[line - 1]?.places ?? [];
    return places[offset - this.source.offsetOf(line) + behind] ?? places.at(-1) ?? 0;
  }
}
