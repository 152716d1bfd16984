import { shortened, withoutControls } from '#base';
import { frontMatterLines } from '#search/languages';
import { splitAtMarks } from '../citation-marks.ts';

const LONGEST = 160;

/** Text as one row of a list: as it stands, without icons. */
export function plainLine(text: string): string {
  const line = withoutControls(text.replace(/\s+/g, ' ')).replace(/\$\(/g, '$ (').trim();
  return shortened(line, LONGEST);
}

/** Signs that begin a block, code spans, and signs of emphasis at the edge of a word. */
const SIGNS =
  /^[ \t]*(?:>|#{1,6}[ \t]|[-*][ \t])[ \t]*|`+([^`\n]+)`+|(?<![\p{L}\p{N}*_])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}*_])/gmu;

/** Markdown as one row of a list, without citation marks and signs. */
export function oneLine(markdown: string): string {
  const text = splitAtMarks(markdown)
    .filter((part) => typeof part === 'string')
    .join('');
  return plainLine(text.replace(SIGNS, (_, code: string | undefined) => code ?? ''));
}

/** A quote that leads, as one row: code without its fence, a table's row behind its header cells. */
export function leadLine(markdown: string): string {
  const lines = markdown.split('\n');
  if (lines[0]?.startsWith('```')) return plainLine(lines.slice(1, lines.indexOf('```', 1)).join('\n'));
  if (/^\|(?: ?-+ ?\|)+$/.test(lines[1] ?? '')) {
    const [header, row] = [cellsOf(lines[0] ?? ''), cellsOf(lines[2] ?? '')];
    return oneLine(row.map((cell, i) => [header[i], cell].filter(Boolean).join(' ')).join(' · '));
  }
  return oneLine(lines.slice(0, lines.includes('') ? lines.indexOf('') : undefined).join('\n'));
}

const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];

/**
 * The line of a passage that holds most of the query's longer words, with its offset from the first line; without one
 * the first line of text below front matter and headings.
 */
export function bestLine(text: string, query: string, asRow = oneLine): { text: string; offset: number } {
  const wanted = new Set(wordsOf(query));
  const lines = text.split('\n');
  const rows = lines.map((line, offset) => ({ line, offset })).slice(frontMatterLines(lines));
  let best = rows.find(({ line }) => /[\p{L}\p{N}]{3}/u.test(line) && !line.trim().startsWith('#')) ?? rows[0];
  let most = 0;
  for (const row of rows) {
    const found = new Set(wordsOf(row.line).filter((word) => wanted.has(word))).size;
    if (found > most) [best, most] = [row, found];
  }
  return { text: asRow(best?.line ?? ''), offset: best?.offset ?? 0 };
}
