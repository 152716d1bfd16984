import type { TextFormat } from '../formats/file-format.ts';
import { parseTextBlocks } from '../formats/parse-plain-text.ts';
import type { CodeLanguage } from './code-language.ts';

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
