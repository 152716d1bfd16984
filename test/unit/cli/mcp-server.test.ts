import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { noReferences } from '../../../src/search/domain/reference-answer.ts';
import { estimateTokens } from '../../../src/research/language-model/context-window.ts';
import type { ToolRoot } from '../../../src/research/run/agent-tools.ts';
import type { Engine } from '../../../src/hoptrail.ts';
import { trailFinds } from '../../../src/research/answer/trail.ts';
import { createMcpServer } from '../../../src/cli/mcp-server.ts';
import { supplierChain } from '../../doubles/panel-runs.ts';
import { quotedAnswer } from '../../doubles/quoted-answer.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const coverage = { files: 1, passages: 1, embedded: 1, indexing: false };
/** An engine that finds nothing in an index of one file. */
const engine = {
  index: { report: async () => ({ files: [], skipped: [], fallbacks: [] }), state: async () => ({ coverage }) },
  retriever: {
    search: async () => ({ hits: [], coverage }),
    references: async () => noReferences({ symbol: 'merge', kind: 'uses' }, coverage),
  },
} as unknown as Engine;

async function callOnce(
  asked: Engine,
  name: string,
  args: Record<string, unknown>,
  fresh = true,
  roots: readonly ToolRoot[] = [],
): Promise<Awaited<ReturnType<Client['callTool']>>> {
  const server = createMcpServer(asked, roots, {}, '1.0.0', async () => fresh);
  const client = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  const result = await client.callTool({ name, arguments: args });
  await client.close();
  assert.ok(!result.isError, JSON.stringify(result.content));
  return result;
}

