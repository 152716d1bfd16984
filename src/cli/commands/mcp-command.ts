import { setTimeout as wait } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { reportError } from '#base';
import { type ResearchOptions, tools } from '#research';
import { rootFolders } from '#search';
import { createMcpServer } from '../mcp-server.ts';
import { packageVersion, withEngine, type EngineOptions } from '../open-engine.ts';
import { forTerminal } from '../terminal.ts';

/** Milliseconds that a call waits for changed files to be indexed; a few files take a tenth of that. */
const FRESHEN_MILLISECONDS = 5_000;
/** The same while the folder is read for the first time; many clients abandon a call after a minute. */
const FIRST_MILLISECONDS = 50_000;

/** `hoptrail mcp DIR...`: serves until the client closes stdin. Each call first indexes what has changed. */
export async function mcpCommand(
  directories: readonly string[],
  options: EngineOptions & { research: Partial<ResearchOptions> },
  signal: AbortSignal,
): Promise<void> {
  await withEngine(directories, options, signal, async ({ engine, roots }) => {
    const background = new AbortController();
    const stop = AbortSignal.any([signal, background.signal]);
    const failed = (error: unknown): false => {
      if (!stop.aborted)
        process.stderr.write(forTerminal(`hoptrail: indexing failed: ${reportError(error).message}\n`));
      return false;
    };
    const update = (): Promise<boolean> => engine.index.update({ soon: true }, stop).then(() => true, failed);
    let updating: Promise<boolean> | undefined;
    let following: Promise<boolean> | undefined;
    const start = (): Promise<boolean> =>
      (updating = update().finally(() => {
        updating = undefined;
      }));
    // A running update may already have passed a change: one more follows it, shared by all calls that wait.
    const bringUpToDate = (): Promise<boolean> => {
      if (!updating) return start();
      return (following ??= updating.then(() => {
        following = undefined;
        return start();
      }));
    };
    let patience = FIRST_MILLISECONDS;
    void start().then(() => (patience = FRESHEN_MILLISECONDS));
    const freshen = (call: AbortSignal): Promise<boolean> =>
      Promise.race([bringUpToDate(), wait(patience, false, { signal: call, ref: false })]);
    const server = createMcpServer({
      engine,
      tools,
      roots: rootFolders(roots),
      research: options.research,
      version: packageVersion(),
      freshen,
    });
    const closed = new Promise<void>((resolve) => {
      server.server.onclose = resolve;
      process.stdin.once('end', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await server.connect(new StdioServerTransport());
    await closed;
    background.abort();
    await Promise.all([server.close(), updating]);
  });
}
