import type { TextSpan, UnitContext } from '../../domain/unit.ts';
import { splitSentences } from '../../text/sentences.ts';
import { trimmed, withoutTrailing } from '../../text/trim.ts';
import { isOnlyMarks } from '../text/source-text.ts';
import { contextOf } from './prose-units.ts';

/** A part of a comment up to this long is quoted as one; a longer one by its sentences. */
const LONGEST_PART = 400;
/** Signs of comments and doc strings at the beginning of a line, in any language, and at the end of the last. */
const SIGNS =
  /^[ \t]*(?:\/\*+!?|\*+\/|\*(?!\*?[\w*])|\/{2,3}!?|#+[!:']?(?=\s|$)|--+(?: \|)?|;+|%+!?|\(\*+|\{-+|<!--|[a-z]?"{3}|[a-z]?'{3})/i;
const ENDS = /(?:\*\/|"{3}|'{3}|\*\)|-\}|-->)$/;
/** `@param x`, `:returns:`, `- item`, `timeout (int): Seconds.`, `<param name="x">`: a line that begins a part. */
const BEGINS =
  /^\s*(?:[@:\\]\w|[-*+•]\s|\d{1,2}[.)]\s|\*{0,2}\w{1,60}(?:\s\([^()\n]{1,80}\))?\s?:\s|<\w{1,20}\b[^<>\n]{0,100}>)/;
/** `Args:`, `# Panics`, and a name above a line of dashes: what is said below belongs to it. */
const LABEL = /^\s*(?:#{1,6}\s+\S[^\n]{0,80}|[\p{L}][\p{L}\p{N} ]{0,40}:)\s*$/u;

interface CommentPart extends TextSpan {
  context?: UnitContext;
}

const blank = (sign: string): string => sign.replace(/[^\n]/g, ' ');

/** A comment with blanks in place of the sign that ends it. */
function withoutEnd(comment: string): string {
  const body = comment.trimEnd();
  const [end] = ENDS.exec(body.slice(-3)) ?? [];
  if (end === undefined) return comment;
  const before = body.slice(0, -end.length);
  const said = end === '*/' ? withoutTrailing(before, /\*/) : before;
  return said + blank(comment.slice(said.length));
}

/**
 * The parts of a long comment or doc string, without its signs: paragraphs, tags and items, and the sentences of what
 * is too long to be quoted, each below the label that stands above it, until a line stands no deeper. Offsets into the
 * comment.
 */
export function commentParts(comment: string): CommentPart[] {
  const plain = withoutEnd(comment)
    .split('\n')
    .map((line) => line.replace(SIGNS, blank))
    .join('\n');
  const blocks: (TextSpan & { column: number })[] = [];
  let open: (TextSpan & { column: number }) | undefined;
  let at = 0;
  for (const line of plain.split('\n')) {
    const span = trimmed(plain, { start: at, end: at + line.length });
    if (!span) open = undefined;
    else if (open && !BEGINS.test(line) && !LABEL.test(line)) open.end = span.end;
    else blocks.push((open = { ...span, column: span.start - at }));
    if (span && LABEL.test(line)) open = undefined;
    at += line.length + 1;
  }
  const parts: CommentPart[] = [];
  let label: { context: UnitContext | undefined; column: number } | undefined;
  for (const { column, ...block } of blocks) {
    const said = plain.slice(block.start, block.end);
    if (label && column <= label.column && !said.startsWith('#')) label = column < label.column ? undefined : label;
    if (LABEL.test(said)) {
      label = { context: contextOf(plain, block), column };
      continue;
    }
    if (isOnlyMarks(said)) continue;
    const pieces = said.length <= LONGEST_PART ? [{ start: 0, end: said.length }] : splitSentences(said);
    for (const { start, end } of pieces)
      parts.push({
        start: block.start + start,
        end: block.start + end,
        ...(label?.context && { context: label.context }),
      });
  }
  return parts;
}