describe('the tools for agents', () => {
  it('say where the index could not be brought up to date in time', async () => {
    for (const fresh of [true, false]) {
      for (const [name, args] of [
        ['hoptrail_search', { query: 'masts' }],
        ['hoptrail_references', { symbol: 'merge' }],
      ] as const) {
        const { content, structuredContent } = await callOnce(engine, name, args, fresh);
        for (const told of [content, structuredContent])
          assert.equal(JSON.stringify(told).includes('Files may be newer than this index'), !fresh, name);
      }
    }
  });

  it('link each passage to its first line, and count what that costs to read', async () => {
    const passage = {
      id: 'p',
      path: 'huts/keeper.md',
      uri: 'file:///notes/huts/keeper.md',
      startLine: 12,
      endLine: 14,
    };
    const told = { ...passage, title: 'Keeper', kind: 'section', text: 'Ada keeps the hut.' };
    const search = async () => ({ hits: [{ passage: told, score: 1 }], coverage });
    const finding = { ...engine, retriever: { search } } as unknown as Engine;
    const { content, structuredContent } = await callOnce(finding, 'hoptrail_search', { query: 'keeper' });
    const [text, link] = content as { text: string }[];
    assert.deepEqual(link, {
      type: 'resource_link',
      uri: 'file:///notes/huts/keeper.md#L12',
      name: 'huts/keeper.md:12-14',
    });
    const { tokens } = structuredContent as { tokens: number };
    assert.ok(tokens > estimateTokens(text?.text ?? ''), `${tokens}`);
  });

  it('say what a list of references was read from, with what was left out', async () => {
    const skipped = [
      { path: 'generated.ts', reason: 'too-large', why: { code: 'too-large', details: { bytes: 9, most: 8 } } },
    ];
    const references = async () => ({ ...noReferences({ symbol: 'merge', kind: 'uses' }, coverage), complete: true });
    const { content, structuredContent } = await callOnce(
      {
        ...engine,
        index: { ...engine.index, report: async () => ({ files: [], skipped, fallbacks: [] }) },
        retriever: { ...engine.retriever, references },
      } as unknown as Engine,
      'hoptrail_references',
      { symbol: 'merge' },
    );
    for (const told of [content, structuredContent])
      assert.match(
        JSON.stringify(told),
        /Looked through the references of 1 file; 1 file or folder left out: 1 too-large/,
      );
  });

  it('say how far an answer is, to whoever asks for it', async () => {
    const answer = { chain: { hops: [] }, citations: [], passages: [], text: 'Ada', abstained: false, coverage };
    const asked = {
      ...engine,
      async *research() {
        yield { type: 'step-start', question: 'Who keeps the hut?' };
        yield { type: 'step-start', question: 'Who is her brother?' };
        yield { type: 'answer-end', answer };
      },
    } as unknown as Engine;
    const server = createMcpServer(asked, [], {}, '1.0.0', async () => true);
    const client = new Client({ name: 'test', version: '1' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
    const told: unknown[] = [];
    const call = { name: 'hoptrail_research', arguments: { question: 'Who is the brother of the keeper?' } };
    const { isError } = await client.callTool(call, undefined, { onprogress: (progress) => told.push(progress) });
    assert.ok(!isError);
    assert.ok(!(await client.callTool(call)).isError, 'nor does it matter where nobody asks');
    await client.close();
    assert.deepEqual(told, [
      { progress: 1, message: 'Who keeps the hut?' },
      { progress: 2, message: 'Who is her brother?' },
    ]);
  });

  it('say of each hop what it found, and guess nothing', async () => {
    const answering = (answer: object): Engine =>
      ({
        ...engine,
        async *research() {
          yield { type: 'answer-end', answer };
        },
      }) as unknown as Engine;
    const quoted = await quotedAnswer();
    const finds = trailFinds(supplierChain.hops, []);
    const trail = await callOnce(answering({ ...quoted, chain: supplierChain, finds }), 'hoptrail_research', {
      question: 'Who keeps our account?',
    });
    assert.deepEqual(
      (trail.structuredContent as { trail: { found?: string }[] }).trail.map(({ found }) => found),
      ['Mast Power', 'Halden Cells', 'Hamish Adeyemi', undefined],
    );
    const { content } = await callOnce(answering(quoted), 'hoptrail_research', { question: 'Who keeps Kestrel Hut?' });
    assert.match(JSON.stringify(content), /Mara Lindqvist/);
    assert.doesNotMatch(JSON.stringify(content), /perhaps|guess/i);
  });

  it('say what can be done about a run that failed, and nothing of an answer where it was cancelled', async () => {
    const error = { code: 'model-unreachable', message: 'The model does not answer.', advice: 'Start it.' };
    for (const [last, told] of [
      [{ type: 'run-error', error }, 'The model does not answer. Start it.'],
      [{ type: 'run-cancelled' }, 'The call was cancelled.'],
    ] as const) {
      const asked = {
        ...engine,
        async *research() {
          yield last;
        },
      } as unknown as Engine;
      const server = createMcpServer(asked, [], {}, '1.0.0', async () => true);
      const client = new Client({ name: 'test', version: '1' });
      const [here, there] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(there), client.connect(here)]);
      const result = await client.callTool({ name: 'hoptrail_research', arguments: { question: 'Who?' } });
      await client.close();
      assert.ok(result.isError);
      assert.deepEqual(result.content, [{ type: 'text', text: told }]);
    }
  });

  it('take a place by the path of a link to the folder, as it was named when the server began', async () => {
    const home = realpathSync(temporaryFolder());
    mkdirSync(join(home, 'notes', '..huts'), { recursive: true });
    symlinkSync(join(home, 'notes'), join(home, 'link'), 'junction');
    const roots = ['notes', 'code'].map((name) => ({ name, folder: join(home, name), prefix: `${name}/` }));
    const filters: unknown[] = [];
    const noting = {
      ...engine,
      index: { ...engine.index, report: async () => ({ files: [{ path: 'notes/..huts/a.md' }], skipped: [] }) },
      retriever: {
        search: async (_: string, { filter }: { filter: unknown }) => {
          filters.push(filter);
          return { hits: [], coverage };
        },
      },
    } as unknown as Engine;
    const link = join(home, 'link');
    for (const place of [{ paths: [join(link, '..huts')] }, { roots: [link] }])
      await callOnce(noting, 'hoptrail_search', { query: 'masts', ...place }, true, roots);
    assert.deepEqual(filters, [{ paths: ['notes/..huts'] }, { paths: ['notes'] }]);
  });
});
