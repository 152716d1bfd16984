import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { SkippedFile, SkipReason, SourceFile } from '../../model/source-file.ts';
import type { ReadFile } from '../passage-source.ts';
import { cutPassages } from './chunk/cut-passages.ts';
import type { ParsedFile } from './chunk/block.ts';
import type { CodeParser } from './code/code-parser.ts';
import { describe } from './crawl/crawler.ts';
import { isGone, type FileSystem } from './file-system.ts';
import { parseTextBlocks } from './formats/parse-text-blocks.ts';
import { languageOf, type FileLanguage } from './language-of.ts';
import { parseFile } from './parse-file.ts';
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
  const limit = context.maxFileBytes * (known.format === 'pdf' || known.format === 'docx' ? 10 : 1);
  if (bytes.length > limit) return skip('too-large', 'it grew beyond the limit while it was read');
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') return skip('binary', `it ${decoded.why}`);
  const source = new SourceText(decoded.text);
  const nonBlankLines = source.nonBlankLines();
  if (nonBlankLines === 0) return skip('empty', bytes.length === 0 ? 'the file has no content' : 'the file has blank lines only');
  const as = languageOf(file.path, source.line(1));
  const generated = generatedBecause(source, file.path, as.language, as.format);
  if (generated !== undefined) return skip('generated', generated);
  const { parsed, fallback } = await parseOrFallBack(source, file, as, context);
  const passages = cutPassages(source, parsed, { file, language: as.language, countTokens: (text) => context.countTokens(text) });
  return { file, hash, language: as.language, passages, nonBlankLines, ...(fallback === undefined ? {} : { fallback }) };
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
