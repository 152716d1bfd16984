import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../../../scripts/vscode-host/locations.ts';
import { causeInWords } from '../../../../src/search/domain/file-cause.ts';
import type { SkippedFile, SourceFile } from '../../../../src/search/domain/source-file.ts';
import type { ReadFile, ReadingOptions } from '../../../../src/search/reading/passage-source.ts';
import {
  createPassageSource,
  type FolderPassageSource,
  type PassageSourceDependencies,
} from '../../../../src/search/reading/create-passage-source.ts';
import { contentHashOf, passageIdOf, passageEmbeddingText } from '../../../../src/search/reading/passage-identity.ts';
import { isBlank, SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { WordPieceCounter, type WordPieceTokenizerFile } from '../../../../src/search/embedding/token-counter.ts';

export { repositoryRoot };
export const fixturesFolder = path.join(repositoryRoot, 'test/fixtures/reading');
export const tokenizerFile = path.join(repositoryRoot, 'models/Xenova/bge-small-en-v1.5/tokenizer.json');

/** The bundled model's tokens; one counter for all tests, as loading takes a while. */
export const counter = new WordPieceCounter(JSON.parse(readFileSync(tokenizerFile, 'utf8')) as WordPieceTokenizerFile);

/** A source over folders; git's own settings are looked for in an empty place. */
export function sourceOver(
  folders: readonly string[],
  options: Partial<ReadingOptions> = {},
  deps: Partial<PassageSourceDependencies> = {},
): FolderPassageSource {
  return createPassageSource(
    {
      roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: path.basename(folder) })),
      excludeGlobs: [],
      useGitignore: true,
      maxFileBytes: 5 * 2 ** 20,
      ...options,
    },
    {
      countTokens: (text) => counter.count(text),
      wasmDir: repositoryRoot,
      gitHome: { home: path.join(tmpdir(), 'no-such-home') },
      ...deps,
    },
  );
}

export interface Everything {
  files: ReadFile[];
  skipped: SkippedFile[];
}

/** Crawls and reads all. */
export async function readAll(source: FolderPassageSource): Promise<Everything> {
  const all: Everything = { files: [], skipped: [] };
  for await (const event of source.crawl()) {
    if (event.type === 'skipped') {
      all.skipped.push(event.skipped);
      continue;
    }
    const read = await source.read(event.file);
    if ('reason' in read) all.skipped.push(read);
    else all.files.push(read);
  }
  return all;
}

/** Path to reason of everything left out. */
export const reasons = (all: Everything): Record<string, string> =>
  Object.fromEntries(all.skipped.map(({ path: skipped, reason }) => [skipped, reason]));

/** Reads one text as if it were a file of that name. */
export async function readText(
  name: string,
  content: string | Uint8Array,
  source?: FolderPassageSource,
): Promise<ReadFile | SkippedFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const used = source ?? sourceOver([repositoryRoot], {}, { files: memoryFile(bytes) });
  const file: SourceFile = {
    uri: pathToFileURL(path.join(repositoryRoot, name)).href,
    path: name,
    rootUri: pathToFileURL(repositoryRoot).href,
    size: bytes.length,
    mtimeMs: 0,
  };
  const read = await used.read(file);
  if (!source) used.close();
  return read;
}

function memoryFile(bytes: Uint8Array): PassageSourceDependencies['files'] {
  const unused = (): never => assert.fail('reading one file asks for nothing but its bytes');
  return { list: unused, stat: unused, realPath: unused, read: async () => bytes };
}

/** Narrows to a file that was read. */
export function asRead(result: ReadFile | SkippedFile): ReadFile {
  if ('reason' in result) assert.fail(`${result.path} was left out: ${result.reason}, ${causeInWords(result.why)}`);
  return result;
}

/**
 * The promises that every file's passages keep: line order, no overlap, exact text, at most 512 tokens, stable ids, and
 * every non-blank line covered, with nothing but blanks between the parts of a long one. `text` is undefined for
 * formats whose lines are those of the extracted text.
 */
export function checkPassages(read: ReadFile, text: string | undefined): void {
  const where = read.file.path;
  const source = text === undefined ? undefined : new SourceText(text);
  const covered = new Set<number>();
  let line = 0;
  let column = 1;
  for (const passage of read.passages) {
    const { startLine, endLine, startColumn, endColumn } = passage;
    const at = `${where}:${startLine}`;
    assert.ok(startLine <= endLine, `${at} ends before it starts`);
    assert.ok(
      startLine > line || (startLine === line && (startColumn ?? 0) >= column),
      `${at} overlaps or comes before line ${line}, column ${column}`,
    );
    if (startColumn !== undefined && endColumn !== undefined) {
      assert.equal(startLine, endLine, `${at} has columns and several lines`);
      const whole = source?.line(startLine);
      const gap = whole?.slice((startLine === line ? column : 1) - 1, startColumn - 1) ?? '';
      assert.ok(isBlank(gap), `${at} leaves a gap within its line: ${gap.slice(0, 80)}`);
      const part = whole?.slice(startColumn - 1, endColumn - 1);
      if (part !== undefined) assert.equal(passage.text, part, `${at} is not the part of the line`);
      if (whole === undefined || isBlank(whole.slice(endColumn - 1))) covered.add(startLine);
      column = endColumn;
    } else {
      const lines = source?.slice(startLine, endLine);
      if (source) assert.equal(passage.text, lines, `${at} is not the lines ${startLine} to ${endLine}`);
      passage.text.split('\n').forEach((content, i) => (isBlank(content) ? undefined : covered.add(startLine + i)));
      column = 1;
    }
    line = endLine;
    assert.ok(!isBlank(passage.text), `${at} is blank`);
    const tokens = counter.count(passageEmbeddingText(passage));
    assert.ok(tokens <= 512, `${at} has ${tokens} tokens`);
    assert.equal(passage.contentHash, contentHashOf(passage), `${at} has another content hash`);
    assert.equal(passage.id, passageIdOf(passage), `${at} has another id`);
    for (const link of passage.links)
      assert.ok(link.line >= startLine && link.line <= endLine, `${at} has a link of line ${link.line}`);
  }
  const lastLine = read.fallback?.code === 'in-part' ? read.fallback.details.lines : source?.lineCount;
  if (source)
    for (let n = 1; n <= (lastLine ?? 0); n++)
      assert.ok(source.isBlank(n) || covered.has(n), `${where}:${n} is in no passage: ${source.line(n).slice(0, 80)}`);
  assert.equal(covered.size, read.nonBlankLines, `${where}: covered lines`);
  const ids = new Set(read.passages.map((passage) => passage.id));
  assert.equal(ids.size, read.passages.length, `${where}: ids are not unique`);
}
