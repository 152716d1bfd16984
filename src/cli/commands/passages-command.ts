import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPassageSource, WordPieceCounter, type WordPieceTokenizerFile } from '#search';
import { packageRoot } from '../open-engine.ts';
import type { Output } from '../output.ts';
import { workspaceFolder } from '../places.ts';

/**
 * `hoptrail passages DIR`: every passage as a JSON line, and every file that was left out; reads only, keeps no index.
 */
export async function passagesCommand(directory: string, output: Output, signal: AbortSignal): Promise<void> {
  const root = workspaceFolder(directory);
  const tokenizer = JSON.parse(
    readFileSync(join(packageRoot(), 'models', 'Xenova', 'bge-small-en-v1.5', 'tokenizer.json'), 'utf8'),
  ) as WordPieceTokenizerFile; // our own file
  const counter = new WordPieceCounter(tokenizer);
  const source = createPassageSource(
    {
      roots: [{ uri: root.uri, name: root.name }],
      excludeGlobs: [],
      useGitignore: true,
      maxFileBytes: 5 * 1024 * 1024,
    },
    { countTokens: (text) => counter.count(text), wasmDir: join(packageRoot(), 'dist', 'wasm') },
  );
  for await (const event of source.crawl(signal)) {
    if (event.type === 'skipped') output.json({ skipped: event.skipped });
    else {
      const read = await source.read(event.file, signal);
      if ('reason' in read) output.json({ skipped: read });
      else for (const passage of read.passages) output.json(passage);
    }
  }
}
