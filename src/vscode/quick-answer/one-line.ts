import { splitAtMarks } from '../citation-marks.ts';

const LONGEST = 160;

const BLOCK_SIGNS = /^\s*(?:>|#{1,6}\s|[-*] )\s*/gm;
/** A code span, whose text stays as it is; or signs of emphasis, which stand at the edge of a word: those within names stay. */
const INLINE_SIGNS = /(`+)([^`]+)\1|(?<![\p{L}\p{N}_*])[*_]+(?=\S)|(?<=\S)[*_]+(?![\p{L}\p{N}_*])/gu;

/** Prose for a row of a list: one line, without citation marks, Markdown signs and icons. */
export function oneLine(markdown: string): string {
  const text = splitAtMarks(markdown).filter((part) => typeof part === 'string').join('');
  return plainLine(text.replace(BLOCK_SIGNS, '').replace(INLINE_SIGNS, (_signs, _ticks, code?: string) => code ?? ''));
}

/** Any other text for a row of a list: one line, as it stands, without icons. */
export function plainLine(text: string): string {
  const line = text.replace(/\$\(/g, '$ (').replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

/** The first line of a passage that says something. */
export function firstLine(text: string, asRow = oneLine): string {
  const lines = text.split('\n').map((line) => line.trim());
  return asRow(lines.find((line) => /[\p{L}\p{N}]{3}/u.test(line) && !line.startsWith('#')) ?? lines.find((line) => line !== '') ?? '');
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** The line of a passage that holds most of the query's words, with its offset from the first; the first telling line when none does. */
export function bestLine(text: string, query: string, asRow = oneLine): { text: string; offset: number } {
  const wanted = new Set(wordsOf(query));
  let best = { text: firstLine(text, asRow), offset: 0, found: 0 };
  for (const [offset, line] of text.split('\n').entries()) {
    const found = new Set(wordsOf(line).filter((word) => wanted.has(word))).size;
    if (found > best.found) best = { text: asRow(line), offset, found };
  }
  return { text: best.text, offset: best.offset };
}
