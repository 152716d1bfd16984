import { parse } from 'csv-parse/sync';
import { headerCells } from '#search';
import type { Quote } from './quote.ts';

/** Rows of a table with the header cells above them; no header cells where they are not known. */
export interface TableRows {
  header: string[];
  rows: string[][];
}

/** A quote as the rows that it is; undefined for anything else. */
export function tableRows(quote: Quote): TableRows | undefined {
  const lines = quote.text.split('\n').filter((line) => line.trim() !== '');
  const cells = cellsIn(quote, lines);
  if (!cells) return undefined;
  const rows = cells.filter((row) => !isRuler(row));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (columns === 0) return undefined;
  const header = headerOf(quote, columns);
  return { header: header.length === columns ? header : [], rows };
}

function cellsIn({ kind, passage, text }: Quote, lines: readonly string[]): string[][] | undefined {
  // A note may hold a table of HTML, too.
  if (passage.language === 'html' || (kind === 'row' && /<t[dh]\b/iu.test(text)))
    return kind === 'row' ? htmlRows(text) : undefined;
  if (lines.every((line) => line.trimStart().startsWith('|'))) return lines.map(barCells);
  if (kind !== 'row') return undefined;
  if (lines.some((line) => line.includes('|'))) return lines.map(barCells);
  if (passage.language === 'restructuredtext') return lines.map((line) => line.trim().split(/\s{2,}/u));
  return separated(lines.join('\n'));
}

const htmlRows = (text: string): string[][] =>
  text
    .split(/<tr\b/iu)
    .map(htmlCells)
    .filter((cells) => cells.some((cell) => cell !== ''));

/** What stands in the cells of a row of HTML, with the tags inside of them. */
function htmlCells(text: string): string[] {
  const cells: string[] = [];
  let isOpen = false;
  // What stands before the first tag is in no cell.
  for (const part of text.split('<').slice(1)) {
    if (/^t[dh]\b/iu.test(part)) {
      isOpen = true;
      cells.push(part.slice(part.indexOf('>') + 1));
    } else if (/^\/?t[dhr]\b/iu.test(part)) isOpen = false;
    else if (isOpen) cells.push(`${cells.pop() ?? ''}<${part}`);
  }
  return cells.map((cell) => cell.trim());
}

/** Cells between bars; one behind a backslash belongs to its cell. */
function barCells(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/u).map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

const isRuler = (row: readonly string[]): boolean => row.length > 0 && row.every((cell) => /^:?-+:?$/u.test(cell));

/** The delimiter is the one that gives most cells. */
function separated(text: string): string[][] {
  const readings = [',', ';', '\t'].map((delimiter): string[][] => {
    try {
      return parse(text, { delimiter, relax_quotes: true, relax_column_count: true, trim: true });
    } catch {
      return [[text]]; // a quotation mark that is never closed: the line is one cell
    }
  });
  return readings.reduce((best, rows) => ((rows[0]?.length ?? 0) > (best[0]?.length ?? 0) ? rows : best));
}

/** As the context says it; else the row above the ruler of the same table, where that stands in the passage. */
function headerOf({ context, passage, start }: Quote, columns: number): string[] {
  if (context) {
    const within =
      context.start !== undefined && context.end !== undefined
        ? barCells(passage.text.slice(context.start, context.end))
        : [];
    return within.length === columns ? within : headerCells(context.text);
  }
  const above = passage.text.slice(0, start).split('\n').slice(0, -1);
  for (let i = above.length - 1; i > 0 && (above[i] ?? '').includes('|'); i--)
    if (isRuler(barCells(above[i] ?? ''))) return barCells(above[i - 1] ?? '');
  return [];
}
