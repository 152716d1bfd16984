import type { TextSpan } from '../../model/passage-chain.ts';

/** Abbreviations after which a full stop does not end a sentence. */
const ABBREVIATIONS = new Set('mr mrs ms dr st prof sr jr vs etc inc ltd co corp no vol fig eg ie approx dept est gen col lt sgt capt rev hon gov sen rep jan feb mar apr jun jul aug sep sept oct nov dec mt ft cf al'.split(' '));

/**
 * Sentences of a passage as exact, non-overlapping spans in order, white space trimmed. Prose ends at `.`, `!`, `?` followed by white space
 * and an opening; a blank line, a list item, a heading or a table row always starts anew. Code falls into lines: each non-blank line is one.
 */
export function splitSentences(text: string, shape: 'prose' | 'code' = 'prose'): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const block of blocksOf(text, shape)) {
    if (shape === 'code') pushTrimmed(spans, text, block.start, block.end);
    else splitBlock(text, block, spans);
  }
  return spans;
}

function blocksOf(text: string, shape: 'prose' | 'code'): TextSpan[] {
  const separator = shape === 'code' ? /\n/g : /\n\s*\n|\n(?=\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|\||>))|(?<=^\s*#{1,6}[^\n]*)\n/gm;
  const blocks: TextSpan[] = [];
  let from = 0;
  for (const match of text.matchAll(separator)) {
    blocks.push({ start: from, end: match.index });
    from = match.index + match[0].length;
  }
  blocks.push({ start: from, end: text.length });
  return blocks;
}

function splitBlock(text: string, block: TextSpan, spans: TextSpan[]): void {
  const ends = /[.!?]+["'”’)\]]*(?=\s)/g;
  const body = text.slice(block.start, block.end);
  let from = 0;
  for (const match of body.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (!endsSentence(body, match.index, end)) continue;
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
  const before = /([\p{L}.]+)$/u.exec(body.slice(Math.max(0, mark - 20), mark))?.[1] ?? '';
  if (/^\p{Lu}$/u.test(before) || /^(?:\p{L}\.)+\p{L}$/u.test(before)) return false;
  return !ABBREVIATIONS.has(before.toLowerCase().replaceAll('.', ''));
}

function pushTrimmed(spans: TextSpan[], text: string, start: number, end: number): void {
  while (start < end && /\s/.test(text[start] ?? '')) start++;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end--;
  if (end > start) spans.push({ start, end });
}
