import { z } from 'zod';
import { parsedJson } from '#base';

const text = z.string();
const number = z.number();

/** One case: its code, and what is known of it. */
const when = <Code extends string, Details extends z.ZodRawShape>(code: Code, details: Details) =>
  z.object({ code: z.literal(code), details: z.object(details) });

const folderContent = z.enum([
  'version-control',
  'packages',
  'cache',
  'build-output',
  'notebook-copies',
  'trash',
  'versions',
]);
/** What folders hold that nobody searches. */
export type FolderContent = z.infer<typeof folderContent>;

const swap = z.enum(['link', 'no-file', 'other-file', 'link-above']);
/** What took a file's place: a link, what is no file, another file, a link in the place of a folder above it. */
export type Swap = z.infer<typeof swap>;

const foreignKind = z.enum(['png', 'jpeg', 'gif', 'zip', 'gzip', 'elf', 'pdf', 'java-or-mach-o', 'webassembly']);
/** What bytes begin like that are no text. */
export type ForeignKind = z.infer<typeof foreignKind>;

export const breakdown = z.discriminatedUnion('code', [
  when('failed', { said: text }),
  when('took-longer', { seconds: number }),
  when('needed-more', { megabytes: number }),
  /** `how`: the signal or the exit code. */
  when('ended-process', { how: text }),
]);
/** How the reading of a file broke down. */
export type Breakdown = z.infer<typeof breakdown>;

const excess = z.discriminatedUnion('code', [
  when('pages', { pages: number, most: number }),
  /** So many characters were over with this page. */
  when('characters', { page: number, most: number }),
  when('page-takes', { page: number, seconds: number }),
  when('entries', { entries: number, most: number }),
  when('elements', { elements: number, most: number }),
  when('unpacked', { megabytes: number, most: number }),
  /** So many times as many bytes as it is packed in. */
  when('ratio', { times: number, most: number }),
  /** `part`: the file within the document. */
  when('nesting', { depth: number, part: text, most: number }),
]);
/** Which limit a document breaks. */
export type Excess = z.infer<typeof excess>;

/** Cases of which the code says all. */
const plainCode = z.enum([
  // By name alone
  'secrets',
  'own-rules', // a .hoptrailignore
  'file-manager',
  'lock-file',
  'source-map',
  'conflicted-copy', // made by a program that synchronises folders
  'backup-copy', // made by an editor
  // By what the disk says
  'link-to-folder',
  'no-file', // a pipe, a device
  'no-content',
  'name-not-utf8',
  'link-outside',
  'link-circle',
  'link-to-nothing',
  'denied',
  'gone',
  'no-folder',
  'grew',
  // By what is in it
  'blank',
  'first-line', // it says that the file is no text
  'exported-thread',
  'minified-by-name',
  'minified',
  'zero-bytes',
  'utf16-controls',
  'controls',
  'pdf-without-text',
  'pdf-locked',
  'document-without-text',
  'no-language', // its text reads like no language: vectors of it come last
  // By what reading it did
  'ended-twice',
  'ended-outside', // something outside ended the process that read it, more than once
]);
export type PlainCause = z.infer<typeof plainCode>;

export const fileCause = z.discriminatedUnion('code', [
  z.object({ code: plainCode, details: z.object({}) }),
  when('folder', { name: text, holds: folderContent }),
  when('extension', { extension: text }),
  /** `file`: the ignore file as people see it; undefined for git's global excludes. */
  when('pattern', { file: text.optional() }),
  /** Patterns of an ignore file that leave out the folder that was opened. */
  when('overruled', { folder: text }),
  when('setting', { glob: text }),
  when('too-large', { bytes: number, most: number }),
  /** `to`: a path within the folder, '' for the folder itself. */
  when('link-back', { to: text }),
  when('link-within', { to: text }),
  /** What the disk said. */
  when('disk', { said: text }),
  when('slow-disk', { seconds: number }),
  when('swapped', { by: swap }),
  when('generated', { line: number }),
  when('begins-like', { kind: foreignKind }),
  when('pdf-damaged', { said: text }),
  when('word-damaged', { said: text }),
  when('over-limit', { document: z.enum(['pdf', 'word']), excess }),
  /** No text could be taken out of a document. */
  when('extraction', { broke: breakdown }),
  /** Its parser broke down, and then reading it as text did. */
  when('reading', { parser: breakdown, asText: breakdown }),
  /** It was read as text blocks, as its parser broke down. */
  when('as-text', { language: text, broke: breakdown }),
  /** Only its first lines were read. */
  when('in-part', { lines: number, of: number }),
  /** Nothing declares its encoding: it was read as this one, which its bytes look like. */
  when('encoding', { encoding: text }),
  /** So many of its passages have no vector; `said`: what the embedding model said of one. */
  when('refused', { passages: number, said: text }),
  when('encoded-data', { passages: number }),
  /** What an index of an earlier version says, in English. Nothing else writes it. */
  when('said', { text }),
]);
/** Why a file was left out, or read as plain text: as data, of which `causeInWords` makes words. */
export type FileCause = z.infer<typeof fileCause>;

/** A case of which the code says all. */
export const plainly = (code: PlainCause): FileCause => ({ code, details: {} });

/** A cause as the list of files keeps it. An index of an earlier version has its words there, in English. */
export function keptCause(kept: string): FileCause {
  const json = parsedJson(kept);
  const cause = 'value' in json ? fileCause.safeParse(json.value).data : undefined;
  return cause ?? { code: 'said', details: { text: kept } };
}
