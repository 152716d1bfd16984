import type { TextSpan } from '#protocol';
import { tokenise, type Token, type TokenKind } from './tokenise.ts';

/** A stretch of one line with one look. */
interface Segment {
  text: string;
  kind: TokenKind;
  /** True for words that link two hops. */
  marked: boolean;
}

/** A line as it is drawn. */
export interface DrawnLine {
  /** 1-based line in the file. */
  number: number;
  segments: Segment[];
}

/** Cuts a passage's text into lines of segments: colours from the tokeniser, marks from the spans. */
export function drawLines(text: string, language: string, firstLine: number, marks: readonly TextSpan[]): DrawnLine[] {
  const tokens = tokenise(text, language);
  const lines: DrawnLine[] = [];
  let start = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const visible = line.replace(/\r$/, '');
    lines.push({ number: firstLine + index, segments: cut(text, start, start + visible.length, tokens, marks) });
    start += line.length + 1;
  }
  return lines;
}

function cut(
  text: string,
  start: number,
  end: number,
  tokens: readonly Token[],
  marks: readonly TextSpan[],
): Segment[] {
  const edges = new Set([start, end]);
  const here = tokens.filter((token) => token.start < end && token.end > start);
  const marked = marks.filter((mark) => mark.start < end && mark.end > start);
  for (const { start: from, end: to } of [...here, ...marked]) {
    if (from > start && from < end) edges.add(from);
    if (to > start && to < end) edges.add(to);
  }
  const cuts = [...edges].sort((a, b) => a - b);
  return cuts.slice(0, -1).flatMap((from, index) => {
    const to = cuts[index + 1] ?? end;
    if (to <= from) return [];
    const kind = here.find((token) => token.start <= from && token.end >= to)?.kind ?? 'plain';
    return [{ text: text.slice(from, to), kind, marked: marked.some((mark) => mark.start <= from && mark.end >= to) }];
  });
}
