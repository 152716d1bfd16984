import type { ParsedFile } from '../chunk/block.ts';
import type { CodeParser } from '../code/code-parser.ts';
import type { SourceText } from '../text/source-text.ts';
import { HoptrailError, wordList } from '#base';
import { type FileCause, causeInWords } from '../../domain/file-cause.ts';

/** `pyx=cython jsonl=jsonl`: extensions, or names of files, each with its language. */
export const languageTable = (pairs: string): Record<string, string> =>
  Object.fromEntries(wordList(pairs).map((pair) => pair.split('=') as [string, string]));

/** Extensions of one language. */
export const alike = (extensions: string, language: string): Record<string, string> =>
  Object.fromEntries(wordList(extensions).map((extension) => [extension, language]));

/** Which files are of a format. */
interface Format {
  name: string;
  /**
   * Extensions in lower case, without the dot, each with VS Code's id of the language; `plaintext` when there is none.
   */
  extensions: Readonly<Record<string, string>>;
  /** Files that are known by their whole name, in lower case. */
  names?: Readonly<Record<string, string>>;
  /** Files whose extension nobody knows, by how their name begins, in lower case. */
  beginnings?: Readonly<Record<string, string>>;
  /** Programs that a `#!` line names, without their version; asked where neither name nor extension is known. */
  interpreters?: Readonly<Record<string, string>>;
  /** Whether a text with such a name is of this format; where it is not, its name says nothing. undefined: it is. */
  holds?(text: string, language: string): boolean;
  /** The language of a file by its name, where it is not the one of its extension. */
  languageOf?(name: string, language: string): string;
  /** Those of its languages that programs write as few and very long lines, which are left out. */
  minified?: readonly string[];
  /** Extensions that links to a page leave out, likeliest first. */
  linkedWithout?: readonly string[];
}

/** Text: its lines are the file's. */
export interface TextFormat extends Format {
  /** Rejects, or throws, for what is not of this format: then it is read as text blocks. */
  read(source: SourceText, path: string, how: { language: string; code: CodeParser }): ParsedFile | Promise<ParsedFile>;
  /** Why a file is not read at all: Hoptrail has written it. */
  leaveOut?(source: SourceText): FileCause | undefined;
  /** Generators of programs say at the top of such a file that it is theirs. */
  generated?: true;
}

/** A document whose text has to be taken out of it first. */
export interface DocumentFormat extends Format {
  /** @throws UnreadableDocumentError when it is encrypted, damaged or holds no text */
  extract(bytes: Uint8Array, path: string): Promise<ExtractedDocument>;
}

/** The text of a document, with what a parser would have said of it. */
export interface ExtractedDocument {
  source: SourceText;
  parsed: ParsedFile;
}

/**
 * How files of one kind are read. Adding one takes a file of this folder and a line in `file-formats.ts`.
 */
export type FileFormat = TextFormat | DocumentFormat;

/** A document whose text cannot be taken out: encrypted, damaged, or pictures only. */
export class UnreadableDocumentError extends HoptrailError {
  readonly code = 'unreadable-document';
  constructor(
    readonly why: FileCause,
    cause?: unknown,
  ) {
    super(causeInWords(why), { cause });
  }
}
