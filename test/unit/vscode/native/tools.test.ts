import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { z } from 'zod';
import { tools } from '../../../../src/research/tools/tool-table.ts';
import type { ChainResult } from '../../../../src/search/retrieval/retriever.ts';
import { TOOLS } from '../../../../src/vscode/manifest-names.ts';
import { FakeSessions } from '../../../doubles/vscode/fake-sessions.ts';
import { openFolders, resetVscode } from '../../../doubles/vscode/vscode.ts';
import { readRepository } from '../../../doubles/repository-files.ts';

const { askInput, prepareTool, runTool } = await import('../../../../src/vscode/native/tools.ts');

const token = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
} as unknown as vscode.CancellationToken;

describe('the tools of the editor', () => {
  afterEach(resetVscode);

  interface Schema {
    properties: Record<string, { type?: string }>;
    required: string[];
  }
  const { contributes } = JSON.parse(readRepository('package.json')) as {
    contributes: { languageModelTools: { name: string; inputSchema: Schema }[] };
  };
  const shapeOf = ({ properties, required }: Schema) => ({
    required: [...required].sort(),
    types: Object.fromEntries(Object.entries(properties).map(([key, { type }]) => [key, type])),
  });

  it('are those of the table, and a question of its own, with the inputs that the manifest states', () => {
    const inputs = new Map<string, z.ZodType>([
      ...tools.map(({ name, input }) => [`hoptrail_${name}`, input as z.ZodType] as const),
      ['hoptrail_ask', askInput],
    ]);
    assert.deepEqual([...inputs.keys()].sort(), [...TOOLS].sort());
    assert.deepEqual(contributes.languageModelTools.map(({ name }) => name).sort(), [...TOOLS].sort());
    for (const { name, inputSchema } of contributes.languageModelTools)
      assert.deepEqual(
        shapeOf(inputSchema),
        shapeOf(z.toJSONSchema(inputs.get(name) ?? z.never(), { io: 'input' }) as unknown as Schema),
        name,
      );
  });

  it('look where an agent says, also by an absolute path', async () => {
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    const sessions = new FakeSessions();
    sessions.files = ['systems/mast-power.md'];
    const coverage = { files: 1, passages: 1, embedded: 1, indexing: false };
    const paths: unknown[] = [];
    sessions.retriever.chains = async (_query, { filter } = {}) => {
      paths.push(filter?.paths);
      return { chains: [], hits: [], coverage } as unknown as ChainResult;
    };
    const { engine } = await sessions.get();
    Object.assign(engine.index, { state: async () => ({ coverage }) });
    for (const folder of ['systems', './systems/', '/home/ann/notes/systems', '/home/ann/notes'])
      await runTool(sessions.holder, 'hoptrail_search', { query: 'batteries', folder }, token);
    assert.deepEqual([...new Set(paths.map((one) => JSON.stringify(one)))], ['["systems"]', undefined]);
    for (const [tool, input] of Object.entries({ hoptrail_search: { query: 'a' }, hoptrail_ask: { question: 'a' } }))
      await assert.rejects(
        runTool(sessions.holder, tool as 'hoptrail_ask', { ...input, folder: 'drafts' }, token),
        /Nothing that is indexed lies at or below "drafts"/,
      );
  });

  it('refuse inputs that they do not know, and ask before text goes to a model', async () => {
    const wrong = { query: 'x', everywhere: true };
    await assert.rejects(runTool(new FakeSessions().holder, 'hoptrail_search', wrong, token), { code: 'tool-input' });
    const { confirmationMessages } = prepareTool('hoptrail_ask', { question: 'Who?' }, 'Qwen');
    assert.match(String(confirmationMessages?.message), /^Who\?\n\nPassages of this workspace are sent to Qwen/);
  });
});
