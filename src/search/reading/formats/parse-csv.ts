import { CsvError, parse } from 'csv-parse/sync';
import type { ParsedFile } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';
import { textLinks } from '../links/text-links.ts';
import { csvUnits } from '../units/data-units.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import { languageTable, type TextFormat } from './file-format.ts';
import { proseBlock } from './sections.ts';

const MOST_COLUMNS = 12;
/** A row of more lines has a quote that was never closed; a longer line is a row of its own. */
const MOST_ROW_LINES = 200;
const LONGEST_LINE = 20_000;
/** After so many rows whose quotes do not close, the quotes of this file mean something else. */
const MOST_BROKEN_ROWS = 10;

export const csv: TextFormat = {
  name: 'csv',
  extensions: languageTable('csv=csv tsv=tsv tab=tsv'),
  read: parseCsv,
};

/** CSV and TSV: rows in groups, titled by the header's columns; a row with line breaks in quotes is never cut. */
function parseCsv(source: SourceText): ParsedFile {
  const hint = SEPARATOR_HINT.exec(source.line(1))?.[1];
  const sample = sampleOf(source, hint === undefined ? 1 : 2);
  const delimiter = hint ?? delimiterOf(sample);
  const { rows, lastLine } = rowsOf(source, delimiter ?? ',');
  const at = (hint === undefined ? 0 : 1) + (delimiter === undefined ? 0 : rowsAbove(cellsIn(sample, delimiter)));
  const columns = delimiter === undefined ? undefined : columnsOf(source, rows.slice(at), delimiter);
  const title = titleOf(columns ?? []);
  return {
    blocks: rows.map((row) => proseBlock(row, 'table', title)),
    links: textLinks(source),
    rest: { kind: 'table', family: 'prose', title },
    units: [
      ...csvUnits(source, rows.slice(hint === undefined ? 0 : 1, at), undefined),
      ...csvUnits(source, rows.slice(at), columns),
    ],
    ...(lastLine < source.lineCount && { lastLine }),
  };
}

function rowsOf(source: SourceText, delimiter: string): { rows: LineRange[]; lastLine: number } {
  const rows: LineRange[] = [];
  let charactersLeft: number = readingLimits.csvCharacters;
  let broken = 0;
  let line = 1;
  for (; line <= source.lineCount && rows.length < readingLimits.csvRows; line++) {
    const stretch = quotedStretch(source, line, charactersLeft);
    if (stretch && broken < MOST_BROKEN_ROWS) {
      charactersLeft -= source.offsetOf(stretch.endLine + 1) - source.offsetOf(stretch.startLine);
      const read = readRows(source, stretch, delimiter);
      for (const row of read.rows) rows.push(row);
      if (read.brokenAt !== undefined) {
        broken += 1;
        rows.push({ startLine: read.brokenAt, endLine: read.brokenAt });
      }
      line = read.brokenAt ?? stretch.endLine;
    } else if (!source.isBlank(line)) rows.push({ startLine: line, endLine: line });
  }
  return { rows, lastLine: line - 1 };
}

/**
 * The lines from here on that need a parser: from one with a quote to the next that is too long, as far as they may
 * still be read.
 */
function quotedStretch(source: SourceText, startLine: number, most: number): LineRange | undefined {
  const holdsQuote = (line: number): boolean =>
    source.line(line).length <= LONGEST_LINE && source.line(line).includes('"');
  if (!holdsQuote(startLine)) return undefined;
  let endLine = startLine;
  while (
    endLine < source.lineCount &&
    source.line(endLine + 1).length <= LONGEST_LINE &&
    source.offsetOf(endLine + 2) - source.offsetOf(startLine) <= most
  )
    endLine += 1;
  return source.line(startLine).length <= most ? { startLine, endLine } : undefined;
}

