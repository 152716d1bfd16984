import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, it } from 'mocha';
import { noReferences } from '../../../src/search/domain/reference-answer.ts';
import type { Engine } from '../../../src/hoptrail.ts';
import { createMcpServer } from '../../../src/cli/mcp-server.ts';

const coverage = { files: 1, passages: 1, embedded: 1, indexing: false };
/** An engine that finds nothing in an index of one file. */
const engine = {
  index: { report: async () => ({ files: [], skipped: [], fallbacks: [] }), state: async () => ({ coverage }) },
  retriever: {
    search: async () => ({ hits: [], coverage }),
    references: async () => noReferences({ symbol: 'merge', kind: 'uses' }, coverage),
  },
} as unknown as Engine;

describe('the tools for agents', () => {
  it('say where the index could not be brought up to date in time', async () => {
    for (const fresh of [true, false]) {
      const server = createMcpServer(engine, [], {}, '1.0.0', async () => fresh);
      const client = new Client({ name: 'test', version: '1' });
      const [here, there] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(there), client.connect(here)]);
      for (const [name, args] of [
        ['hoptrail_search', { query: 'masts' }],
        ['hoptrail_references', { symbol: 'merge' }],
      ] as const) {
        const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
        assert.ok(!isError, JSON.stringify(content));
        for (const told of [content, structuredContent])
          assert.equal(JSON.stringify(told).includes('Files may be newer than this index'), !fresh, name);
      }
      await client.close();
    }
  });
});
