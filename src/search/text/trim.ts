import type { TextSpan } from '../domain/unit.ts';

/**
 * A text without the characters at its end that an expression for one character accepts. Expressions like `/[.\s]+$/`
 * try every run of them anew.
 */
export function withoutTrailing(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A stretch without the blanks at both ends; undefined where nothing else is there. */
export function trimmed(text: string, { start, end }: TextSpan): TextSpan | undefined {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from] ?? '')) from += 1;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to -= 1;
  return from < to ? { start: from, end: to } : undefined;
}

/** A stretch in quotation marks, without them. */
interface Quotation {
  /** Offset of its first character, behind the mark. */
  start: number;
  text: string;
}

/**
 * What stands between an opening mark and the next closing one, where that is at least 2 and at most `most` characters;
 * none overlap. `stops`: characters that may not stand between; the marks that close are among them. Time grows with
 * the length of the text alone.
 */
export function quotations(
  text: string,
  marks: { opens: string; closes: string; stops: string; most: number; length?: (text: string) => number },
): Quotation[] {
  const { opens, closes, stops, most, length = (part) => part.length } = marks;
  const found: Quotation[] = [];
  let stop = -1;
  for (let at = 0; at < text.length; at += 1) {
    if (!opens.includes(text.charAt(at))) continue;
    if (stop <= at) for (stop = at + 1; stop < text.length && !stops.includes(text.charAt(stop)); stop += 1);
    if (stop >= text.length) break; // nothing closes any more
    // Characters of two units count once where `length` says so: a stretch of more than twice as many units is too long
    // either way.
    const inner = stop - at - 1 <= 2 * most ? text.slice(at + 1, stop) : undefined;
    if (inner === undefined || !closes.includes(text.charAt(stop)) || length(inner) > most) continue;
    if (length(inner) >= 2) found.push({ start: at + 1, text: inner });
    at = stop; // also the mark that closes a single character opens nothing
  }
  return found;
}
