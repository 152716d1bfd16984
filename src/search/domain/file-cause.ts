import { z } from 'zod';
import { parsedJson } from '#base';
import { inEnglish, type Translate } from './notices.ts';

/** Puts what an error said into the language of people; what is not known stays as it is. */
type Foreign = (said: string) => string;

const text = z.string();
const number = z.number();

/** One case: what is known of it, and its words. */
const when = <Shape extends z.ZodRawShape, Words = string>(
  shape: Shape,
  words: (t: Translate, details: z.infer<z.ZodObject<Shape>>, foreign: Foreign) => Words,
) => ({ details: z.object(shape), words });

type Cases<Words> = Record<
  string,
  { details: z.ZodType; words(t: Translate, details: never, foreign: Foreign): Words }
>;
/** One of some cases as data. */
type OneOf<All extends Cases<unknown>> = {
  [Code in keyof All]: { code: Code; details: z.infer<All[Code]['details']> };
}[keyof All];

const schemaOf = <All extends Cases<unknown>>(cases: All): z.ZodType<OneOf<All>> => {
  const schemas = Object.entries(cases).map(([code, { details }]) => z.object({ code: z.literal(code), details }));
  return z.discriminatedUnion('code', schemas as never) as unknown as z.ZodType<OneOf<All>>;
};

/** The words of one case. */
function inWords<All extends Cases<unknown>>(
  cases: All,
  { code, details }: OneOf<All>,
  t: Translate,
  foreign: Foreign,
): ReturnType<All[keyof All]['words']> {
  return cases[code]?.words(t, details as never, foreign) as ReturnType<All[keyof All]['words']>;
}

const oneOf = <Key extends string>(table: Record<Key, unknown>) => z.enum(Object.keys(table) as Key[]);

/** What folders hold that nobody searches. */
const folders = {
  'version-control': (t: Translate, name: string) => t('{0} holds version control data', name),
  packages: (t: Translate, name: string) => t('{0} holds installed packages', name),
  cache: (t: Translate, name: string) => t('{0} holds a cache', name),
  'build-output': (t: Translate, name: string) => t('{0} holds build output', name),
  'notebook-copies': (t: Translate, name: string) => t('{0} holds copies of notebooks', name),
  trash: (t: Translate, name: string) => t('{0} holds what was thrown away', name),
  versions: (t: Translate, name: string) => t('{0} holds earlier versions of files', name),
};
export type FolderContent = keyof typeof folders;

/** What took a file's place: a link, what is no file, another file, a link in the place of a folder above it. */
const swaps = {
  link: (t: Translate) => t('a link took its place'),
  'no-file': (t: Translate) => t('something that is no file took its place'),
  'other-file': (t: Translate) => t('another file took its place'),
  'link-above': (t: Translate) => t('a link that leads out of the workspace took the place of a folder above it'),
};
export type Swap = keyof typeof swaps;

/** What took a file's place, in a sentence. English unless translated. */
export const swapInWords = (swap: Swap, t: Translate = inEnglish): string => swaps[swap](t);

/** What bytes begin like that are no text. */
const kinds = {
  png: (t: Translate) => t('a PNG picture'),
  jpeg: (t: Translate) => t('a JPEG picture'),
  gif: (t: Translate) => t('a GIF picture'),
  zip: (t: Translate) => t('a ZIP archive'),
  gzip: (t: Translate) => t('a gzip archive'),
  elf: (t: Translate) => t('an ELF program'),
  pdf: (t: Translate) => t('a PDF document'),
  'java-or-mach-o': (t: Translate) => t('a Java class or Mach-O program'),
  webassembly: (t: Translate) => t('a WebAssembly module'),
};
export type ForeignKind = keyof typeof kinds;

/** How the reading of a file broke down, to complete "its parser …". */
const breakdowns = {
  failed: when({ said: text }, (t, { said }, foreign) => t('failed ({0})', foreign(said))),
  'took-longer': when({ seconds: number }, (t, { seconds }) => t('took longer than {0} s', seconds)),
  'needed-more': when({ megabytes: number }, (t, { megabytes }) => t('needed more than {0} MB of memory', megabytes)),
  /** `how`: the signal or the exit code. */
  'ended-process': when({ how: text }, (t, { how }) => t('ended the process that read it ({0})', how)),
};
export const breakdown = schemaOf(breakdowns);
export type Breakdown = OneOf<typeof breakdowns>;

/** English unless translated. */
export const breakdownInWords = (
  broke: Breakdown,
  t: Translate = inEnglish,
  foreign: Foreign = (said) => said,
): string => inWords(breakdowns, broke, t, foreign);

const count = (value: number): string => value.toLocaleString('en-GB');

