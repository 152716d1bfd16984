import type { Passage, TextSpan } from '#search';

/** A definition up to so many lines is quoted whole: its first line alone says what it is called, and no more. */
const MOST_LINES = 8;

/**
 * From the first line of a short definition to its end, by how its lines are indented; undefined where it is longer, or
 * goes on behind the passage.
 * @param head What a definition says of itself before its body.
 */
export function shortDefinition({ text }: Passage, head: TextSpan): TextSpan | undefined {
  const lineStart = text.lastIndexOf('\n', head.start - 1) + 1;
  const indent = text.slice(lineStart, head.start);
  if (indent.trim() !== '') return undefined;
  const headLines = text.slice(head.start, head.end).split('\n').length;
  const behind = text.slice(head.end).split('\n');
  if ((behind[0] ?? '').trim() !== '') return undefined;
  let end = head.end + (behind[0] ?? '').length;
  let last = head.end;
  for (const [i, line] of behind.slice(1).entries()) {
    end += 1 + line.length;
    if (line.trim() === '') continue;
    const isInside = line.startsWith(indent) && /^\s/u.test(line.slice(indent.length));
    const isClosing = line.startsWith(indent) && CLOSES.test(line.slice(indent.length));
    if (!isInside && !isClosing) break;
    if (headLines + i + 1 > MOST_LINES) return undefined;
    last = end;
    if (isClosing) break;
  }
  return last > head.end ? { start: head.start, end: last } : undefined;
}

/** The line that ends a body. */
const CLOSES = /^(?:[}\])]|end\b)/u;
