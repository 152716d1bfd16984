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
