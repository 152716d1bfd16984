/** A token of JSON, JSON with comments or JSON5; `word` is any literal, number or bare key. */
export interface JsonToken {
  type: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'word';
  start: number;
  /** Exclusive. */
  end: number;
}

const PUNCTUATION = new Set(['{', '}', '[', ']', ',', ':']);

/**
 * The tokens of a JSON text in order, whatever its depth and however broken it is: an unclosed string ends with its
 * line. A scanner of our own, because a parser would recurse and give up at the first mistake.
 */
export function* jsonTokens(text: string): Generator<JsonToken> {
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    const start = at;
    if (PUNCTUATION.has(character)) {
      at += 1;
      yield { type: character as JsonToken['type'], start, end: at };
    } else if (character === '"' || character === "'") {
      at = endOfString(text, at, character);
      yield { type: 'string', start, end: at };
    } else if (/\s/.test(character)) at += 1;
    else if (text.startsWith('//', at)) at = after(text, '\n', at);
    else if (text.startsWith('/*', at)) at = after(text, '*/', at + 2);
    else {
      while (at < text.length && !/[\s{}[\],:"']/.test(text[at] ?? '')) at += 1;
      yield { type: 'word', start, end: at };
    }
  }
}

function after(text: string, ending: string, from: number): number {
  const at = text.indexOf(ending, from);
  return at < 0 ? text.length : at + ending.length;
}

function endOfString(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 10) return at;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

/** The value of a string token; as written when its escapes are broken. */
export function stringValue(text: string, token: JsonToken): string {
  const raw = text.slice(token.start, token.end);
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'string' ? value : raw;
  } catch {
    return raw.replace(/^["']|["']$/g, '');
  }
}
