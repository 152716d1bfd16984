import { baseName, wordSet } from '#base';
import { codeLanguages } from '../code/code-languages.ts';
import type { CodeLanguage } from '../code/code-language.ts';
import { docx } from './extract-docx.ts';
import { pdf } from './extract-pdf.ts';
import type { FileFormat, TextFormat } from './file-format.ts';
import { asciidoc } from './parse-asciidoc.ts';
import { csv } from './parse-csv.ts';
import { html } from './parse-html.ts';
import { json } from './parse-json.ts';
import { manPage } from './parse-man-page.ts';
import { markdown } from './parse-markdown.ts';
import { notebook } from './parse-notebook.ts';
import { parseTextBlocks, plainText, textBlocks } from './parse-text-blocks.ts';
import { restructuredText } from './parse-restructured-text.ts';
import { toml } from './parse-toml.ts';
import { yaml } from './parse-yaml.ts';

/** All formats: the one place where each is named. A link without an extension is tried in this order. */
export const fileFormats: readonly FileFormat[] = [
  codeFormat(codeLanguages),
  markdown,
  restructuredText,
  asciidoc,
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
      (await code.supports(language)) ? code.parse(source, path, language) : parseTextBlocks(source, language),
  };
}

export interface FileLanguage {
  /** VS Code's language id; `plaintext` when there is none. */
  language: string;
  format: FileFormat;
}

type Known = 'extensions' | 'names' | 'beginnings' | 'interpreters';

/** What is known of files by their names, from the descriptions of some formats. */
export class FileKinds {
  readonly #by: Readonly<Record<Known, ReadonlyMap<string, FileLanguage>>>;

  constructor(formats: readonly FileFormat[]) {
    const table = (of: Known): ReadonlyMap<string, FileLanguage> =>
      new Map(
        formats.flatMap((format) =>
          Object.entries(format[of] ?? {}).map(([key, language]) => [key, { language, format }] as const),
        ),
      );
    this.#by = {
      extensions: table('extensions'),
      names: table('names'),
      beginnings: table('beginnings'),
      interpreters: table('interpreters'),
    };
  }

  /** Language and format by name and, for files of which that says nothing, by how their text begins. */
  of(path: string, text = ''): FileLanguage {
    const name = baseName(path);
    const { names, extensions, beginnings } = this.#by;
    const named = names.get(name.toLowerCase()) ?? extensions.get(extensionOf(name));
    // `guide.md.erb`, `values.yaml.tmpl`, `config.toml.example`: what they become is what they are read as.
    if (PATTERNS.has(extensionOf(name))) {
      const made = this.of(name.slice(0, name.lastIndexOf('.')), text);
      const isKnown = made.format !== textBlocks || made.language !== 'plaintext';
      if (!('extract' in made.format) && (isKnown || !named)) return made;
    }
    if (named && (named.format.holds?.(text) ?? true))
      return { ...named, language: named.format.languageOf?.(name, named.language) ?? named.language };
    const begun = [...beginnings].find(([beginning]) => name.toLowerCase().startsWith(beginning))?.[1];
    return begun ?? this.#interpreted(text) ?? { language: 'plaintext', format: textBlocks };
  }

  /** Files whose text has to be taken out of them. */
  isDocument(path: string): boolean {
    return 'extract' in this.of(path).format;
  }

  #interpreted(text: string): FileLanguage | undefined {
    if (!text.startsWith('#!')) return undefined;
    const end = text.indexOf('\n');
    for (const word of text.slice(0, end < 0 ? text.length : end).split(/\W/)) {
      const found = this.#by.interpreters.get(word.slice(0, word.search(VERSION) + 1));
      if (found) return found;
    }
    return undefined;
  }
}

/** Extensions of a file from which another is made. */
const PATTERNS = wordSet(
  'ejs erb hbs handlebars j2 jinja jinja2 liquid mustache njk tmpl tpl template in dist example sample',
);
/** The last letter of a word and the digits behind it. */
const VERSION = /\D\d*$/;
const extensionOf = (name: string): string =>
  name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';

/** The formats that Hoptrail reads. */
export const fileKinds = new FileKinds(fileFormats);

/** True for a file whose text has to be taken out of it. */
export const isDocument = (path: string): boolean => fileKinds.isDocument(path);
