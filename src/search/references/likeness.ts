/** Where a text leaves room for a value: `${name}`, `{name}`, `#{name}`, `\(name)`, `%s`, `$name`. */
const ROOM = /[$#]?\{[^{}]{0,80}\}|\\\([^()]{0,80}\)|%[-+#0-9.*]{0,6}(?:ll|[lhz])?[a-zA-Z@]|\$[A-Za-z_]\w{0,40}/g;

/** Whether a thrown text says all of a message around what is filled in, or has the message as a part. */
export function isFilled(text: string, message: string): boolean {
  const [parts, asked] = [text, message].map((one) => one.split(ROOM).map((part) => part.trim().replace(/\s+/g, ' ')));
  if (!parts || !asked) return false;
  if (asked.length > 1) return asked.join('\n') === parts.join('\n');
  const bare = (part: string): string => /\p{L}(?:.*\p{L})?/su.exec(part)?.[0] ?? '';
  if (bare(message) !== '' && parts.some((part) => bare(part) === bare(message))) return true;
  let at = 0;
  const isSaid = parts.every((part) => (at = message.indexOf(part, at) + part.length) >= part.length);
  const hasRoom = parts.length > 1 || text !== text.trim();
  return isSaid && hasRoom && parts.join('').replace(/\P{L}/gu, '').length >= 6;
}

/** Of names: 0 for the same, 1 or 2 for one that begins or ends with it or differs in as many characters, else more. */
export function unlikeness(asked: string, known: string): number {
  if (asked.length < 4 || known.length < 3) return asked === known ? 0 : Infinity;
  const edits = Math.abs(asked.length - known.length) <= 2 ? editDistance(asked, known) : Infinity;
  return Math.min(edits, known.startsWith(asked) || known.endsWith(asked) ? 2 : Infinity);
}

/** How many characters have to be put in, left out or replaced to make one text of another: Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row.at(-1) ?? 0;
}
