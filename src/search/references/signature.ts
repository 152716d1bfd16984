import { cutTo } from '#base';
import type { DefinitionKind } from '../domain/references.ts';

const HAS_BODY: ReadonlySet<string> = new Set<DefinitionKind>([
  'function',
  'method',
  'class',
  'interface',
  'declaration',
]);
/** What a signature goes on with on a further line. */
const GOES_ON = /^\s{0,200}(?:where\b|extends\b|implements\b|throws\b|returns?\b|->|=>|:|,|\)|\.\.\.)/;
const MOST_LINES = 40;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * How a definition is called: all up to its body, on one line; '' for what has none. Brackets are counted, and what
 * stands in quotation marks does not count.
 * @param lines From the line of its name to its end, as far as they are known.
 */
export function signatureOf(kind: string, lines: readonly string[], longest: number): string {
  if (!HAS_BODY.has(kind)) return '';
  const open: string[] = [];
  const found: string[] = [];
  for (const [i, line] of lines.slice(0, MOST_LINES).entries()) {
    if (i > 0 && open.length === 0 && !GOES_ON.test(line) && !/(?:\bwhere|,)$/.test(found.at(-1) ?? '')) break;
    const { end, ends } = partOf(line, open);
    found.push(line.slice(0, end).trim());
    if (ends) break;
  }
  const whole = found
    .join(' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1');
  return cutTo(whole.replace(/(?:\s=|[:;,])\s*$/, '').trim(), longest);
}

/**
 * How far a line belongs to it: up to a comment, or to the body, with which it ends.
 * @param open The closing brackets that are waited for.
 */
function partOf(line: string, open: string[]): { end: number; ends: boolean } {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (isQuote(line, at)) quote = character;
    else if (/^(?:\/[/*]|# )/.test(line.slice(at, at + 2))) return { end: at, ends: false };
    else if (character === open.at(-1)) open.pop();
    else if (open.length === 0 && (beginsBody(line, at) || character === ';')) return { end: at, ends: true };
    else if (CLOSING[character]) open.push(CLOSING[character]);
  }
  return { end: line.length, ends: false };
}

/** `'` is also how Rust writes a lifetime. */
const isQuote = (line: string, at: number): boolean =>
  line[at] === '"' || line[at] === '`' || (line[at] === "'" && !/^'\w+\b(?!')/.test(line.slice(at)));

/** `{` of a body, and not of a type as in `open(): { lines: Lines } {`; `=>` and `=` of one that is a value. */
function beginsBody(line: string, at: number): boolean {
  if (line[at] === '{') return !/[:|&<]\s*$/.test(line.slice(0, at));
  return line.startsWith('=> ', at) || (line.startsWith('= ', at) && /\)[^)]*$/.test(line.slice(0, at)));
}
