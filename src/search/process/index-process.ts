import { fileURLToPath } from 'node:url';
import { READING_ROLE } from './process-guard.ts';

/**
 * Entry of the index process (a daemon) and of the process that reads files for it. Native code is loaded here and
 * nowhere else. Each of the two processes loads only the code that it needs.
 */
async function main(): Promise<void> {
  const entry = fileURLToPath(import.meta.url);
  if (process.argv[2] === READING_ROLE) {
    const { runReadingProcess } = await import('./reading/run-reading-process.ts');
    return runReadingProcess(entry);
  }
  const { runDaemon } = await import('./daemon.ts');
  runDaemon(entry);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
