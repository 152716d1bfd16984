import { baseName, wordSet } from '#base';
import { codeLanguages } from '../code/code-languages.ts';
import { knowEndings } from '../links/text-links.ts';
import { docx } from './extract-docx.ts';
import { pdf } from './extract-pdf.ts';
import type { FileFormat, TextFormat } from './file-format.ts';
import { markedText } from './marked-text.ts';
import { csv } from './parse-csv.ts';
import { html } from './html.ts';
import { components } from './components.ts';
import { json } from './parse-json.ts';
import { markdown } from './markdown/markdown.ts';
import { notebook } from './parse-notebook.ts';
import { parseTextBlocks, plainText, textBlocks } from './parse-text-blocks.ts';
import { toml } from './parse-toml.ts';
import { yaml } from './parse-yaml.ts';

const languageBy = (of: 'extensions' | 'names' | 'interpreters'): Record<string, string> =>
  Object.fromEntries(codeLanguages.flatMap((language) => (language[of] ?? []).map((key) => [key, language.id])));

/** Programs: each is read by its grammar, or as text blocks where that does not load. */
const code: TextFormat = {
  name: 'code',
  extensions: languageBy('extensions'),
  names: languageBy('names'),
  interpreters: languageBy('interpreters'),
  generated: true,
  minified: codeLanguages.flatMap(({ id, minified }) => (minified ? [id] : [])),
  read: async (source, path, { language, code: parser }) =>
    (await parser.supports(language)) ? parser.parse(source, path, language) : parseTextBlocks(source, language),
};

/** All formats: the one place where each is named. A link without an extension is tried in this order. */
export const fileFormats: readonly FileFormat[] = [
  code,
  components,
  markdown,
  markedText,
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

knowEndings(fileFormats.flatMap((format) => Object.keys(format.extensions)));

interface FileKind {
  /** VS Code's language id; `plaintext` when there is none. */
  language: string;
  format: FileFormat;
}

const kindsBy = (of: 'extensions' | 'names' | 'beginnings' | 'interpreters'): ReadonlyMap<string, FileKind> =>
  new Map(
    fileFormats.flatMap((format) =>
      Object.entries(format[of] ?? {}).map(([key, language]) => [key, { language, format }] as const),
    ),
  );
const EXTENSIONS = kindsBy('extensions');
const NAMES = kindsBy('names');
const BEGINNINGS = kindsBy('beginnings');
const INTERPRETERS = kindsBy('interpreters');

/** Extensions of a file from which another is made. */
const PATTERNS = wordSet(
  'ejs erb hbs handlebars j2 jinja jinja2 liquid mustache njk tmpl tpl template in dist example sample',
);
/** The last letter of a word and the digits behind it. */
const VERSION = /\D\d*$/;
const extensionOf = (name: string): string =>
  name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';

/** Language and format by name and, for files of which that says nothing, by how their text begins. */
export function fileKindOf(path: string, text = ''): FileKind {
  const name = baseName(path);
  const extension = extensionOf(name);
  const named = NAMES.get(name.toLowerCase()) ?? EXTENSIONS.get(extension);
  // `guide.md.erb`, `values.yaml.tmpl`, `config.toml.example`: a template is read as the file that it becomes.
  if (PATTERNS.has(extension)) {
    const made = fileKindOf(name.slice(0, name.lastIndexOf('.')), text);
    const isKnown = made.format !== textBlocks || made.language !== 'plaintext';
    if (!('extract' in made.format) && (isKnown || !named)) return made;
  }
  if (named && (named.format.holds?.(text, named.language) ?? true))
    return { ...named, language: named.format.languageOf?.(name, named.language) ?? named.language };
  const begun = [...BEGINNINGS].find(([beginning]) => name.toLowerCase().startsWith(beginning))?.[1];
  return begun ?? interpreted(text) ?? { language: 'plaintext', format: textBlocks };
}

/** What the program reads that a text names on its first line. */
function interpreted(text: string): FileKind | undefined {
  if (!text.startsWith('#!')) return undefined;
  for (const word of (text.split('\n', 1)[0] ?? '').split(/\W/)) {
    const found = INTERPRETERS.get(word.slice(0, word.search(VERSION) + 1));
    if (found) return found;
  }
  return undefined;
}

/** True for a file whose text has to be taken out of it. */
export const isDocument = (path: string): boolean => 'extract' in fileKindOf(path).format;
