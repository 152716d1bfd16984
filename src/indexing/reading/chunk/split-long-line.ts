/** A part of one line: 0-based start column, exclusive end. */
export interface ColumnRange {
  start: number;
  end: number;
}

/** How far back from the limit a nicer place to break is looked for, as a share of the part. */
const SLACK = 0.3;

/**
 * Cuts a line into consecutive parts for which `fits` holds: at the end of a sentence, else of a word, else anywhere but
 * inside a surrogate pair. The first guess is `charactersPerPart`; parts that do not fit are made smaller.
 */
export function splitLongLine(line: string, charactersPerPart: number, fits: (part: string) => boolean): ColumnRange[] {
  const parts: ColumnRange[] = [];
  const guess = Math.max(1, Math.floor(charactersPerPart));
  let start = 0;
  let size = guess;
  while (start < line.length) {
    let end = niceEnd(line, start, Math.min(line.length, start + size));
    while (size > 1 && end - start > 1 && !fits(line.slice(start, end))) {
      size = Math.max(1, Math.floor(Math.min(size, end - start) * 0.7));
      end = niceEnd(line, start, Math.min(line.length, start + size));
    }
    parts.push({ start, end });
    // Dense stretches shrink the guess; it grows back where the line is thinner.
    size = Math.min(guess, Math.ceil(size * 1.25) + 1);
    start = end;
  }
  return parts;
}

function niceEnd(line: string, start: number, end: number): number {
  if (end >= line.length) return line.length;
  const earliest = Math.max(start + 1, Math.floor(end - (end - start) * SLACK));
  for (let at = end; at > earliest; at--) if (/[.!?;]/.test(line[at - 1] ?? '') && /\s/.test(line[at] ?? '')) return at;
  for (let at = end; at > earliest; at--) if (/[\s,;}\])>]/.test(line[at - 1] ?? '')) return at;
  const code = line.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
