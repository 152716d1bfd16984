const PROSE = new Set([
  'markdown',
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
