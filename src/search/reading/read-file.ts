import { expression, hashOf } from '#base';
import { fileURLToPath } from 'node:url';
import { type Breakdown, type FileCause, plainly } from '../domain/file-cause.ts';
import { isProseLanguage } from '../domain/languages.ts';
import type { SkippedFile, SkipReason, SourceFile } from '../domain/source-file.ts';
import type { ReadFile } from './passage-source.ts';
import { cutPassages } from './chunk/cut-passages.ts';
import type { ParsedFile } from './chunk/block.ts';
import type { CodeParser } from './code/code-parser.ts';
import { causeOf } from './crawl/crawler.ts';
import { FileTooLargeError, isGone, SwappedPathError, type FileSystem } from './file-system.ts';
import { parseTextBlocks } from './formats/parse-text-blocks.ts';
import { UnreadableDocumentError, type TextFormat } from './formats/file-format.ts';
import { fileKindOf, isDocument } from './formats/file-formats.ts';
import { readingLimits } from './reading-limits.ts';
import { decodeText } from './text/decode-text.ts';
import { isNoLanguage } from './text/no-language.ts';
import { SourceText } from './text/source-text.ts';

/** What reading one file needs. */
export interface ReadContext {
  files: FileSystem;
  code: CodeParser;
  countTokens(text: string): number;
  maxFileBytes: number;
  /** See ReadingOptions.encoding. */
  encoding?: string;
}

/** How one file is read. */
interface HowToRead {
  /** Called when the bytes are there and the work on them begins: the time that a parser has is counted from then. */
  onBytesRead?(): void;
  /** Set when the file's parser broke a limit before: it is read as text blocks. */
  parserBroke?: Breakdown;
}

