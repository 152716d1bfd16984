import type { TextSpan } from '../../domain/passage-chain.ts';

/** Abbreviations after which a full stop does not end a sentence. */
const ABBREVIATIONS = new Set(
  'mr mrs ms dr st prof sr jr vs etc inc ltd co corp no vol fig eg ie approx dept est gen col lt sgt capt rev hon gov sen rep jan feb mar apr jun jul aug sep sept oct nov dec mt ft cf al'.split(
    ' ',
  ),
);

/**
 * Sentences of a passage as exact, non-overlapping spans in order, white space trimmed. Prose ends at `.`, `!`, `?`
 * followed by white space and an opening; a blank line, a list item, a heading, a table row or a line of front matter
 * always starts anew. Code falls into lines: each non-blank line is one.
 */
export function splitSentences(text: string, shape: 'prose' | 'code' = 'prose'): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const block of blocksOf(text, shape)) {
    if (shape === 'code') pushTrimmed(spans, text, block.start, block.end);
    else splitBlock(text, block, spans);
  }
  return spans;
}

/** Lines that begin a block of their own whatever stands before them. */
const OPENS_BLOCK = /^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|\||>)/;
/** Metadata on top of a note: every line of it says something of its own. */
const FRONT_MATTER = /^---\n[\s\S]*?\n---(?=\n|$)/;
const HEADING = /^\s*#{1,6}\s/;

/** Every line of code; of prose the runs of lines between blank lines, headings and list items. */
function blocksOf(text: string, shape: 'prose' | 'code'): TextSpan[] {
  const blocks: TextSpan[] = [];
  let open: TextSpan | undefined;
  let afterHeading = false;
  let start = 0;
  const metadata = shape === 'prose' ? (FRONT_MATTER.exec(text)?.[0].length ?? 0) : 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const blank = line.trim() === '';
    if (
      open !== undefined &&
      !blank &&
      shape === 'prose' &&
      start > metadata &&
      !afterHeading &&
      !OPENS_BLOCK.test(line)
    )
      open.end = end;
    else if (blank) open = undefined;
    else blocks.push((open = { start, end }));
    afterHeading = HEADING.test(line);
    start = end + 1;
  }
  return blocks;
}

function splitBlock(text: string, block: TextSpan, spans: TextSpan[]): void {
  const ends = /[.!?]+["'”’)\]]*/g;
  const body = text.slice(block.start, block.end);
  let from = 0;
  for (const match of body.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (!/\s/.test(body.charAt(end)) || !endsSentence(body, match.index, end)) continue;
    pushTrimmed(spans, text, block.start + from, block.start + end);
    from = end;
  }
  pushTrimmed(spans, text, block.start + from, block.end);
}

function endsSentence(body: string, mark: number, end: number): boolean {
  const next = body.slice(end).trimStart()[0];
  if (next === undefined) return true;
  if (/\p{Ll}/u.test(next)) return false;
  if (body[mark] !== '.') return true;
  const before = abbreviationBefore(body.slice(Math.max(0, mark - 20), mark));
  if (/^\p{Lu}$/u.test(before) || /^(?:\p{L}\.)+\p{L}$/u.test(before)) return false;
  return !ABBREVIATIONS.has(before.toLowerCase().replaceAll('.', ''));
}

/** Letters and full stops at the end of a text. */
function abbreviationBefore(text: string): string {
  const characters = [...text];
  let from = characters.length;
  while (from > 0 && /[\p{L}.]/u.test(characters[from - 1] ?? '')) from -= 1;
  return characters.slice(from).join('');
}

function pushTrimmed(spans: TextSpan[], text: string, start: number, end: number): void {
  while (start < end && /\s/.test(text[start] ?? '')) start++;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end--;
  if (end > start) spans.push({ start, end });
}
