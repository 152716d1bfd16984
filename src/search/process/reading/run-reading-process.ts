import { carefulTokenCount, openTokenCounter } from '../../embedding/token-counter.ts';
import { CodeParser } from '../../reading/code/code-parser.ts';
import { type FileSystem, nodeFileSystem } from '../../reading/file-system.ts';
import { readSourceFile, type ReadContext } from '../../reading/read-file.ts';
import { readingLimits } from '../../reading/reading-limits.ts';
import { upTo } from '../../indexer/unsaved-texts.ts';
import { startGuard } from '../process-guard.ts';
import { toReadingProcess, type FromReadingProcess, type ToReadingProcess } from './reading-messages.ts';

type ReadRequest = Extract<ToReadingProcess, { type: 'read' }>;

/**
 * Serves the index process: reads files one after another, and nothing else. It may be ended at any moment, by its
 * parent or by its own guard, when a file takes too long or too much memory; that file's parser is then not tried
 * again. `entry`: the file that runs here.
 */
export function runReadingProcess(entry: string): void {
  const send = (message: FromReadingProcess): void => {
    // A parent that just went is noticed by the guard.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  const guard = startGuard(
    entry,
    {
      graceMs: 0, // there is nothing to bring in order
      limits: {
        bytes: readingLimits.readingProcessBytes,
        milliseconds: readingLimits.parseMilliseconds,
        millisecondsWhenBusy: readingLimits.parseMillisecondsWhenBusy,
      },
    },
    (text) => send({ type: 'log', level: 'error', text }),
  );
  let context: Omit<ReadContext, 'maxFileBytes' | 'files'> | undefined;

  const read = async ({ id, file, maxFileBytes, encoding, parserBroke, shown }: ReadRequest): Promise<void> => {
    try {
      if (!context) throw new Error('a file came before init');
      const files = shown ? showing(shown) : nodeFileSystem;
      const result = await readSourceFile(file, { ...context, files, maxFileBytes, encoding }, undefined, {
        parserBroke,
        onBytesRead: () => guard.workBegins(),
      });
      send({ type: 'done', id, result, bytes: process.memoryUsage.rss() });
    } catch (error) {
      send({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      guard.workEnds();
    }
  };

  let reading: Promise<void> = Promise.resolve();
  process.on('message', (raw) => {
    const parsed = toReadingProcess.safeParse(raw);
    if (!parsed.success)
      return send({
        type: 'log',
        level: 'error',
        text: `a message of unknown shape was dropped: ${parsed.error.message}`,
      });
    const message = parsed.data;
    switch (message.type) {
      case 'init': {
        const { counting, wasmDir } = message;
        const countTokens = counting.kind === 'model' ? openTokenCounter(counting.folder) : carefulTokenCount;
        context = {
          code: new CodeParser(wasmDir, (text) => send({ type: 'log', level: 'warn', text })),
          countTokens,
        };
        return send({ type: 'up' });
      }
      case 'read':
        reading = reading.then(() => read(message));
    }
  });
  process.on('disconnect', () => process.exit(0));
  process.on('unhandledRejection', (reason) =>
    send({ type: 'log', level: 'error', text: `unhandled rejection while a file was read: ${String(reason)}` }),
  );
}

/** The disk, on which any file holds these bytes. */
const showing = (bytes: Uint8Array): FileSystem => ({
  ...nodeFileSystem,
  read: (file, { maxBytes }) => upTo(bytes, file, maxBytes),
});
