/**
 * The same reader with bare tools: what `eval answer` has to beat. Each question is answered in a plain loop, with grep
 * and a file reader (`--with files`) or with the tools of Hoptrail's MCP server (`--with hoptrail`).
 *
 *     npm run build && node --import tsx lab/agents/measure-agent.ts --data F.jsonl --trees DIR --runs FOLDER \
 *       --base-url http://127.0.0.1:8099/v1 [--model local] [--with files|hoptrail] [--calls 8]
 *
 * The runs are recorded as those of `eval answer --runs`: `hoptrail eval score FOLDER --data F.jsonl` judges them. A
 * question that FOLDER has is not asked again.
 */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { modelAt } from '#cli/lab';
import { type Answer, emptyChain, type ResearchEvent } from '#research/lab';
import { questionsByTree, withTree } from '../commands/eval-trees.ts';
import { loadQuestions } from '../evaluation/dataset.ts';
import { keepRun, readRuns, recordingFiles, recordReplies } from '../evaluation/recording.ts';
import { root } from '../places.ts';
import { type AgentRun, type AgentTool, runAgent } from './agent-loop.ts';
import { fileTools } from './file-tools.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    trees: { type: 'string' },
    runs: { type: 'string' },
    'base-url': { type: 'string', default: 'http://127.0.0.1:8099/v1' },
    model: { type: 'string', default: 'local' },
    with: { type: 'string', default: 'files' },
    calls: { type: 'string', default: '8' },
  },
});
const { data, trees, runs } = values;
if (data === undefined || trees === undefined || runs === undefined)
  throw new Error('Name the questions, the folders and where runs go: --data F --trees DIR --runs FOLDER.');

/** Milliseconds of a call of an MCP tool. */
const CALL_MS = 600_000;
const limits = { calls: Number(values.calls), resultCharacters: 20_000 };

async function withTools<T>(folder: string, use: (tools: readonly AgentTool[]) => Promise<T>): Promise<T> {
  if (values.with === 'files') return use(fileTools(folder));
  const client = new Client({ name: 'measure-agent', version: '1' });
  const args = [path.join(root, 'dist', 'cli.cjs'), 'mcp', folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    return await use(
      tools
        .filter(({ name }) => name !== 'ask')
        .map(({ name, description = '', inputSchema }) => ({
          name,
          description,
          parameters: inputSchema,
          run: async (input) => {
            const result = await client.callTool({ name, arguments: input }, undefined, { timeout: CALL_MS });
            const parts = z.array(z.object({ text: z.string() })).parse(result.content);
            return parts.map(({ text }) => text).join('\n');
          },
        })),
    );
  } finally {
    await client.close();
  }
}

function eventsOf(run: AgentRun): ResearchEvent[] {
  const answer: Answer = {
    text: run.none ? '' : run.answer,
    short: run.none ? '' : run.short,
    abstained: run.none,
    statements: [],
    citations: [],
    passages: [],
    chain: emptyChain,
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: [],
    by: 'model',
    coverage: { files: 0, passages: 0, embedded: 0, indexing: false },
  };
  const stamp = { runId: 'agent', time: Date.now() };
  return [
    { type: 'answer-end', answer, ...stamp },
    { type: 'run-end', usage: { ...run.usage, retrievals: run.looks.length }, ...stamp },
  ];
}

mkdirSync(runs, { recursive: true });
const { events, replies } = recordingFiles(runs);
const known = new Set(existsSync(events) ? readRuns(runs).map(({ id }) => id) : []);
const model = recordReplies(modelAt(values['base-url'], values.model), replies);
const { signal } = new AbortController();
for (const [name, questions] of questionsByTree(loadQuestions(data)))
  await withTree(trees, name, (folder) =>
    withTools(folder, async (tools) => {
      for (const { id, question } of questions.filter((one) => !known.has(one.id))) {
        const run = await runAgent(model, question, tools, limits, signal);
        keepRun(runs, { id, events: eventsOf(run) });
        console.log(`${id}: ${run.none ? 'none' : run.short} (${run.looks.length} looks)`);
      }
    }),
  );