/** Reads, decodes, parses and cuts one file. Rejects when aborted, and when cutting fails, which is a fault of ours. */
export async function readSourceFile(
  file: SourceFile,
  context: ReadContext,
  signal?: AbortSignal,
  how: HowToRead = {},
): Promise<ReadFile | SkippedFile> {
  signal?.throwIfAborted();
  const skip = (reason: SkipReason, why: FileCause): SkippedFile => ({ path: file.path, reason, why });
  const maxBytes = context.maxFileBytes * (isDocument(file.path) ? readingLimits.documentSizeFactor : 1);
  let bytes: Uint8Array;
  try {
    bytes = await context.files.read(fileURLToPath(file.uri), { maxBytes, within: fileURLToPath(file.rootUri) });
  } catch (error) {
    if (error instanceof FileTooLargeError) return skip('too-large', plainly('grew'));
    if (error instanceof SwappedPathError) return skip('unreadable', { code: 'swapped', details: { by: error.by } });
    return skip(isGone(error) ? 'vanished' : 'unreadable', causeOf(error));
  }
  signal?.throwIfAborted();
  if (bytes.length > maxBytes) return skip('too-large', plainly('grew'));
  how.onBytesRead?.();
  const hash = hashOf(bytes);
  const found = await contentOf(bytes, file, context, how);
  if ('reason' in found) return skip(found.reason, found.why);
  const { source, parsed, language, fallback } = found;
  const passages = cutPassages(source, parsed, { file, language, countTokens: (text) => context.countTokens(text) });
  return {
    file,
    hash,
    language,
    passages,
    nonBlankLines: source.nonBlankLines(parsed.lastLine),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

interface Content {
  source: SourceText;
  parsed: ParsedFile;
  language: string;
  fallback?: FileCause;
}

type LeftOut = Pick<SkippedFile, 'reason' | 'why'>;

async function contentOf(
  bytes: Uint8Array,
  file: SourceFile,
  context: ReadContext,
  how: HowToRead,
): Promise<Content | LeftOut> {
  if (bytes.length === 0) return { reason: 'empty', why: plainly('no-content') };
  const known = fileKindOf(file.path);
  if ('extract' in known.format) {
    try {
      return { ...(await known.format.extract(bytes, file.path)), language: known.language };
    } catch (error) {
      if (error instanceof UnreadableDocumentError) return { reason: 'unsupported', why: error.why };
      throw error;
    }
  }
  const decoded = decodeText(bytes, context.encoding);
  if (decoded.kind === 'binary') return { reason: 'binary', why: decoded.why };
  const source = new SourceText(decoded.text);
  if (source.nonBlankLines() === 0) return { reason: 'empty', why: plainly('blank') };
  const { language, format } = fileKindOf(file.path, source.text);
  if ('extract' in format) return { reason: 'unsupported', why: plainly('first-line') };
  const own = format.leaveOut?.(source);
  if (own !== undefined) return { reason: 'excluded', why: own };
  const generated = generatedBecause(source, file.path, language, format);
  if (generated !== undefined) return { reason: 'generated', why: generated };
  const read = (): ParsedFile | Promise<ParsedFile> => format.read(source, file.path, { language, code: context.code });
  const parsed = await parseOrFallBack(read, source, language, how.parserBroke);
  const { encoding, isGuessed } = decoded;
  const { lastLine } = parsed.parsed;
  const fallback: FileCause | undefined =
    parsed.fallback ??
    (lastLine === undefined ? undefined : { code: 'in-part', details: { lines: lastLine, of: source.lineCount } }) ??
    (isProseLanguage(language) && isNoLanguage(source.text) ? plainly('no-language') : undefined) ??
    (isGuessed ? { code: 'encoding' as const, details: { encoding } } : undefined);
  return { source, language, ...parsed, ...(fallback && { fallback }) };
}

/** What its parser makes of a text; text blocks, and how it broke, where it breaks or has broken before. */
async function parseOrFallBack(
  read: () => ParsedFile | Promise<ParsedFile>,
  source: SourceText,
  language: string,
  parserBroke: Breakdown | undefined,
): Promise<{ parsed: ParsedFile; fallback?: FileCause }> {
  let broke = parserBroke;
  try {
    if (!broke) return { parsed: await read() };
  } catch (error) {
    broke = { code: 'failed', details: { said: error instanceof Error ? error.message : String(error) } };
  }
  return { parsed: parseTextBlocks(source, 'plaintext'), fallback: { code: 'as-text', details: { language, broke } } };
}

// Said by a generator about its own output, at the top of the file, on a line that is a comment.
const MARKER = expression('i')`
  ^\W{0,8}\s*(?:.*@generated\b(?!\s+by hand)|code generated .{0,200}\bdo not edit\b|
    (?:this|the) (?:file|code|source) (?:is|was|has been) (?:\w+ ){0,2}(?:auto-?(?:matically )?)?generated\b.*|
    (?:auto-?generated|automatically generated)\b.{0,80}(?:do not (?:edit|modify|change)|by\b).*|
    generated by the protocol buffer compiler\b.*|<auto-generated\b.*)
`;
const MINIFIED_NAME = /[.-](?:min|bundle|chunk)\.(?:js|mjs|cjs|css)$|\.(?:min)\.\w+$/i;
const HEAD_LINES = 12;

/** Why a text was written by a machine rather than by people; undefined when it was not, as far as can be seen. */
function generatedBecause(
  source: SourceText,
  path: string,
  language: string,
  { generated, minified }: TextFormat,
): FileCause | undefined {
  if (generated) {
    for (let line = 1; line <= Math.min(HEAD_LINES, source.lineCount); line++) {
      const text = source.line(line);
      if (text.length < 500 && isComment(text) && MARKER.test(text)) return { code: 'generated', details: { line } };
    }
  }
  if (!minified?.includes(language)) return undefined;
  if (MINIFIED_NAME.test(path) && averageOfLongest(source) > 120) return plainly('minified-by-name');
  return averageOfLongest(source) > 400 && densest(source) ? plainly('minified') : undefined;
}

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*|#|--|;|<!--|"""|\(\*|%)/.test(line);

/** Characters per non-blank line, as a minified file has few and very long ones. */
function averageOfLongest(source: SourceText): number {
  return source.text.length / Math.max(1, source.nonBlankLines());
}

/** Minified code has hardly any blanks; prose and data on long lines have many. */
function densest(source: SourceText): boolean {
  const sample = source.text.slice(0, 20_000);
  let blanks = 0;
  for (const character of sample) if (character === ' ' || character === '\n') blanks += 1;
  return sample.length > 2_000 && blanks / sample.length < 0.1;
}
