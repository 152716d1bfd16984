import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { SkippedFile, SkipReason, SourceFile } from '../../model/source-file.ts';
import type { ReadFile } from '../passage-source.ts';
import { cutPassages } from './chunk/cut-passages.ts';
import type { ParsedFile } from './chunk/block.ts';
import type { CodeParser } from './code/code-parser.ts';
import { describe } from './crawl/crawler.ts';
import { isGone, type FileSystem } from './file-system.ts';
import { extractDocx } from './formats/extract-docx.ts';
import { extractPdf } from './formats/extract-pdf.ts';
import { parseTextBlocks } from './formats/parse-text-blocks.ts';
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

/** Reads, decodes, parses and cuts one file. Rejects only when aborted; whatever is wrong with the file is a skip. */
export async function readSourceFile(file: SourceFile, context: ReadContext, signal?: AbortSignal): Promise<ReadFile | SkippedFile> {
  signal?.throwIfAborted();
  const skip = (reason: SkipReason, detail: string): SkippedFile => ({ path: file.path, reason, detail });
  let bytes: Uint8Array;
  try {
    bytes = await context.files.read(fileURLToPath(file.uri));
  } catch (error) {
    return isGone(error) ? skip('vanished', describe(error)) : skip('unreadable', describe(error));
  }
  signal?.throwIfAborted();
  const hash = createHash('sha256').update(bytes).digest('hex');
  const known = languageOf(file.path);
  const limit = context.maxFileBytes * (isDocument(file.path) ? readingLimits.documentSizeFactor : 1);
  if (bytes.length > limit) return skip('too-large', 'it grew beyond the limit while it was read');
  const found = await contentOf(bytes, file, known, context);
  if ('reason' in found) return skip(found.reason, found.detail);
  const { source, parsed, language, fallback } = found;
  const passages = cutPassages(source, parsed, { file, language, countTokens: (text) => context.countTokens(text) });
  return { file, hash, language, passages, nonBlankLines: source.nonBlankLines(), ...(fallback === undefined ? {} : { fallback }) };
}

interface Content {
  source: SourceText;
  parsed: ParsedFile;
  language: string;
  fallback?: string;
}

type LeftOut = Pick<SkippedFile, 'reason' | 'detail'>;

async function contentOf(bytes: Uint8Array, file: SourceFile, known: FileLanguage, context: ReadContext): Promise<Content | LeftOut> {
  if (bytes.length === 0) return { reason: 'empty', detail: 'the file has no content' };
  if (known.format === 'pdf' || known.format === 'docx') {
    try {
      const document = known.format === 'pdf' ? await extractPdf(bytes, file.path) : await extractDocx(bytes, file.path);
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
  const generated = generatedBecause(source, file.path, as.language, as.format);
  if (generated !== undefined) return { reason: 'generated', detail: generated };
  return { source, language: as.language, ...(await parseOrFallBack(source, file, as, context)) };
}

async function parseOrFallBack(source: SourceText, file: SourceFile, as: FileLanguage, context: ReadContext): Promise<{ parsed: ParsedFile; fallback?: string }> {
  try {
    return { parsed: await parseFile(source, file.path, as, context.code) };
  } catch (error) {
    // Said in the report; the text itself is indexed all the same.
    const why = error instanceof Error ? error.message : String(error);
    return { parsed: parseTextBlocks(source), fallback: `the ${as.language} parser failed (${why}), read as text blocks` };
  }
}
