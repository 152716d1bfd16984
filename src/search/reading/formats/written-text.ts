import type { TextSpan } from '../../domain/unit.ts';
import type { Unit } from '../../domain/unit.ts';
import { SourceText } from '../text/source-text.ts';
import { stringValue, type JsonToken } from './parse-json.ts';

/** A line of a text that a file of JSON holds as a string. */
export interface WrittenLine {
  text: string;
  /** The line of the file that it stands in. */
  line: number;
  /** Where each of its characters is written in the file, and where the last one ends. */
  places: readonly number[];
}

/** The lines of a string of JSON. One that ends with a line break ends there, and begins no other line. */
export function writtenLines(file: SourceText, token: JsonToken): WrittenLine[] {
  const { value, places } = decoded(file.text, token);
  const line = file.lineAt(token.start);
  const lines: WrittenLine[] = [];
  let start = 0;
  for (const text of value.replace(/\n$/, '').split('\n')) {
    const end = start + text.length;
    // A lone carriage return would be a line of its own.
    lines.push({ text: text.replaceAll('\r', ' '), line, places: places.slice(start, end + 1) });
    start = end + 1;
  }
  return lines;
}

/** The line as blanks: nobody reads it, and every place stays what it was. */
export const blanked = (line: WrittenLine): WrittenLine => ({ ...line, text: ' '.repeat(line.text.length) });

/** A string as it is meant, with the place of every character and of its end. */
function decoded(text: string, token: JsonToken): { value: string; places: number[] } {
  const value = stringValue(text, token);
  const places: number[] = [];
  let at = token.start + 1;
  for (let i = 0; i < value.length; i++) {
    places.push(at);
    at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
  }
  if (at === token.end - 1) return { value, places: [...places, at] };
  // Its escapes are broken, or it is not closed: as it is written.
  const written = text.slice(token.start + 1, token.end);
  return { value: written, places: Array.from({ length: written.length + 1 }, (_, i) => token.start + 1 + i) };
}

/** Lines of a text that a file holds in strings, read as a text of its own whose places lead back. */
export class WrittenText {
  readonly source: SourceText;
  readonly #lines: readonly WrittenLine[];
  /** For every line the last one of its part. */
  readonly #lastLines: readonly number[];

  /** @param parts What stands in one part of the file and ends there, such as a cell. */
  constructor(parts: readonly (readonly WrittenLine[])[]) {
    this.#lines = parts.flat();
    this.source = new SourceText(this.#lines.map(({ text }) => text).join('\n'));
    let last = 0;
    this.#lastLines = parts.flatMap((lines) => {
      last += lines.length;
      return lines.map(() => last);
    });
  }

  /** Units of this text by their places in the file. */
  placed(units: readonly Unit[]): Unit[] {
    return units.map(({ context, ...unit }) => {
      const placed = { ...unit, ...this.#placeOf(unit) };
      if (!context) return placed;
      const { start, end } = context;
      const place = start === undefined || end === undefined ? {} : this.#placeOf({ start, end });
      return { ...placed, context: { ...context, ...place } };
    });
  }

  #placeOf({ start, end }: TextSpan): TextSpan {
    const lastLine = this.#lastLines[this.source.lineAt(start) - 1] ?? 0;
    const last = Math.min(end, this.source.offsetOf(lastLine) + this.source.line(lastLine).length);
    return { start: this.#placeAt(start, 0), end: this.#placeAt(Math.max(start, last - 1), 1) };
  }

  #placeAt(offset: number, behind: 0 | 1): number {
    const line = this.source.lineAt(offset);
    const places = this.#lines[line - 1]?.places ?? [];
    return places[offset - this.source.offsetOf(line) + behind] ?? places.at(-1) ?? 0;
  }
}