/** Which limit a document breaks, to complete "the PDF …", and the limit. */
const excesses = {
  pages: when({ pages: number, most: number }, (t, { pages, most }) => [t('has {0} pages', count(pages)), count(most)]),
  /** So many characters were over with this page. */
  characters: when({ page: number, most: number }, (t, { page, most }) => [
    t('has more text than {0} characters by its page {1}', count(most), count(page)),
    t('{0} characters', count(most)),
  ]),
  'page-takes': when({ page: number, seconds: number }, (t, { page, seconds }) => [
    t('takes longer than {0} s over page {1}', seconds, count(page)),
    t('{0} s a page', seconds),
  ]),
  entries: when({ entries: number, most: number }, (t, { entries, most }) => [
    t('has {0} entries', count(entries)),
    count(most),
  ]),
  elements: when({ elements: number, most: number }, (t, { elements, most }) => [
    t('has {0} elements', count(elements)),
    count(most),
  ]),
  unpacked: when({ megabytes: number, most: number }, (t, { megabytes, most }) => [
    t('unpacks to {0} MB', megabytes),
    `${most} MB`,
  ]),
  /** So many times as many bytes as it is packed in. */
  ratio: when({ times: number, most: number }, (t, { times, most }) => [
    t('unpacks to {0} times its size', count(times)),
    t('{0} times', most),
  ]),
  /** `part`: the file within the document. */
  nesting: when({ depth: number, part: text, most: number }, (t, { depth, part, most }) => [
    t('nests its elements {0} deep in {1}', count(depth), part),
    count(most),
  ]),
};
export type Excess = OneOf<typeof excesses>;

const size = (bytes: number): string => (bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : `${bytes} bytes`);
const placeIn = (path: string, t: Translate): string => path || t('the folder itself');

/** Cases of which the code says all. */
const plain = {
  secrets: (t: Translate) => t('it may hold secrets; "!" and its name in .hoptrailignore keeps it'),
  'own-rules': (t: Translate) => t('it says what is left out, and is no text to search'),
  'file-manager': (t: Translate) => t("the file manager's own data"),
  'lock-file': (t: Translate) => t('a lock file, written by a package manager'),
  'source-map': (t: Translate) => t('a source map'),
  'conflicted-copy': (t: Translate) => t('a copy that a program made when two edits conflicted'),
  'backup-copy': (t: Translate) => t('a copy that an editor made'),
  'link-to-folder': (t: Translate) => t('links to folders are not followed'),
  'no-file': (t: Translate) => t('it is neither a file nor a folder'),
  'no-content': (t: Translate) => t('the file has no content'),
  'name-not-utf8': (t: Translate) => t('its name is not valid UTF-8'),
  'link-outside': (t: Translate) => t('it links to a place outside of the folder'),
  'link-circle': (t: Translate) => t('it links to itself in a circle'),
  'link-to-nothing': (t: Translate) => t('it links to something that is not there'),
  denied: (t: Translate) => t('permission denied'),
  gone: (t: Translate) => t('it was there a moment ago and is gone'),
  'no-folder': (t: Translate) => t('no such folder is there'),
  grew: (t: Translate) => t('it grew beyond the limit while it was read'),
  blank: (t: Translate) => t('the file has blank lines only'),
  'first-line': (t: Translate) => t('its first line says that it is no text'),
  'exported-thread': (t: Translate) => t('a thread that Hoptrail exported'),
  'minified-by-name': (t: Translate) => t('its name and long lines say that it is minified or bundled'),
  minified: (t: Translate) => t('its very long lines say that it is minified'),
  'zero-bytes': (t: Translate) => t('it holds zero bytes'),
  'utf16-controls': (t: Translate) => t('it looks like UTF-16 but holds mostly control characters'),
  controls: (t: Translate) => t('it holds mostly control characters'),
  'pdf-without-text': (t: Translate) => t('the PDF has pictures of text only, or none at all'),
  'pdf-locked': (t: Translate) => t('the PDF asks for a password'),
  'document-without-text': (t: Translate) => t('the document has no text'),
  'no-language': (t: Translate) => t('its text reads like no language: its passages get their vectors last'),
  'ended-outside': (t: Translate) => t('something outside ended the process that read it'),
  'ended-twice': (t: Translate) => t('the index process ended twice while reading it'),
};
export type PlainCause = keyof typeof plain;

/** A case of which the code says all. */
export const plainly = (code: PlainCause): FileCause => ({ code, details: {} });

