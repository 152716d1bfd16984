import type { TextSpan } from '../../model/passage-chain.ts';

/** Where quoted words stand in a text; white space, quotation marks, dashes, case and Markdown emphasis do not count. `…` skips. undefined: nowhere. */
export function findQuote(text: string, quote: string): TextSpan | undefined {
  const parts = quote.split(/…|\.\.\.|\[…\]/u).map((part) => normalise(part).text.trim()).filter(Boolean);
  if (parts.length === 0) return undefined;
  const source = normalise(text);
  let start = -1;
  let at = 0;
  for (const part of parts) {
    const found = source.text.indexOf(part, at);
    if (found < 0) return undefined;
    if (start < 0) start = found;
    at = found + part.length;
  }
  const first = source.offsets[start];
  const last = source.offsets[at - 1];
  return first === undefined || last === undefined ? undefined : { start: first, end: last + 1 };
}

const SAME: Readonly<Record<string, string>> = { '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '‘': "'", '’': "'", '‚': "'", '–': '-', '—': '-', '‑': '-', '−': '-', '\u00a0': ' ' };

/** Comparable characters, each with its offset in the original. */
function normalise(text: string): { text: string; offsets: number[] } {
  let out = '';
  let afterSpace = true; // at the beginning, too, white space does not count
  const offsets: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = SAME[text[i] ?? ''] ?? (text[i] ?? '').toLowerCase();
    if (char === '*' || char === '`' || char === '_') continue;
    const space = /\s/.test(char);
    if (space && afterSpace) continue;
    afterSpace = space;
    for (const unit of space ? ' ' : char) {
      out += unit;
      for (let n = 0; n < unit.length; n++) offsets.push(i);
    }
  }
  return { text: out, offsets };
}
