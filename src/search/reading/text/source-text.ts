import type { TextSpan } from '../../domain/unit.ts';

/**
 * A decoded file as lines. Lines end as in VS Code: at \r\n, \n or a lone \r; all offsets are into `text`, where every
 * line end is \n, so that line numbers are those that the editor shows.
 */
export class SourceText {
  readonly text: string;
  readonly lines: readonly string[];
  /** Offset of each line's first character in `text`. */
  readonly #starts: Uint32Array;

  constructor(raw: string) {
    this.text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
    this.lines = this.text.split('\n');
    this.#starts = new Uint32Array(this.lines.length);
    let offset = 0;
    for (let i = 0; i < this.lines.length; i++) {
      this.#starts[i] = offset;
      offset += (this.lines[i] ?? '').length + 1;
    }
  }

  /** Number of lines; a final newline does not start one more in what people count, but it does here (an empty one). */
  get lineCount(): number {
    return this.lines.length;
  }

  /** 1-based line; '' beyond the end. */
  line(number: number): string {
    return this.lines[number - 1] ?? '';
  }

  /** 1-based line that holds the offset. */
  lineAt(offset: number): number {
    return Math.max(
      1,
      firstWhere(this.#starts.length, (line) => (this.#starts[line] ?? 0) > offset),
    );
  }

  /** Offset of the first character of a 1-based line. */
  offsetOf(line: number): number {
    return line > this.#starts.length ? this.text.length : (this.#starts[Math.max(0, line - 1)] ?? 0);
  }

  /** Offsets of lines, both ends included, without the line end behind the last. */
  spanOf(line: number, lastLine = line): TextSpan {
    return { start: this.offsetOf(line), end: this.offsetOf(lastLine) + this.line(lastLine).length };
  }

  /** Offsets of each of these lines; none where the last comes before the first. */
  spansOf(line: number, lastLine: number): TextSpan[] {
    return Array.from({ length: Math.max(0, lastLine - line + 1) }, (_, i) => this.spanOf(line + i));
  }

  /** Line of an offset, and its 0-based column. */
  placeOf(offset: number): { line: number; column: number } {
    const line = this.lineAt(offset);
    return { line, column: offset - this.offsetOf(line) };
  }

  /** The last line up to which each one goes on with what began on a line. */
  lastWhile(line: number, goesOn: (next: number) => boolean): number {
    let end = line;
    while (end < this.lineCount && goesOn(end + 1)) end += 1;
    return end;
  }

  /** Exact text of the lines, both ends included. */
  slice(startLine: number, endLine: number): string {
    return this.lines.slice(startLine - 1, endLine).join('\n');
  }

  isBlank(line: number): boolean {
    return isBlank(this.line(line));
  }

  /** @param lastLine Lines behind it do not count. */
  nonBlankLines(lastLine = this.lineCount): number {
    return this.lines.filter((line, i) => i < lastLine && !isBlank(line)).length;
  }
}

/**
 * The first of so many places in order at which something holds, as it does at all that follow; their number where it
 * holds at none. A search by halves.
 */
export function firstWhere(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A line that holds nothing to read. */
export const isBlank = (line: string): boolean => line.trim() === '';

/** A text without a letter or a digit. */
export const isOnlyMarks = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);
