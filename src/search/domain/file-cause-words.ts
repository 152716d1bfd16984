import type { Breakdown, Excess, FileCause, FolderContent, ForeignKind, PlainCause, Swap } from './file-cause.ts';
import { inEnglish, type Translate } from './notices.ts';

/** Puts what an error said into the language of people; what is not known stays as it is. */
type Foreign = (said: string) => string;

type Code = FileCause['code'];
type DetailsOf<C extends Code> = C extends PlainCause
  ? Record<string, never>
  : Extract<FileCause, { code: C }>['details'];
type Words<C extends Code> = (t: Translate, details: DetailsOf<C>, foreign: Foreign) => string;

/**
 * Why a file was left out, or read as plain text, in a few words. English unless translated; `foreign` translates what
 * errors said.
 */
export function causeInWords(cause: FileCause, t: Translate = inEnglish, foreign: Foreign = (said) => said): string {
  const say = words[cause.code] as (t: Translate, details: FileCause['details'], foreign: Foreign) => string;
  return say(t, cause.details, foreign);
}

const words: { [C in Code]: Words<C> } = {
  secrets: (t) => t('it may hold secrets; "!" and its name in .hoptrailignore keeps it'),
  'own-rules': (t) => t('it says what is left out, and is no text to search'),
  'file-manager': (t) => t("the file manager's own data"),
  'lock-file': (t) => t('a lock file, written by a package manager'),
  'source-map': (t) => t('a source map'),
  'conflicted-copy': (t) => t('a copy that a program made when two edits conflicted'),
  'backup-copy': (t) => t('a copy that an editor made'),
  'link-to-folder': (t) => t('links to folders are not followed'),
  'no-file': (t) => t('it is neither a file nor a folder'),
  'no-content': (t) => t('the file has no content'),
  'name-not-utf8': (t) => t('its name is not valid UTF-8'),
  'link-outside': (t) => t('it links to a place outside of the folder'),
  'link-circle': (t) => t('it links to itself in a circle'),
  'link-to-nothing': (t) => t('it links to something that is not there'),
  denied: (t) => t('permission denied'),
  gone: (t) => t('it was there a moment ago and is gone'),
  'no-folder': (t) => t('no such folder is there'),
  grew: (t) => t('it grew beyond the limit while it was read'),
  blank: (t) => t('the file has blank lines only'),
  'first-line': (t) => t('its first line says that it is no text'),
  'exported-thread': (t) => t('a thread that Hoptrail exported'),
  'minified-by-name': (t) => t('its name and long lines say that it is minified or bundled'),
  minified: (t) => t('its very long lines say that it is minified'),
  'zero-bytes': (t) => t('it holds zero bytes'),
  'utf16-controls': (t) => t('it looks like UTF-16 but holds mostly control characters'),
  controls: (t) => t('it holds mostly control characters'),
  'pdf-without-text': (t) => t('the PDF has pictures of text only, or none at all'),
  'pdf-locked': (t) => t('the PDF asks for a password'),
  'document-without-text': (t) => t('the document has no text'),
  'no-language': (t) => t('its text reads like no language: its passages get their vectors last'),
  'ended-outside': (t) => t('something outside ended the process that read it'),
  'ended-twice': (t) => t('the index process ended twice while reading it'),
  folder: (t, { name, holds }) => folders[holds](t, name),
  extension: (t, { extension }) => t('.{0} files hold no text', extension),
  pattern: (t, { file }) => t('a pattern in {0} leaves it out', file ?? t("git's global excludes file")),
  overruled: (t, { folder }) =>
    t('its patterns leave out the whole of {0}, which was opened: they are not applied there', folder),
  setting: (t, { glob }) => t('the setting {0} leaves it out', glob),
  'too-large': (t, { bytes, most }) => t('{0} is more than the limit of {1}', size(bytes), size(most)),
  'link-back': (t, { to }) => t('it links back to {0}', placeIn(to, t)),
  'link-within': (t, { to }) => t('it links to {0}, which is read under its own path', placeIn(to, t)),
  disk: (_, { said }, foreign) => foreign(said),
  'slow-disk': (t, { seconds }) => t('it was not there to be read within {0} s', seconds),
  swapped: (t, { by }) => t('{0} while it was read', swapInWords(by, t)),
  generated: (t, { line }) => t('line {0} says that it is generated', line),
  'begins-like': (t, { kind }) => t('it begins like {0}', kinds[kind](t)),
  'pdf-damaged': (t, { said }, foreign) => t('the PDF is damaged ({0})', foreign(said)),
  'word-damaged': (t, { said }, foreign) => t('the Word document is damaged or encrypted ({0})', foreign(said)),
  'over-limit': (t, { document, excess }) => {
    const [what, limit] = excessInWords(excess, t);
    return document === 'pdf'
      ? t('the PDF {0}, the limit is {1}', what, limit)
      : t('the Word document {0}, the limit is {1}', what, limit);
  },
  extraction: (t, { broke }, foreign) => t('taking the text out of it {0}', breakdownInWords(broke, t, foreign)),
  reading: (t, { parser, asText }, foreign) =>
    t(
      'its parser {0}, and reading it as text {1}',
      breakdownInWords(parser, t, foreign),
      breakdownInWords(asText, t, foreign),
    ),
  'as-text': (t, { language, broke }, foreign) =>
    t('the {0} parser {1}, read as text blocks', language, breakdownInWords(broke, t, foreign)),
  'in-part': (t, { lines, of }) => t('its first {0} of {1} lines were read', count(lines), count(of)),
  encoding: (t, { encoding }) => t('nothing declares its encoding: it was read as {0}', encoding),
  refused: (t, { passages, said }, foreign) =>
    t('passages that are found by words only, as the embedding model refused them: {0} ({1})', passages, foreign(said)),
  'encoded-data': (t, { passages }) =>
    t('passages of encoded data (a picture, say), which are found by words only: {0}', passages),
  said: (_, { text }) => text,
};

