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
export const csv: TextFormat = {
  name: 'csv',
  extensions: languageTable('csv=csv tsv=tsv tab=tsv'),
  read: parseCsv,
};

/** CSV and TSV: rows in groups, titled by the header's columns; a row with line breaks in quotes is never cut. */
function parseCsv(source: SourceText): ParsedFile {
  const hint = SEPARATOR_HINT.exec(source.line(1))?.[1];
  const top = hint === undefined ? 0 : 1;
  const sample = sampleOf(source, top + 1);
  const delimiter = hint ?? delimiterOf(sample);
  const rows = rowsOf(source, delimiter ?? ',');
  const lastLine = rows.length < readingLimits.csvRows ? source.lineCount : rows.at(-1)?.endLine;
  const at = top + (delimiter === undefined ? 0 : rowsAbove(cellsIn(sample, delimiter)));
  const columns = delimiter === undefined ? undefined : columnsOf(source, rows.slice(at), delimiter);
  const title = titleOf(columns ?? []);
  return {
    blocks: rows.map((row) => proseBlock(row, 'table', title)),
    links: textLinks(source),
    rest: { kind: 'table', family: 'prose', title },
    units: [...csvUnits(source, rows.slice(top, at), undefined), ...csvUnits(source, rows.slice(at), columns)],
    ...(lastLine !== source.lineCount && { lastLine }),
  };
}

/** Rows as the library reads them, up to a quote that does not close; of what follows, each line is a row. */
function rowsOf(source: SourceText, delimiter: string): LineRange[] {
  const { text, lineCount } = source;
  const rows: LineRange[] = [];
  let line = 1;
  const add = (endLine: number): void => {
    while (line < endLine && source.isBlank(line)) line += 1;
    rows.push({ startLine: line, endLine });
    line = endLine + 1;
  };
  try {
    parse(text.includes('"') ? text.slice(0, readingLimits.csvCharacters) : '', {
      ...READING,
      delimiter,
      to: readingLimits.csvRows,
      on_record: (_record, { lines }) => {
        add(lines);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  while (line <= lineCount && rows.length < readingLimits.csvRows)
    if (source.isBlank(line)) line += 1;
    else add(line);
  return rows;
}

const READING = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true } as const;
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
  let rows: string[][];
  try {
    rows = parse(text, { ...READING, delimiter });
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
