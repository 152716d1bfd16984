import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { SkippedFile, SkipReason, SourceFile } from '../domain/source-file.ts';
import type { ReadFile } from './passage-source.ts';
import { cutPassages } from './chunk/cut-passages.ts';
import type { ParsedFile } from './chunk/block.ts';
import type { CodeParser } from './code/code-parser.ts';
import { describe } from './crawl/crawler.ts';
import { FileTooLargeError, isGone, SwappedPathError, type FileSystem } from './file-system.ts';
import { extractDocx } from './formats/extract-docx.ts';
import { extractPdf } from './formats/extract-pdf.ts';
import { parseTextBlocks } from './formats/parse-plain-text.ts';
import { UnreadableDocumentError } from './formats/unreadable-document-error.ts';
import { isDocument, languageOf, type FileLanguage } from './language-of.ts';
import { parseFile } from './parse-file.ts';
import { readingLimits } from './reading-limits.ts';
import { decodeText } from './text/decode-text.ts';
import { generatedBecause } from './text/detect-generated.ts';
import { SourceText } from './text/source-text.ts';

/** What reading one file needs. */
export interface ReadContext {
  files: FileSystem;
  code: CodeParser;
  countTokens(text: string): number;
  maxFileBytes: number;
}

/** How one file is read. */
export interface HowToRead {
  /** Called when the bytes are there and the work on them begins: the time that a parser has is counted from then. */
  onBytesRead?(): void;
  /** Set when the file's parser broke a limit before: it is read as text blocks. Completes "the yaml parser". */
  parserBroke?: string;
}

/**
 * Marks a Markdown file that Hoptrail wrote itself: a thread that was exported. Stands at its beginning, or in its
 * front matter.
 */
const EXPORTED_THREAD = ['<!-- hoptrail:thread -->', 'hoptrail: thread'];
const MARKED_LINES = 20;

/** Reads, decodes, parses and cuts one file. Rejects when aborted, and when cutting fails, which is a fault of ours. */
export async function readSourceFile(
  file: SourceFile,
  context: ReadContext,
  signal?: AbortSignal,
  how: HowToRead = {},
): Promise<ReadFile | SkippedFile> {
  signal?.throwIfAborted();
  const skip = (reason: SkipReason, detail: string): SkippedFile => ({ path: file.path, reason, detail });
  const maxBytes = context.maxFileBytes * (isDocument(file.path) ? readingLimits.documentSizeFactor : 1);
  let bytes: Uint8Array;
  try {
    bytes = await context.files.read(fileURLToPath(file.uri), { maxBytes, within: fileURLToPath(file.rootUri) });
  } catch (error) {
    if (error instanceof FileTooLargeError) return skip('too-large', 'it grew beyond the limit while it was read');
    if (error instanceof SwappedPathError) return skip('unreadable', `${error.detail} while it was read`);
    return isGone(error) ? skip('vanished', describe(error)) : skip('unreadable', describe(error));
  }
  signal?.throwIfAborted();
  if (bytes.length > maxBytes) return skip('too-large', 'it grew beyond the limit while it was read');
  how.onBytesRead?.();
  const hash = createHash('sha256').update(bytes).digest('hex');
  const found = await contentOf(bytes, file, languageOf(file.path), context, how);
  if ('reason' in found) return skip(found.reason, found.detail);
  const { source, parsed, language, fallback } = found;
  const passages = cutPassages(source, parsed, { file, language, countTokens: (text) => context.countTokens(text) });
  return {
    file,
    hash,
    language,
    passages,
    nonBlankLines: source.nonBlankLines(),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

interface Content {
  source: SourceText;
  parsed: ParsedFile;
  language: string;
  fallback?: string;
}

type LeftOut = Pick<SkippedFile, 'reason' | 'detail'>;

async function contentOf(
  bytes: Uint8Array,
  file: SourceFile,
  known: FileLanguage,
  context: ReadContext,
  how: HowToRead,
): Promise<Content | LeftOut> {
  if (bytes.length === 0) return { reason: 'empty', detail: 'the file has no content' };
  if (known.format === 'pdf' || known.format === 'docx') {
    try {
      const document =
        known.format === 'pdf' ? await extractPdf(bytes, file.path) : await extractDocx(bytes, file.path);
      return { ...document, language: known.language };
    } catch (error) {
      if (error instanceof UnreadableDocumentError) return { reason: 'unsupported', detail: error.message };
      throw error;
    }
  }
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') return { reason: 'binary', detail: `it ${decoded.why}` };
  const source = new SourceText(decoded.text);
  if (source.nonBlankLines() === 0) return { reason: 'empty', detail: 'the file has blank lines only' };
  const as = languageOf(file.path, source.line(1));
  if (as.format === 'markdown' && isExportedThread(source))
    return { reason: 'excluded', detail: 'a thread that Hoptrail exported' };
  const generated = generatedBecause(source, file.path, as.language, as.format);
  if (generated !== undefined) return { reason: 'generated', detail: generated };
  return { source, language: as.language, ...(await parseOrFallBack(source, file, as, context, how)) };
}

/** True for what Hoptrail wrote itself: its answers must not become evidence for later ones. */
function isExportedThread(source: SourceText): boolean {
  for (let line = 1; line <= Math.min(MARKED_LINES, source.lineCount); line++) {
    const text = source.line(line).trim();
    if (EXPORTED_THREAD.includes(text)) return true;
    // The marker comes first, or in front matter, which begins with a line of dashes and ends with the next.
    if (text !== '' && line === 1 && text !== '---') return false;
    if (line > 1 && text === '---') return false;
  }
  return false;
}

interface ParsedText {
  parsed: ParsedFile;
  fallback?: string;
}

async function parseOrFallBack(
  source: SourceText,
  file: SourceFile,
  as: FileLanguage,
  context: ReadContext,
  how: HowToRead,
): Promise<ParsedText> {
  // Both are said in the report; the text itself is indexed all the same.
  const asBlocks = (why: string): ParsedText => ({
    parsed: parseTextBlocks(source),
    fallback: `the ${as.language} parser ${why}, read as text blocks`,
  });
  if (how.parserBroke !== undefined) return asBlocks(how.parserBroke);
  try {
    return { parsed: await parseFile(source, file.path, as, context.code) };
  } catch (error) {
    return asBlocks(`failed (${error instanceof Error ? error.message : String(error)})`);
  }
}