const folders: Record<FolderContent, (t: Translate, name: string) => string> = {
  'version-control': (t, name) => t('{0} holds version control data', name),
  packages: (t, name) => t('{0} holds installed packages', name),
  cache: (t, name) => t('{0} holds a cache', name),
  'build-output': (t, name) => t('{0} holds build output', name),
  'notebook-copies': (t, name) => t('{0} holds copies of notebooks', name),
  trash: (t, name) => t('{0} holds what was thrown away', name),
  versions: (t, name) => t('{0} holds earlier versions of files', name),
};

const swaps: Record<Swap, (t: Translate) => string> = {
  link: (t) => t('a link took its place'),
  'no-file': (t) => t('something that is no file took its place'),
  'other-file': (t) => t('another file took its place'),
  'link-above': (t) => t('a link that leads out of the workspace took the place of a folder above it'),
};

/** What took a file's place, in a sentence. English unless translated. */
export const swapInWords = (swap: Swap, t: Translate = inEnglish): string => swaps[swap](t);

const kinds: Record<ForeignKind, (t: Translate) => string> = {
  png: (t) => t('a PNG picture'),
  jpeg: (t) => t('a JPEG picture'),
  gif: (t) => t('a GIF picture'),
  zip: (t) => t('a ZIP archive'),
  gzip: (t) => t('a gzip archive'),
  elf: (t) => t('an ELF program'),
  pdf: (t) => t('a PDF document'),
  'java-or-mach-o': (t) => t('a Java class or Mach-O program'),
  webassembly: (t) => t('a WebAssembly module'),
};

/** How reading broke down, to complete "its parser …". English unless translated. */
export function breakdownInWords(
  { code, details }: Breakdown,
  t: Translate = inEnglish,
  foreign: Foreign = (said) => said,
): string {
  switch (code) {
    case 'failed':
      return t('failed ({0})', foreign(details.said));
    case 'took-longer':
      return t('took longer than {0} s', details.seconds);
    case 'needed-more':
      return t('needed more than {0} MB of memory', details.megabytes);
    case 'ended-process':
      return t('ended the process that read it ({0})', details.how);
  }
}

/** What is over the limit, to complete "the PDF …", and the limit. */
function excessInWords({ code, details }: Excess, t: Translate): [what: string, limit: string] {
  switch (code) {
    case 'pages':
      return [t('has {0} pages', count(details.pages)), count(details.most)];
    case 'characters':
      return [
        t('has more text than {0} characters by its page {1}', count(details.most), count(details.page)),
        t('{0} characters', count(details.most)),
      ];
    case 'page-takes':
      return [
        t('takes longer than {0} s over page {1}', details.seconds, count(details.page)),
        t('{0} s a page', details.seconds),
      ];
    case 'entries':
      return [t('has {0} entries', count(details.entries)), count(details.most)];
    case 'elements':
      return [t('has {0} elements', count(details.elements)), count(details.most)];
    case 'unpacked':
      return [t('unpacks to {0} MB', details.megabytes), `${details.most} MB`];
    case 'ratio':
      return [t('unpacks to {0} times its size', count(details.times)), t('{0} times', details.most)];
    case 'nesting':
      return [t('nests its elements {0} deep in {1}', count(details.depth), details.part), count(details.most)];
  }
}

const count = (value: number): string => value.toLocaleString('en-GB');
const size = (bytes: number): string => (bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : `${bytes} bytes`);
const placeIn = (path: string, t: Translate): string => path || t('the folder itself');
