import { withoutControls, shortened } from '#base';
import { isStopWord } from '#search';
import { frontMatterLines } from '#search/languages';
import { splitAtMarks } from '../citation-marks.ts';

const LONGEST = 160;

const BLOCK_SIGN = /^(?:>|#{1,6}\s|[-*] )/;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** Prose for a row of a list: one line, without citation marks, Markdown signs and icons. */
export function oneLine(markdown: string): string {
  const text = splitAtMarks(markdown)
    .filter((part) => typeof part === 'string')
    .join('');
  return plainLine(withoutInlineSigns(text.split('\n').map(withoutBlockSign).join('\n')));
}

const RULER = /^\|(?: ?-+ ?\|)+$/;

/**
 * The Markdown of what leads an answer as one line: of code the code alone, of a table its row behind its header
 * cells.
 */
export function leadLine(markdown: string): string {
  const lines = markdown.split('\n');
  // Above the unit of a part stands the part that was asked.
  if (/^\*[^*]+\*$/.test(lines[0] ?? '') && lines[1] === '') return leadLine(lines.slice(2).join('\n'));
  const fence = /^`{3,}/.exec(lines[0] ?? '')?.[0];
  if (fence !== undefined) return plainLine(lines.slice(1, lines.indexOf(fence, 1)).join('\n'));
  if (RULER.test(lines[1] ?? '')) {
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

function withoutBlockSign(line: string): string {
  const text = line.trimStart();
  const sign = BLOCK_SIGN.exec(text);
  return sign ? text.slice(sign[0].length).trimStart() : line;
}

/** Code spans lose their backticks and keep their text as it is; elsewhere signs of emphasis go. */
function withoutInlineSigns(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  const ticks = /`+/g;
  for (let opening = ticks.exec(text); opening; opening = ticks.exec(text)) {
    const body = ticks.lastIndex;
    const closing = ticks.exec(text);
    if (!closing) break;
    const length = Math.min(opening[0].length, closing[0].length);
    pieces.push(withoutEmphasis(text, from, body - length), text.slice(body, closing.index));
    from = closing.index + length;
    ticks.lastIndex = from;
  }
  return pieces.join('') + withoutEmphasis(text, from, text.length);
}

function withoutEmphasis(text: string, from: number, to: number): string {
  return text
    .slice(from, to)
    .replace(/[*_]+/g, (run, at: number) => (isEmphasis(text, from + at, run.length) ? '' : run));
}

/** Signs of emphasis stand at the edge of a word: those within names, and a lone one between spaces, are none. */
function isEmphasis(text: string, at: number, length: number): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ' ';
  const after = String.fromCodePoint(text.codePointAt(at + length) ?? 32);
  if (WORD_CHARACTER.test(before)) return !WORD_CHARACTER.test(after);
  return after.trim() !== '' || length > 1 || before.trim() !== '';
}

/** Any other text for a row of a list: one line, as it stands, without icons. */
export function plainLine(text: string): string {
  const line = withoutControls(text.replace(/\s+/g, ' ')).replace(/\$\(/g, '$ (').trim();
  return shortened(line, LONGEST);
}

/** The first line of a passage that says something; what stands above the text itself does not. */
function tellingLine(all: readonly string[]): { text: string; offset: number } {
  const above = frontMatterLines(all);
  const lines = all.map((line, offset) => ({ text: line.trim(), offset })).slice(above);
  return (
    lines.find(({ text }) => /[\p{L}\p{N}]{3}/u.test(text) && !text.startsWith('#')) ??
    lines.find(({ text }) => text !== '') ?? { text: '', offset: 0 }
  );
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !isStopWord(word));

/**
 * The line of a passage that holds most of the query's words, with its offset from the first; the first telling line
 * when none does.
 */
export function bestLine(text: string, query: string, asRow = oneLine): { text: string; offset: number } {
  const wanted = new Set(wordsOf(query));
  const lines = text.split('\n');
  const first = tellingLine(lines);
  let best = { text: asRow(first.text), offset: first.offset, found: 0 };
  const above = frontMatterLines(lines);
  for (const [offset, line] of lines.entries()) {
    if (offset < above) continue;
    const found = new Set(wordsOf(line).filter((word) => wanted.has(word))).size;
    if (found > best.found) best = { text: asRow(line), offset, found };
  }
  return { text: best.text, offset: best.offset };
}
