const PROSE = new Set([
  'markdown',
  'mdx',
  'plaintext',
  'restructuredtext',
  'asciidoc',
  'org',
  'roff',
  'html',
  'latex',
  'pdf',
  'docx',
]);

/** What is written in such a language (VS Code's id) is for people to read; any other is code or data. */
export const isProseLanguage = (language: string): boolean => PROSE.has(language);

/**
 * How many lines at the beginning of a text are front matter, fences included. 0 where there is none, or nothing else.
 */
export function frontMatterLines(lines: readonly string[]): number {
  const isFence = (line: string | undefined): boolean => line?.trimEnd() === '---';
  if (!isFence(lines[0])) return 0;
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  return end < 0 || lines.slice(end + 1).every((line) => line.trim() === '') ? 0 : end + 1;
}