const broke = breakdown;
const causes = {
  folder: when({ name: text, holds: oneOf(folders) }, (t, { name, holds }) => folders[holds](t, name)),
  extension: when({ extension: text }, (t, { extension }) => t('.{0} files hold no text', extension)),
  /** `file`: the ignore file as people see it; undefined for git's global excludes. */
  pattern: when({ file: text.optional() }, (t, { file }) =>
    t('a pattern in {0} leaves it out', file ?? t("git's global excludes file")),
  ),
  /** Patterns of an ignore file that leave out the folder that was opened. */
  overruled: when({ folder: text }, (t, { folder }) =>
    t('its patterns leave out the whole of {0}, which was opened: they are not applied there', folder),
  ),
  setting: when({ glob: text }, (t, { glob }) => t('the setting {0} leaves it out', glob)),
  'too-large': when({ bytes: number, most: number }, (t, { bytes, most }) =>
    t('{0} is more than the limit of {1}', size(bytes), size(most)),
  ),
  /** `to`: a path within the folder, '' for the folder itself. */
  'link-back': when({ to: text }, (t, { to }) => t('it links back to {0}', placeIn(to, t))),
  'link-within': when({ to: text }, (t, { to }) =>
    t('it links to {0}, which is read under its own path', placeIn(to, t)),
  ),
  /** What the disk said. */
  disk: when({ said: text }, (_, { said }, foreign) => foreign(said)),
  'slow-disk': when({ seconds: number }, (t, { seconds }) => t('it was not there to be read within {0} s', seconds)),
  swapped: when({ by: oneOf(swaps) }, (t, { by }) => t('{0} while it was read', swapInWords(by, t))),
  generated: when({ line: number }, (t, { line }) => t('line {0} says that it is generated', line)),
  'begins-like': when({ kind: oneOf(kinds) }, (t, { kind }) => t('it begins like {0}', kinds[kind](t))),
  'pdf-damaged': when({ said: text }, (t, { said }, foreign) => t('the PDF is damaged ({0})', foreign(said))),
  'word-damaged': when({ said: text }, (t, { said }, foreign) =>
    t('the Word document is damaged or encrypted ({0})', foreign(said)),
  ),
  'over-limit': when({ document: z.enum(['pdf', 'word']), excess: schemaOf(excesses) }, (t, details, foreign) => {
    const [what = '', limit = ''] = inWords(excesses, details.excess, t, foreign);
    return details.document === 'pdf'
      ? t('the PDF {0}, the limit is {1}', what, limit)
      : t('the Word document {0}, the limit is {1}', what, limit);
  }),
  /** No text could be taken out of a document. */
  extraction: when({ broke }, (t, details, foreign) =>
    t('taking the text out of it {0}', breakdownInWords(details.broke, t, foreign)),
  ),
  /** Its parser broke down, and then reading it as text did. */
  reading: when({ parser: broke, asText: broke }, (t, { parser, asText }, foreign) =>
    t(
      'its parser {0}, and reading it as text {1}',
      breakdownInWords(parser, t, foreign),
      breakdownInWords(asText, t, foreign),
    ),
  ),
  /** It was read as text blocks, as its parser broke down. */
  'as-text': when({ language: text, broke }, (t, details, foreign) =>
    t('the {0} parser {1}, read as text blocks', details.language, breakdownInWords(details.broke, t, foreign)),
  ),
  'in-part': when({ lines: number, of: number }, (t, { lines, of }) =>
    t('its first {0} of {1} lines were read', count(lines), count(of)),
  ),
  /** It was read as this one, which its bytes look like. */
  encoding: when({ encoding: text }, (t, { encoding }) =>
    t('nothing declares its encoding: it was read as {0}', encoding),
  ),
  /** `said`: what the embedding model said of one. */
  refused: when({ passages: number, said: text }, (t, { passages, said }, foreign) =>
    t('passages that are found by words only, as the embedding model refused them: {0} ({1})', passages, foreign(said)),
  ),
  'encoded-data': when({ passages: number }, (t, { passages }) =>
    t('passages of encoded data (a picture, say), which are found by words only: {0}', passages),
  ),
  /** What an index of an earlier version says, in English. Nothing else writes it. */
  said: when({ text }, (_, details) => details.text),
};

export const fileCause = z.union([z.object({ code: oneOf(plain), details: z.object({}) }), schemaOf(causes)]);
/** Why a file was left out, or read as plain text: as data, of which `causeInWords` makes words. */
export type FileCause = z.infer<typeof fileCause>;

/**
 * Why a file was left out, or read as plain text, in a few words. English unless translated; `foreign` translates what
 * errors said.
 */
export function causeInWords(cause: FileCause, t: Translate = inEnglish, foreign: Foreign = (said) => said): string {
  const said: ((t: Translate) => string) | undefined = plain[cause.code as PlainCause];
  return said ? said(t) : inWords(causes, cause as OneOf<typeof causes>, t, foreign);
}

/** A cause as the list of files keeps it. An index of an earlier version has its words there, in English. */
export function keptCause(kept: string): FileCause {
  const json = parsedJson(kept);
  const cause = 'value' in json ? fileCause.safeParse(json.value).data : undefined;
  return cause ?? { code: 'said', details: { text: kept } };
}
