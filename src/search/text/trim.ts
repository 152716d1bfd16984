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
