import { expression } from '#base';
import type { PlacedUse, Program } from './program.ts';

/**
 * Where a text leaves room for a value, as languages write it: `${name}`, `{name}`, `#{name}`, `\(name)`, `%s`,
 * `$name`.
 */
const ROOM = expression('g')`
  \$\{[^{}]{0,80}\}|#\{[^{}]{0,80}\}|\\\([^()]{0,80}\)|\{[^{}]{0,80}\}|%[-+#0-9.*]{0,6}(?:ll|[lhz])?[a-zA-Z@]|
  \$[A-Za-z_]\w{0,40}
`;
/** Of a text that is found by what was filled in, so many letters have to be its own. */
const LEAST_LETTERS = 6;

/** The words of a text around the values that are filled in. */
const partsOf = (text: string): string[] => text.split(ROOM).map((part) => part.replace(/\s+/g, ' '));

const JOINTS = ' :;,.\'"`()[]-';

/** Without what joins a part to a value: `cannot open '` and `: `. */
function bare(part: string): string {
  let [start, end] = [0, part.length];
  while (start < end && JOINTS.includes(part[start] ?? '')) start += 1;
  while (end > start && JOINTS.includes(part[end - 1] ?? '')) end -= 1;
  return part.slice(start, end);
}

interface Text {
  parts: string[];
  uses: PlacedUse[];
}

/** Thrown texts of a program that leave room for a value, found by what they say when one is filled in. */
export class FilledTexts {
  readonly #texts: Text[] = [];

  constructor(program: Program) {
    for (const [name, uses] of program.thrown) {
      const parts = partsOf(name);
      if (parts.length > 1) this.#texts.push({ parts, uses });
    }
  }

  /**
   * Places of texts that are this one with values filled in, that only name the values otherwise, or have it as a part.
   */
  find(asked: string): PlacedUse[] {
    if (!asked.includes(' ')) return [];
    const parts = partsOf(asked);
    const [whole = ''] = parts;
    const said = bare(whole);
    return this.#texts
      .filter((text) =>
        parts.length > 1
          ? text.parts.length === parts.length && text.parts.every((part, i) => part === parts[i])
          : says(text.parts, whole) || (said !== '' && text.parts.some((part) => bare(part) === said)),
      )
      .flatMap(({ uses }) => uses);
  }
}

/** Whether a message is made of these parts, with anything between them. */
function says(parts: readonly string[], message: string): boolean {
  if (parts.join('').replace(/\P{L}/gu, '').length < LEAST_LETTERS) return false;
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (!message.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = message.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return message.endsWith(last) && message.length - last.length >= at;
}
