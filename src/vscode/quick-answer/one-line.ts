const LONGEST = 160;

/** Text for a row of a list: one line, without citation marks, Markdown signs and icons. */
export function oneLine(text: string): string {
  const line = text.replace(/\[\d{1,3}\]/g, '').replace(/\$\(/g, '$ (').replace(/[*_`]+/g, '').replace(/^\s*(?:>|#+|[-*] )\s*/gm, '').replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

/** The first line of a passage that says something. */
export function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return oneLine(lines.find((line) => /[\p{L}\p{N}]{3}/u.test(line) && !line.startsWith('#')) ?? lines.find((line) => line !== '') ?? '');
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** The line of a passage that holds most of the query's words, with its offset from the first; the first telling line when none does. */
export function bestLine(text: string, query: string): { text: string; offset: number } {
  const wanted = new Set(wordsOf(query));
  let best = { text: firstLine(text), offset: 0, found: 0 };
  for (const [offset, line] of text.split('\n').entries()) {
    const found = new Set(wordsOf(line).filter((word) => wanted.has(word))).size;
    if (found > best.found) best = { text: oneLine(line), offset, found };
  }
  return { text: best.text, offset: best.offset };
}
