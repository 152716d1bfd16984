import type { Block, ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';

const MOST_COLUMNS = 12;

/** CSV and TSV: rows in groups, titled by the header's columns; a row with line breaks in quotes is never cut. */
export function parseCsv(source: SourceText): ParsedFile {
  const title = headerTitle(source);
  const blocks: Block[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const startLine = line;
    while (line < source.lineCount && line - startLine < 200 && openQuote(source.slice(startLine, line))) line += 1;
    if (!source.isBlank(startLine) || line > startLine) blocks.push({ startLine, endLine: line, kind: 'table', title, children: [], family: 'prose' });
  }
  return { blocks, links: textLinks(source), rest: { kind: 'table', family: 'prose', title } };
}

/** An odd number of quotes leaves one open; doubled quotes count twice and so do not matter. */
function openQuote(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) quotes += 1;
  return quotes % 2 === 1;
}

function headerTitle(source: SourceText): string {
  let line = 1;
  while (line < source.lineCount && source.isBlank(line)) line += 1;
  const header = source.line(line);
  if (header.length > 2_000) return '';
  const separator = ['\t', ';', ',', '|'].map((mark) => ({ mark, count: header.split(mark).length })).sort((a, b) => b.count - a.count)[0];
  if (!separator || separator.count < 2) return '';
  const columns = header.split(separator.mark).map((column) => column.replace(/^[\s"]+|[\s"]+$/g, '')).filter(Boolean);
  if (columns.some((column) => /^[\d.,-]+$/.test(column))) return ''; // no header: the first row is data
  return columns.length > MOST_COLUMNS ? [...columns.slice(0, MOST_COLUMNS), '…'].join(', ') : columns.join(', ');
}
