import { join } from 'node:path';
import { causeInWords, createPassageSource, ReadingProcess, type SkippedFile } from '#search';
import { packageRoot } from '../open-engine.ts';
import { forTerminal, type Output } from '../terminal.ts';
import { workspaceFolder } from '../places.ts';

/**
 * `hoptrail passages DIR`: every passage as a JSON line, and every file that was left out; reads only, keeps no index.
 */
export async function passagesCommand(directory: string, output: Output, signal: AbortSignal): Promise<void> {
  const root = workspaceFolder(directory);
  const home = packageRoot();
  const wasmDir = join(home, 'dist', 'wasm');
  const source = createPassageSource(
    {
      roots: [{ uri: root.uri, name: root.name }],
      excludeGlobs: [],
      useGitignore: true,
      maxFileBytes: 5 * 1024 * 1024,
    },
    {
      reader: new ReadingProcess({
        entry: join(home, 'dist', 'index-process.cjs'),
        wasmDir,
        counting: { kind: 'model', folder: join(home, 'models', 'Xenova', 'bge-small-en-v1.5') },
        log: (level, text) => {
          if (level === 'error') process.stderr.write(forTerminal(`${level}: ${text}\n`));
        },
      }),
    },
  );
  try {
    for await (const event of source.crawl(signal)) {
      if (event.type === 'skipped') output.json({ skipped: inEnglish(event.skipped) });
      else {
        const read = await source.read(event.file, signal);
        if ('reason' in read) output.json({ skipped: inEnglish(read) });
        else for (const passage of read.passages) output.json(passage);
      }
    }
  } finally {
    source.close();
  }
}

/** A file that was left out, as this command has always told of it. */
const inEnglish = ({ path, reason, why }: SkippedFile) => ({ path, reason, detail: causeInWords(why) });
