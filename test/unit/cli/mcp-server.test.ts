import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { optionalInput } from '../../../src/base/lenient-input.ts';
import { createMcpServer, type McpServerParts } from '../../../src/cli/mcp-server.ts';
import type { Engine } from '../../../src/hoptrail.ts';
import type { UnstampedEvent } from '../../../src/research/domain/research-event.ts';
import type { Tool } from '../../../src/research/tools/tool.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const whole = { files: 1, passages: 2, embedded: 2, indexing: false };
const skipped = [{ path: 'big.ts', reason: 'too-large', why: { code: 'too-large', details: { bytes: 9, most: 8 } } }];

function engineWith({ coverage = whole, files = [{ path: 'notes/a.md' }], events = [] as UnstampedEvent[] } = {}) {
  return {
    retriever: {},
    index: { report: async () => ({ files, skipped, fallbacks: [] }), state: async () => ({ coverage }) },
    async *research() {
      for (const event of events) yield { ...event, runId: 'r', time: 0 };
    },
  } as unknown as Engine;
}

/** A tool that notes its input and finds so much. */
const noting = (asked: unknown[], total = 1): Tool => ({
  name: 'search',
  title: (t) => t('Search'),
  description: 'Finds passages.',
  input: z.strictObject({
    query: z.string().min(1),
    folder: optionalInput(z.string()),
    glob: z.string().optional(),
  }) as unknown as Tool['input'],
  asked: () => '',
  run: async (_, input) => {
    asked.push(input);
    return {
      text: total === 0 ? 'Nothing was found.' : 'a.md:3-4\n3| Ada keeps the hut.',
      passages: [],
      places: [],
      total,
      structured: { hits: total },
    };
  },
});

type Called = { content: { text: string }[]; structuredContent?: Record<string, unknown>; isError?: boolean };

async function withClient<T>(parts: Partial<McpServerParts>, use: (client: Client) => Promise<T>): Promise<T> {
  const server = createMcpServer({
    engine: engineWith(),
    tools: [noting([])],
    roots: [],
    research: {},
    version: '1.0.0',
    freshen: async () => true,
    ...parts,
  });
  const client = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const call = (parts: Partial<McpServerParts>, name: string, args: Record<string, unknown>): Promise<Called> =>
  withClient(parts, async (client) => (await client.callTool({ name, arguments: args })) as Called);

describe('the tools for agents', () => {
  it('are those of the table and ask, read-only, with strict arguments', async () => {
    const { tools } = await withClient({}, (client) => client.listTools());
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['search', true],
        ['ask', true],
      ],
    );
    assert.equal(tools[0]?.inputSchema.additionalProperties, false);
    assert.ok((await call({}, 'search', { query: 'hut', limits: 3 })).isError, 'a dropped restriction would widen it');
  });

  it('give text and data, and say about the index only what a reader must know', async () => {
    const { content, structuredContent } = await call({}, 'search', { query: 'hut' });
    assert.deepEqual(content, [{ type: 'text', text: 'a.md:3-4\n3| Ada keeps the hut.' }]);
    assert.deepEqual(structuredContent, { hits: 1 });
    const partial = { ...whole, embedded: 1, indexing: true };
    const cases: [Partial<McpServerParts>, RegExp][] = [
      [{ freshen: async () => false }, /Files may be newer than this index/],
      [{ tools: [noting([], 0)] }, /Nothing was found\.\n\nSearched 2 passages of 1 file.*1 too-large \(.*big\.ts/],
      [{ engine: engineWith({ coverage: partial }) }, /1 of 2 passages by meaning.*still being built/],
    ];
    for (const [parts, told] of cases) {
      const found = await call(parts, 'search', { query: 'hut' });
      assert.match(found.content[0]?.text ?? '', told);
      assert.equal(typeof found.structuredContent?.['caveat'], 'string');
    }
  });

  it('take absolute paths, through links too, and refuse a folder in which nothing is indexed', async () => {
    const home = realpathSync(temporaryFolder());
    mkdirSync(join(home, 'notes', '..huts'), { recursive: true });
    symlinkSync(join(home, 'notes'), join(home, 'link'), 'junction');
    const roots = ['notes', 'code'].map((name) => ({ name, folder: join(home, name), prefix: `${name}/` }));
    const asked: unknown[] = [];
    const parts = { roots, tools: [noting(asked)], engine: engineWith({ files: [{ path: 'notes/..huts/a.md' }] }) };
    for (const folder of [join(home, 'link', '..huts'), join(home, 'notes'), './notes/', '.', home, null])
      assert.ok(!(await call(parts, 'search', { query: 'q', folder })).isError, String(folder));
    for (const glob of [join(home, 'notes', '**', 'a*.md'), join(home, 'notes', '/'), home, 'notes/'])
      await call(parts, 'search', { query: 'q', glob });
    assert.deepEqual(
      asked.map((input) => Object.values(input as object)[1] as unknown),
      ['notes/..huts', 'notes', 'notes', '', '', undefined, 'notes/**/a*.md', 'notes/', '**', 'notes/'],
    );
    const { isError, content } = await call(parts, 'search', { query: 'q', folder: 'code' });
    assert.ok(isError);
    assert.match(content[0]?.text ?? '', /Nothing that is indexed lies at or below "code"/);
  });
});

