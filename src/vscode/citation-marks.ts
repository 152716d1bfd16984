/** A citation mark of an answer's text. */
interface CitationMark {
  number: number;
  /** As written: `[2]`. */
  text: string;
}

interface Piece {
  text: string;
  isCode: boolean;
}

const MARK = /\[(\d{1,3})\]/g;
const QUOTED = /^ {0,3}>/;
const INDENTED = /^(?: {4}|\t)/;
const HEADING = /^ {0,3}#{1,6}\s/;
const LIST_ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** Lines that begin a block of their own without an empty line before them. */
const BLOCK_START = /^[ \t>]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)/;
/** A fence, behind quote signs and the bullets of list items that begin with it. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Cuts an answer's Markdown at its `[n]` marks. What stands in code is text, as in the panel: `argv[1]` cites nothing
 * there.
 */
export function splitAtMarks(markdown: string): (string | CitationMark)[] {
  const parts: (string | CitationMark)[] = [];
  let text = '';
  for (const piece of codeApart(markdown)) {
    let end = 0;
    for (const match of piece.isCode ? [] : piece.text.matchAll(MARK)) {
      text += piece.text.slice(end, match.index);
      if (text !== '') parts.push(text);
      text = '';
      parts.push({ number: Number(match[1]), text: match[0] });
      end = match.index + match[0].length;
    }
    text += piece.text.slice(end);
  }
  return text === '' ? parts : [...parts, text];
}

/** The whole text in order: fenced blocks, indented blocks and code spans, and what stands between them. */
function codeApart(markdown: string): Piece[] {
  const pieces: Piece[] = [];
  let block = '';
  let fence: Fence | undefined;
  let mayIndent = true; // an indented line is code only where no paragraph or list goes on
  let inList = false;
  for (const line of markdown.split(/(?<=\n)/)) {
    const blank = line.trim() === '';
    if (fence?.quoted && !QUOTED.test(line)) fence = undefined; // the quote that held it is over
    const opening = fence ? undefined : FENCE.exec(line)?.[1];
    const isCode: boolean =
      fence !== undefined || opening !== undefined || (INDENTED.test(line) && mayIndent && !blank && !inList);
    if (isCode || blank || BLOCK_START.test(line)) {
      pieces.push(...spansApart(block));
      block = '';
    }
    if (isCode) pieces.push({ text: line, isCode });
    else block += line;
    if (fence && closes(fence, line)) fence = undefined;
    if (opening !== undefined) fence = { opening, quoted: QUOTED.test(line) };
    if (LIST_ITEM.test(line) && !isCode) inList = true;
    else if (mayIndent && /^\S/.test(line)) inList = false;
    mayIndent = blank || isCode || HEADING.test(line);
  }
  return [...pieces, ...spansApart(block)];
}

interface Fence {
  /** The characters that opened it. */
  opening: string;
  /** Stands in a quote. */
  quoted: boolean;
}

/** True for a line of nothing but as many of the fence's characters as opened it, or more. */
function closes({ opening, quoted }: Fence, line: string): boolean {
  const indent = quoted ? ' \t>' : ' \t';
  let from = 0;
  while (from < line.length && indent.includes(line.charAt(from))) from += 1;
  const signs = line.slice(from).trimEnd();
  return signs.length >= opening.length && [...signs].every((sign) => sign === opening.charAt(0));
}

/** The code spans of one block: from a run of backticks to the next run of the same length. */
function spansApart(block: string): Piece[] {
  const pieces: Piece[] = [];
  const ticksOrEscape = /\\.|(`+)/gs;
  let from = 0;
  for (let match = ticksOrEscape.exec(block); match; match = ticksOrEscape.exec(block)) {
    const end = match[1] === undefined ? undefined : endOfSpan(block, ticksOrEscape.lastIndex, match[1].length);
    if (end === undefined) continue;
    pieces.push(
      { text: block.slice(from, match.index), isCode: false },
      { text: block.slice(match.index, end), isCode: true },
    );
    from = end;
    ticksOrEscape.lastIndex = end;
  }
  return [...pieces, { text: block.slice(from), isCode: false }];
}

function endOfSpan(block: string, from: number, length: number): number | undefined {
  for (const run of block.slice(from).matchAll(/`+/g)) if (run[0].length === length) return from + run.index + length;
  return undefined;
}
