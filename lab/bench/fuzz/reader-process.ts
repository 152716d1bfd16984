/**
 * The process in which the fuzzer's inputs are read: it takes one input after the other over IPC, reads it as the index
 * does, and checks that every non-blank line is in exactly one passage. It may hang or die; its parent watches it.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { causeInWords } from '#search';
import { CodeParser, decodeText, isDocument, readSourceFile } from '#search/lab';
import { checkPassages, counter, repositoryRoot } from '../../../test/unit/search/reading/reading-harness.ts';
import type { Reading, ReadingRequest, ReadStage } from './watched-reader.ts';

const MAX_FILE_BYTES = 8 * 2 ** 20;
const code = new CodeParser(repositoryRoot, () => undefined);

async function read({ id, name, bytes }: ReadingRequest): Promise<Reading> {
  const unused = (): never => {
    throw new Error('reading one file asks for nothing but its bytes');
  };
  const files = { list: unused, stat: unused, realPath: unused, read: async () => bytes };
  const file = {
    uri: pathToFileURL(path.join(repositoryRoot, name)).href,
    path: name,
    rootUri: pathToFileURL(repositoryRoot).href,
    size: bytes.length,
    mtimeMs: 0,
  };
  const started = performance.now();
  const result = await readSourceFile(file, {
    files,
    code,
    countTokens: (text) => counter.count(text),
    maxFileBytes: MAX_FILE_BYTES,
  });
  const milliseconds = performance.now() - started;
  process.send?.({ id, isRead: true } satisfies ReadStage);
  if ('reason' in result)
    return { kind: 'left-out', reason: result.reason, detail: causeInWords(result.why), milliseconds };
  const decoded = isDocument(name) ? undefined : decodeText(bytes);
  try {
    checkPassages(result, decoded?.kind === 'text' ? decoded.text : undefined);
  } catch (error) {
    return { kind: 'promise-broken', detail: error instanceof Error ? error.message : String(error), milliseconds };
  }
  const titles = result.passages.slice(0, 200).map((passage) => passage.title);
  return {
    kind: 'read',
    passages: result.passages.length,
    titles,
    fallback: result.fallback && causeInWords(result.fallback),
    milliseconds,
  };
}

// As in the reading process: a late rejection of a library fails no file.
process.on('unhandledRejection', () => undefined);
process.on('message', (request: ReadingRequest) => {
  void read(request)
    .catch((error: unknown): Reading => ({
      kind: 'crashed',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    .then((reading) =>
      process.send?.({
        id: request.id,
        reading,
        peakBytes: process.resourceUsage().maxRSS * 1024, // it is in kilobytes
        bytes: process.memoryUsage.rss(),
      }),
    );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: -1 });