/** The rows of a stretch, up to one whose quotes do not close (`brokenAt`). */
function readRows(source: SourceText, stretch: LineRange, delimiter: string): { rows: LineRange[]; brokenAt?: number } {
  const rows: LineRange[] = [];
  let next = stretch.startLine;
  const firstText = (): number => {
    while (next < stretch.endLine && source.isBlank(next)) next += 1;
    return next;
  };
  try {
    parse(source.slice(stretch.startLine, stretch.endLine), {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (_record: unknown, { lines }: { lines: number }) => {
        const row = { startLine: firstText(), endLine: stretch.startLine + lines - 1 };
        if (row.endLine - row.startLine >= MOST_ROW_LINES) throw new UnclosedRow();
        rows.push(row);
        next = row.endLine + 1;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError) && !(error instanceof UnclosedRow)) throw error;
    return { rows, brokenAt: firstText() };
  }
  return { rows };
}

/** Thrown through the library to end its reading: a row goes on for too many lines. */
class UnclosedRow extends Error {}

const DELIMITERS = ['\t', ';', ',', '|'];
/** So many lines tell what separates cells. */
const SAMPLE_LINES = 20;
const LONGEST_HEADER = 2_000;
const NUMBER = /^[\d.,-]+$/;
/** `2019`, `2019-04`: a number that may name a column. */
const PERIOD = /^(?:19|20)\d\d(?:[-/]\d{1,2})?$/;

/** Excel is told so, above the header, what separates cells. */
const SEPARATOR_HINT = /^"?sep=([^"])"?\s*$/i;

function sampleOf(source: SourceText, from: number): string {
  const lines: string[] = [];
  for (let line = from; line <= source.lineCount && lines.length < SAMPLE_LINES; line++) {
    if (source.line(line).length > LONGEST_HEADER) break;
    if (!source.isBlank(line)) lines.push(source.line(line));
  }
  return lines.join('\n');
}

/** How many rows stand above the header: the title of a table and comments, which have not as many cells as it has. */
function rowsAbove(rows: readonly string[][]): number {
  const cells = rows.at(-1)?.length ?? 0;
  const isHeader = ([first = '', ...others]: string[]): boolean =>
    others.length + 1 === cells || (others.length > 0 && !first.startsWith('#'));
  return cells > 1 ? Math.max(0, rows.findIndex(isHeader)) : 0;
}

/** What separates cells: what gives most rows the number of cells that their header has, then most cells. */
function delimiterOf(sample: string): string | undefined {
  const found = DELIMITERS.map((delimiter) => {
    const rows = cellsIn(sample, delimiter);
    const [first = 0, ...others] = rows.slice(rowsAbove(rows)).map(({ length }) => length);
    return { delimiter, cells: first, alike: others.filter((count) => count === first).length };
  });
  return found.filter(({ cells }) => cells > 1).sort((a, b) => b.alike - a.alike || b.cells - a.cells)[0]?.delimiter;
}

/** The names that the first row gives to columns; undefined where it is data. */
function columnsOf(source: SourceText, [header, row]: readonly LineRange[], delimiter: string): string[] | undefined {
  const [columns = [], cells = []] = [header, row].map((range) =>
    range === undefined || source.line(range.startLine).length > LONGEST_HEADER
      ? []
      : (cellsIn(source.slice(range.startLine, range.endLine), delimiter)[0] ?? []),
  );
  // Years name columns, unless the rows below tell years there, too.
  const isData = (cell: string, i: number): boolean =>
    NUMBER.test(cell) && !(PERIOD.test(cell) && cells[i] !== undefined && !PERIOD.test(cells[i]));
  return columns.every((cell) => cell === '') || columns.some(isData) ? undefined : columns;
}

/** Cells without the blanks and quotes around them; where quotes do not close, as they are separated. */
function cellsIn(text: string, delimiter: string): string[][] {
  const how = { delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true };
  let rows: string[][];
  try {
    rows = parse(text, how);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    rows = text.split('\n').map((line) => line.split(delimiter));
  }
  return rows.map((cells) => cells.map((cell) => /^"([^"]*)"$/.exec(cell.trim())?.[1] ?? cell.trim()));
}

function titleOf(columns: readonly string[]): string {
  const names = columns.filter(Boolean).map((name) => name.replace(/\s+/g, ' '));
  return names.length > MOST_COLUMNS ? [...names.slice(0, MOST_COLUMNS), '…'].join(', ') : names.join(', ');
}
