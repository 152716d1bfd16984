import { codeLanguages } from '../code/code-languages.ts';
import { docx } from './extract-docx.ts';
import { pdf } from './extract-pdf.ts';
import type { FileFormat, TextFormat } from './file-format.ts';
import { csv } from './parse-csv.ts';
import { html } from './parse-html.ts';
import { json } from './parse-json.ts';
import { manPage } from './parse-man-page.ts';
import { markdown } from './parse-markdown.ts';
import { notebook } from './parse-notebook.ts';
import { plainText, parseTextBlocks, textBlocks } from './parse-plain-text.ts';
import { restructuredText } from './parse-restructured-text.ts';
import { toml } from './parse-toml.ts';
import { yaml } from './parse-yaml.ts';
import type { CodeLanguage } from '../code/code-language.ts';

/** All formats: the one place where each is named. A link without an extension is tried in this order. */
export const fileFormats: readonly FileFormat[] = [
  codeFormat(codeLanguages),
  markdown,
  restructuredText,
  manPage,
  plainText,
  notebook,
  html,
  json,
  yaml,
  toml,
  csv,
  pdf,
  docx,
  textBlocks,
];

/** The files of these languages: each read by its grammar, or as text blocks where that does not load. */
export function codeFormat(languages: readonly CodeLanguage[]): TextFormat {
  const idBy = (of: 'extensions' | 'names' | 'interpreters'): Record<string, string> =>
    Object.fromEntries(languages.flatMap((language) => (language[of] ?? []).map((key) => [key, language.id])));
  return {
    name: 'code',
    extensions: idBy('extensions'),
    names: idBy('names'),
    interpreters: idBy('interpreters'),
    generated: true,
    read: async (source, path, { language, code }) =>
      (await code.supports(language)) ? code.parse(source, path, language) : parseTextBlocks(source),
  };
}
