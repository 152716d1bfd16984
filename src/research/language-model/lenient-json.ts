import { jsonrepair } from 'jsonrepair';
import { parseJson } from '#base';
import { withoutThoughts } from './thoughts.ts';

/** Places where a value may begin, and characters read from them in all: a hostile reply is all brackets. */
const MOST_STARTS = 50;
const MOST_READ = 2_000_000;
/** Deepest nesting that is mended: the library recurses. */
const MOST_DEEP = 100;
/** What begins a value inside prose; `[1]` and `[see above]` are none. */
const BEGINS = /\{\s*["'“‘`}\w]|\[\s*[{["'“‘]/g;

/** Every value of a model's reply, likeliest first: the whole text, fenced blocks, objects and arrays in prose. */
export function jsonCandidates(reply: string): unknown[] {
  const text = withoutThoughts(reply, 'kept').trim();
  const whole = strict(reply) ?? strict(text); // a reply that is JSON may speak of the marks of thoughts
  if (typeof whole?.value === 'string' && whole.value.length < reply.length) return jsonCandidates(whole.value);
  if (whole !== undefined) return [whole.value];
  const found: unknown[] = [];
  for (const [, block = ''] of text.matchAll(/```[^\n`]*\n([\s\S]*?)(?:```|$)/g)) {
    const value = mended(block.trim(), endOfValue(block.trim(), 0).deepest);
    if (value) found.push(value.value);
  }
  let read = 0;
  let starts = 0;
  for (let at = nextStart(text, 0); at >= 0 && starts < MOST_STARTS && read < MOST_READ; starts += 1) {
    const { end, deepest } = endOfValue(text, at);
    read += end - at;
    const value = mended(text.slice(at, end), deepest);
    if (value) found.push(value.value);
    at = nextStart(text, value ? end : at + 1);
  }
  return found;
}

/** The first object in a text that a model wrote for JSON; `{}` where there is none. */
export function jsonObject(text: string): Record<string, unknown> {
  const object = jsonCandidates(text).find((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  return (object ?? {}) as Record<string, unknown>;
}

function strict(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined; // it may be mended
  }
}

function mended(text: string, deepest: number): { value: unknown } | undefined {
  const exact = strict(text);
  if (exact || deepest > MOST_DEEP || !/^[[{]/.test(text)) return exact;
  try {
    return { value: JSON.parse(jsonrepair(text)) as unknown };
  } catch {
    return undefined; // prose in brackets
  }
}

function nextStart(text: string, from: number): number {
  BEGINS.lastIndex = from;
  return BEGINS.exec(text)?.index ?? -1;
}

/** The end of the value that begins here, or of the text, and how deeply it nests; strings are passed over. */
function endOfValue(text: string, start: number): { end: number; deepest: number } {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"' && endsString(text, at)) inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, (depth += 1));
    else if ((char === '}' || char === ']') && (depth -= 1) <= 0) return { end: at + 1, deepest };
  }
  return { end: text.length, deepest };
}

/** A quote ends a string where JSON goes on behind it; an unescaped quotation in the text does not. */
const endsString = (text: string, quote: number): boolean =>
  /^\s*(?:[,:}\]"]|$|\/\/|\n)/.test(text.slice(quote + 1, quote + 40));
