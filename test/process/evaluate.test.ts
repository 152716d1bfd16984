/**
 * Commands of `hoptrail eval` that cli.test.ts does not run, as people run them: the built files, a real index, and a
 * server that speaks OpenAI's protocol. Three questions each; what is printed has the keys that others read.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { FakeOpenAiServer, type FakeReply, type FakeRequest } from '../doubles/fake-openai-server.ts';
import { runHoptrail } from '../doubles/run-hoptrail.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';
import { repositoryRoot as root } from '../../scripts/vscode-host/locations.ts';

const replies = (_: FakeRequest): FakeReply => ({
  kind: 'stream',
  text: 'Because: The Lena ends in the Laptev Sea [1].\nAnswer: Laptev Sea',
});

/** Names of a value's parts, parts of parts with a dot; of a list, those of its first. */
function keysOf(value: unknown, below = ''): string[] {
  if (Array.isArray(value)) return keysOf(value[0], `${below}[]`);
  if (typeof value !== 'object' || value === null) return [below];
  return Object.entries(value).flatMap(([key, part]) => keysOf(part, below === '' ? key : `${below}.${key}`));
}

describe('hoptrail eval', function () {
  this.timeout(180_000);
  let home: string;
  let data: string;
  let server: FakeOpenAiServer;
  let endpoint: string[];

  before(async () => {
    home = temporaryFolder();
    data = join(home, 'questions.jsonl');
    server = await FakeOpenAiServer.start({ replies });
    endpoint = ['--base-url', server.baseUrl, '--model', 'fake'];
    const passages = [
      'The Aldan flows into the Lena.',
      'The Lena ends in the Laptev Sea.',
      'Onions grow in gardens.',
    ].map((text, i) => ({ id: `p${i}`, title: ['Aldan', 'Lena', 'Onion'][i], text }));
    const asked = [
      ['Into which sea does the river go that the Aldan flows into?', 'inference', 'Laptev Sea'],
      ['Where do onions grow?', 'lookup', 'gardens'],
      ['Which is longer, the Aldan or the Lena?', 'comparison', 'Lena'],
    ] as const;
    writeLines(
      data,
      asked.map(([question, type, answer], i) => ({
        id: `q${i}`,
        question,
        type,
        answer,
        passages,
        supporting: ['p0', 'p1'],
      })),
    );
  });
  after(() => server.stop());

  const writeLines = (file: string, rows: readonly object[]): void =>
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'));

  async function evaluate(...args: string[]): Promise<string> {
    const { code, out, err } = await runHoptrail(['eval', ...args], { XDG_CACHE_HOME: join(home, 'cache') });
    assert.equal(code, 0, err);
    return out;
  }
  const json = async (...args: string[]): Promise<unknown> => JSON.parse(await evaluate(...args, '--json'));

  it('classify tells how many types are right, and which are taken for which', async () => {
    const report = (await json('classify', '--data', data, '--classifier', 'embedded')) as {
      n: number;
      confusion: Record<string, Record<string, number>>;
    };
    assert.equal(report.n, 3);
    assert.deepEqual(Object.keys(report.confusion).sort(), ['comparison', 'inference', 'lookup']);
    const { confusion, ...others } = report;
    assert.equal(
      keysOf({ ...others, config: {} }).join(' '),
      'task data setting retriever n metrics.accuracy ci95.accuracy[] ' +
        'ci95.calls[] ci95.tokens[] costs.calls costs.tokens ms.p50 ms.p95 tokens',
    );
  });

  it('bandit replays each policy over what was gathered', async () => {
    const outcomes = join(root, 'lab', 'bench', 'strategy-outcomes.jsonl');
    const report = (await json('bandit', '--outcomes', outcomes, '--orders', '1')) as { questions: number };
    assert.equal(report.questions, 60);
    const figure = (name: string): string[] => [`${name}.mean`, `${name}.ci95[]`];
    assert.deepEqual(keysOf(report), [
      'task',
      'questions',
      'strategies',
      'beta',
      'orders',
      'training',
      'policies[].policy',
      ...['f1', 'reward', 'tokens', 'overFixed'].flatMap((name) => figure(`policies[].${name}`)),
    ]);
  });

  it('answer records runs, score judges them without a model, and a replay asks nobody', async () => {
    const runs = join(home, 'runs');
    const recorded = await json('answer', '--data', data, '--runs', runs, ...endpoint);
    assert.deepEqual(readdirSync(runs).sort(), ['events.jsonl', 'records.jsonl', 'replies.jsonl']);
    const verdicts = join(home, 'verdicts.jsonl');
    writeLines(verdicts, [{ id: 'q1', verdict: 'partly' }]);
    const rows = (await json('score', runs, '--data', data, '--verdicts', verdicts)) as {
      name: string;
      n: number;
      byHand: number;
      verdicts: Record<string, number>;
      calls: { median: number };
    }[];
    const all = rows.find(({ name }) => name === 'all with an answer');
    assert.deepEqual([all?.n, all?.byHand, all?.verdicts['partly']], [3, 1, 1]);
    assert.ok((all?.calls.median ?? 0) >= 1);
    assert.match(await evaluate('score', runs, '--data', data), /^\| all with an answer \| 3 \|/m);
    assert.equal((await evaluate('score', runs, '--data', data, '--list')).trim().split('\n').length, 3);
    const asked = server.requests.length;
    const replayed = await json('answer', '--data', data, '--runs', runs, '--replay');
    assert.equal(server.requests.length, asked);
    const metrics = (report: unknown) => (report as { metrics: unknown }).metrics;
    assert.deepEqual(metrics(replayed), metrics(recorded));
  });

  it('retrieval puts all retrievers into one table', async () => {
    const table = await evaluate('retrieval', '--data', data, '--retriever', 'all');
    assert.match(table, /^\| 3 questions \| text \| vector \| hybrid \| beam \|/m);
    assert.match(table, /^\| recall@5 \| \d\.\d\d \[/m);
  });

  it('ablations prints a row for each way of asking, and keeps its records and the replies', async () => {
    const out = join(home, 'ablations');
    const only = 'plan-off,one-look';
    const table = await evaluate('ablations', '--data', data, '--out', out, '--only', only, ...endpoint);
    const [header, , ...rows] = table.trim().split('\n');
    assert.equal(header, '|  | questions | F1 | calls | tokens |');
    assert.deepEqual(
      rows.map((row) => row.split('|')[1]?.trim()),
      only.split(','),
    );
    assert.deepEqual(readdirSync(out).sort(), ['ablations.md', 'one-look.jsonl', 'plan-off.jsonl', 'replies.jsonl']);
    for (const name of only.split(','))
      assert.equal(
        readFileSync(join(out, `${name}.jsonl`), 'utf8')
          .trim()
          .split('\n').length,
        3,
      );
  });
});
