import { withoutThoughts } from './thoughts.ts';

/** Deepest nesting read; deeper text is no reply of ours. */
const MAX_DEPTH = 100;
/** A repetitive reply may hold thousands of braces: this many starts are tried. */
const MAX_STARTS = 50;
/**
 * Characters read in all, over all starts: many brackets that each lead nowhere would else be read to the end again and
 * again.
 */
const MOST_READ = 2_000_000;
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
  ['undefined', null],
  ['NaN', null],
]);

class NotJson extends Error {}

/**
 * Every value that can be read out of a model's reply, likeliest first: the whole text, fenced blocks, then each object
 * or array standing in prose; none of a thought that ended. Reads what models write for JSON: trailing and missing
 * commas, single and typographic quotes, bare keys, comments, raw line breaks in strings, and a text that ends too
 * early. Empty when there is nothing of the kind.
 *
 * The library `jsonrepair` (3.15.0), behind ten lines that find where a value begins and ends in prose, fails five of
 * this file's tests: `'it's'` becomes `it"s`, a value that never came null and `fal` a text, `[see above]` a list,
 * and it reads as deep as the stack goes.
 */
export function jsonCandidates(reply: string): unknown[] {
  const text = withoutThoughts(reply, 'kept').trim();
  const whole = parseStrictly(reply) ?? parseStrictly(text); // a reply that is JSON may speak of the marks of thoughts
  if (whole !== undefined) return [whole.value];
  const found: unknown[] = [];
  for (const [, block] of text.matchAll(/```[^\n`]*\n([\s\S]*?)(?:```|$)/g)) {
    const strict = parseStrictly((block ?? '').trim());
    if (strict) found.push(strict.value);
  }
  let starts = 0;
  let read = 0;
  for (let at = nextStart(text, 0); at >= 0 && starts < MAX_STARTS && read < MOST_READ; starts += 1) {
    const reader = new LenientReader(text, at);
    const value = reader.read();
    if (value) found.push(value.value);
    read += reader.at - at;
    at = nextStart(text, value ? reader.at : at + 1);
  }
  return found;
}

function parseStrictly(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined; // the lenient reader goes on from here
  }
}

function nextStart(text: string, from: number): number {
  const start = /[{[]/g;
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

/** Recursive descent over one object or array that begins at an offset. */
class LenientReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** How far it has read. */
  get at(): number {
    return this.#at;
  }

  /** Undefined when what stands here is prose in brackets. */
  read(): { value: unknown } | undefined {
    try {
      return { value: this.#value(0) };
    } catch (error) {
      if (error instanceof NotJson) return undefined;
      throw error;
    }
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotJson();
    const open = this.#text[this.#at] ?? '';
    if (open === '{') return this.#object(depth);
    if (open === '[') return this.#array(depth);
    if (closingQuotes(open)) return this.#string();
    return this.#bare();
  }

  #object(depth: number): unknown {
    const entries: [string, unknown][] = [];
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#ended()) break;
      if (this.#take('}')) break;
      const key = closingQuotes(this.#text[this.#at] ?? '') ? this.#string() : this.#match(/[\p{L}_$][\p{L}\d_$-]*/uy);
      if (key === undefined) throw new NotJson();
      this.#skip();
      if (this.#ended()) break; // a key whose value never came
      if (!this.#take(':')) throw new NotJson();
      this.#skip();
      if (this.#ended()) break;
      entries.push([key, this.#value(depth + 1)]);
    }
    return Object.fromEntries(entries); // defines own properties: a `__proto__` in a reply stays data
  }

  #array(depth: number): unknown {
    const items: unknown[] = [];
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#ended()) break;
      if (this.#take(']')) break;
      items.push(this.#value(depth + 1));
    }
    return items;
  }

  #string(): string {
    const open = this.#text[this.#at] ?? '';
    const closing = closingQuotes(open) ?? '';
    let value = '';
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at] ?? '';
      if (char === '\\') {
        value += this.#escape();
      } else if (closing.includes(char) && this.#closes(char)) {
        this.#at += 1;
        break;
      } else {
        value += char;
      }
    }
    return value;
  }

  /**
   * A quote ends a string where JSON goes on behind it: an apostrophe and an unescaped quotation in the text do not.
   */
  #closes(quote: string): boolean {
    const rest = this.#text.slice(this.#at + 1, this.#at + 40);
    if (quote === '"') return /^\s*(?:[,:}\]]|$|["}\]]|\/\/|\n)/.test(rest);
    return /^\s*(?:[,:}\]]|$)/.test(rest);
  }

  #escape(): string {
    this.#at += 1;
    const char = this.#text[this.#at] ?? '';
    if (char === 'u') {
      const code = /^[\da-fA-F]{4}/.exec(this.#text.slice(this.#at + 1, this.#at + 5))?.[0];
      if (!code) return '';
      this.#at += 4;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[char] ?? char;
  }

  #bare(): unknown {
    const word = this.#match(/[A-Za-z]+/y);
    if (word !== undefined) {
      if (LITERALS.has(word)) return LITERALS.get(word);
      if (this.#ended()) return null; // `tru` at the end of a cut reply
      throw new NotJson();
    }
    const number = this.#match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y);
    if (number === undefined) throw new NotJson();
    return Number(number);
  }

  /** Spaces, comments and commas: a missing or a doubled comma changes nothing. */
  #skip(): void {
    for (;;) {
      this.#match(/[\s,]+/y);
      if (this.#text.startsWith('//', this.#at)) {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end < 0) return; // a comment without an end is none
        this.#at = end + 2;
      } else return;
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #ended(): boolean {
    return this.#at >= this.#text.length;
  }
}

/** Characters that may close what this one opens; undefined when it opens nothing. */
function closingQuotes(open: string): string | undefined {
  return { '"': '"', "'": "'", '“': '”"', '‘': "’'", '`': '`' }[open];
}
