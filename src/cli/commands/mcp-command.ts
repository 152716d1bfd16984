import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ResearchOptions } from '../../reasoning/research-options.ts';
import { createMcpServer } from '../mcp/create-server.ts';
import { packageRoot, withEngine, type EngineOptions } from '../open-engine.ts';

/** `hoptrail mcp DIR`: serves until the client closes stdin. Indexing goes on behind; questions are answered from what there is. */
export async function mcpCommand(directory: string, options: EngineOptions & { research: Partial<ResearchOptions> }, signal: AbortSignal): Promise<void> {
  await withEngine(directory, options, signal, async ({ engine }) => {
    const background = new AbortController();
    const updating = engine.index.update({}, AbortSignal.any([signal, background.signal])).catch((error: unknown) => {
      if (!signal.aborted && !background.signal.aborted) process.stderr.write(`hoptrail: indexing failed: ${error instanceof Error ? error.message : String(error)}\n`);
    });
    const server = createMcpServer(engine, options.research, packageVersion());
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

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0.0.0';
}
