/**
 * What Hoptrail's tools are worth to an agent: the same loop over the same questions, with files alone (`grep`, `list`,
 * `read`) and with `hoptrail_search`, `hoptrail_research` and `hoptrail_references` of the real MCP server beside them.
 *
 *     npm run build && node --import tsx lab/agents/measure-agent.ts --data FOLDER --out RUNS.jsonl \
 *       --base-url http://127.0.0.1:8099/v1 [--model local] [--each 10] [--skip 0] [--actions 4] [--report]
 *
 * FOLDER holds sets: questions in NAME.jsonl, about the files in the folder NAME beside it. Index them before, so that
 * all searches see all. The first `--skip` of each set are left out. Goes on where RUNS.jsonl ends; `--report` only
 * prints.
 * Reports what was asked in both ways: share of the gold files of which the agent was shown text, and that it cited,
 * right answers, actions, and tokens with those that are sent again.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { modelAt } from '#cli/lab';
import { seededRandom, shuffled } from '#base';
import { answerF1 } from '#research';
import { compareRuns } from '../evaluation/compare-runs.ts';
import { type DatasetQuestion, loadQuestions } from '../evaluation/dataset.ts';
import { type EvaluationRecord, readRecords, RecordLog } from '../evaluation/records.ts';
import { summarise } from '../evaluation/report.ts';
import { givesAnswer, isUnanswerable } from '../evaluation/score-answer.ts';
import { root } from '../places.ts';
import { type AgentRun, runAgent } from './agent-loop.ts';
import { fileTools } from './file-tools.ts';
import { CALL_MS, hoptrailTools } from './hoptrail-tools.ts';

const SEED = 17;
const ARMS = ['files', 'hoptrail'] as const;
type Arm = (typeof ARMS)[number];

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.' },
    out: { type: 'string' },
    'base-url': { type: 'string', default: 'http://127.0.0.1:8099/v1' },
    model: { type: 'string', default: 'local' },
    each: { type: 'string', default: '10' },
    skip: { type: 'string', default: '0' },
    actions: { type: 'string', default: '4' },
    report: { type: 'boolean', default: false },
  },
});
if (values.out === undefined) throw new Error('Say where the records go: --out RUNS.jsonl.');
const out = path.resolve(values.out);
const limits = { actions: Number(values.actions), resultCharacters: 900 };

if (!values.report) await measure();
report(readRecords(out));

async function measure(): Promise<void> {
  const sets = readdirSync(values.data)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => {
      const set = path.resolve(values.data, path.parse(file).name);
      const asked = loadQuestions(`${set}.jsonl`).filter((question) => !isUnanswerable(question));
      return { folder: set, questions: shuffled(asked, seededRandom(SEED)).slice(0, Number(values.each)) };
    });
  const fingerprint = JSON.stringify({ limits, model: values.model, seed: SEED });
  const log = new RecordLog(out, fingerprint);
  const model = modelAt(values['base-url'], values.model, 6144);
  const { signal } = new AbortController();
  const tools = await Promise.all(
    sets.map(async ({ folder }) => {
      const client = new Client({ name: 'measure-agent', version: '1' });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [path.join(root, 'dist', 'cli.cjs'), 'mcp', folder],
          env: process.env as Record<string, string>,
        }),
        { timeout: CALL_MS },
      );
      return { client, files: fileTools(folder), hoptrail: [...hoptrailTools(client), ...fileTools(folder)] };
    }),
  );
  try {
    for (let i = Number(values.skip); i < Number(values.each); i++)
      // Arm by arm: a server that keeps the beginning of the prompt before reads it once.
      for (const arm of ARMS)
        for (const [s, { questions }] of sets.entries()) {
          const [question, own] = [questions[i], tools[s]];
          if (!question || !own || log.get(`${question.id}:${arm}`)) continue;
          const started = performance.now();
          const run = await runAgent(model, question.question, own[arm], limits, signal);
          log.add({
            id: `${question.id}:${arm}`,
            fingerprint,
            metrics: scoreRun(question, run),
            ms: Math.round(performance.now() - started),
            tokens: run.inputTokens + run.outputTokens,
            detail: { question: question.question, gold: question.answer, goldFiles: question.files, ...run },
          });
          console.error(`${question.id} ${arm}: ${run.actions.length} actions, “${run.answer}”`);
        }
  } finally {
    await Promise.all(tools.map(({ client }) => client.close()));
  }
}

function scoreRun(question: DatasetQuestion, run: AgentRun): Record<string, number> {
  const gold = question.files ?? [];
  const share = (files: readonly string[]): number =>
    gold.filter((file) => files.includes(file)).length / Math.max(1, gold.length);
  return {
    shown: share(run.shown),
    cited: share(run.cited.map((file) => file.replace(/^\.?\//, '').replace(/:[\d-]*$/, ''))),
    right: Number(givesAnswer(question, run.answer, run.answer)),
    f1: answerF1(run.answer, [question.answer, ...question.aliases]),
    actions: run.actions.length,
    tokens: run.inputTokens + run.outputTokens,
  };
}

/** Both arms over the questions that both have, and the difference question by question. */
function report(records: readonly EvaluationRecord[]): void {
  const of = (arm: Arm): EvaluationRecord[] =>
    records
      .filter(({ id }) => id.endsWith(`:${arm}`))
      .map((record) => ({ ...record, id: record.id.split(':')[0] ?? '' }));
  const [files, hoptrail] = [of('files'), of('hoptrail')];
  const both = (own: EvaluationRecord[], other: EvaluationRecord[]): EvaluationRecord[] =>
    own.filter(({ id }) => other.some((record) => record.id === id));
  for (const [arm, own] of [
    ['files', both(files, hoptrail)],
    ['hoptrail', both(hoptrail, files)],
  ] as const) {
    const { n, metrics, costs, ci95 } = summarise(own, SEED);
    const cells = Object.entries({ ...metrics, ...costs }).map(
      ([name, value]) => `${name} ${value} [${ci95[name]?.join(', ') ?? ''}]`,
    );
    console.log(`${arm}, n = ${n}: ${cells.join('; ')}`);
  }
  for (const { metric, difference, ci95, p } of compareRuns(files, hoptrail, SEED))
    console.log(`${metric}: ${difference.toFixed(3)} [${ci95.map((end) => end.toFixed(3)).join(', ')}], p = ${p}`);
}
