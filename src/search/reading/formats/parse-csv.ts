import { CsvError, parse } from 'csv-parse/sync';
import type { Block, ParsedFile } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';
import { textLinks } from '../links/text-links.ts';
import { csvUnits } from '../units/data-units.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import type { TextFormat } from './file-format.ts';

const MOST_COLUMNS = 12;
/** A row of more lines has a quote that was never closed; a longer line is a row of its own. */
const MOST_ROW_LINES = 200;
const LONGEST_LINE = 20_000;
/** After so many rows whose quotes do not close, the quotes of this file mean something else. */
const MOST_BROKEN_ROWS = 10;

export const csv: TextFormat = {
  name: 'csv',
  extensions: { csv: 'csv', tsv: 'tsv', tab: 'tsv' },
  read: parseCsv,
};

/** CSV and TSV: rows in groups, titled by the header's columns; a row with line breaks in quotes is never cut. */
function parseCsv(source: SourceText): ParsedFile {
  const header = headerOf(source);
  const title = titleOf(header);
  const blocks = rowsOf(source, header?.delimiter ?? ',').map(({ startLine, endLine }): Block => ({
    startLine,
    endLine,
    kind: 'table',
    title,
    children: [],
    family: 'prose',
  }));
  return {
    blocks,
    links: textLinks(source),
    rest: { kind: 'table', family: 'prose', title },
    units: csvUnits(source, blocks, title !== ''),
  };
}

function rowsOf(source: SourceText, delimiter: string): LineRange[] {
  const rows: LineRange[] = [];
  let charactersLeft: number = readingLimits.csvCharacters;
  let broken = 0;
  for (let line = 1; line <= source.lineCount; line++) {
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
  return rows;
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

interface Header {
  delimiter: string;
  text: string;
}

function headerOf(source: SourceText): Header | undefined {
  let line = 1;
  while (line < source.lineCount && source.isBlank(line)) line += 1;
  const text = source.line(line);
  if (text.length > 2_000) return undefined;
  const separator = ['\t', ';', ',', '|']
    .map((delimiter) => ({ delimiter, count: text.split(delimiter).length }))
    .sort((a, b) => b.count - a.count)[0];
  return separator && separator.count >= 2 ? { delimiter: separator.delimiter, text } : undefined;
}

function titleOf(header: Header | undefined): string {
  const columns = header?.text.split(header.delimiter).map(columnName).filter(Boolean) ?? [];
  if (columns.some((column) => /^[\d.,-]+$/.test(column))) return ''; // no header: the first row is data
  return columns.length > MOST_COLUMNS ? [...columns.slice(0, MOST_COLUMNS), '…'].join(', ') : columns.join(', ');
}

/** Without the blanks and quotes around it. */
function columnName(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && /[\s"]/.test(text[start] ?? '')) start += 1;
  while (end > start && /[\s"]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}