describe('ask', () => {
  const answer = {
    text: 'Ada [1]\u001b[2J',
    short: 'Ada',
    abstained: false,
    statements: [{ text: 'She left in 1990.', citations: [1], support: 'unsupported' as const }],
    citations: [{ number: 1, passageId: 'p', startLine: 3, endLine: 4 }],
    passages: [{ id: 'p', path: 'a.md' }],
    chain: { hops: [], score: 0, completeness: 0 },
    subAnswers: [],
    unsupportedCount: 1,
    conflicts: [],
    missing: ['Who keeps it now?'],
    by: 'model' as const,
    coverage: whole,
  };
  const steps = ['Who keeps the hut?', 'Who is her brother?'].map((question) => ({ type: 'step-start', question }));
  const answered = engineWith({ events: [...steps, { type: 'answer-end', answer }] as unknown as UnstampedEvent[] });

  it('gives the answer with its lines, what is open and what is not confirmed', async () => {
    const { content, structuredContent } = await call({ engine: answered }, 'ask', { question: 'Who?' });
    assert.equal(
      content[0]?.text,
      'Ada [1]\n\n[1] a.md:3-4\n\nStill open: Who keeps it now?\n\n' +
        'Not confirmed by the cited lines: She left in 1990.',
    );
    assert.deepEqual(structuredContent?.['citations'], [{ number: 1, path: 'a.md', startLine: 3, endLine: 4 }]);
    assert.deepEqual(structuredContent?.['missing'], ['Who keeps it now?']);
  });

  it('reports its steps to whoever asks for progress', async () => {
    const told: unknown[] = [];
    const asked = { name: 'ask', arguments: { question: 'Who?' } };
    await withClient({ engine: answered }, async (client) => {
      await client.callTool(asked, undefined, { onprogress: (progress) => told.push(progress) });
      assert.ok(!(await client.callTool(asked)).isError);
    });
    assert.deepEqual(told, [
      { progress: 1, message: 'Who keeps the hut?' },
      { progress: 2, message: 'Who is her brother?' },
    ]);
  });

  it('says what to do about a failed run, and gives no answer of a cancelled one', async () => {
    const error = { code: 'model-unreachable', message: 'The model does not answer.', advice: 'Start it.' };
    for (const [last, told] of [
      [{ type: 'run-error', error }, /^The model does not answer\. Start it\.$/],
      [{ type: 'run-cancelled' }, /cancelled/],
    ] as const) {
      const engine = engineWith({ events: [last] as unknown as UnstampedEvent[] });
      const { isError, content } = await call({ engine }, 'ask', { question: 'Who?' });
      assert.ok(isError);
      assert.match(content[0]?.text ?? '', told);
    }
  });
});
