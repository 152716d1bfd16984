import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { DatasetError } from '../../../lab/evaluation/dataset.ts';
import {
  factsOf,
  judgeRuns,
  readVerdicts,
  scoreRows,
  scoreTable,
  type Verdict,
  verdictOf,
} from '../../../lab/evaluation/verdicts.ts';
import type { Answer, Statement, Usage } from '../../../src/research/domain/answer.ts';
import type { PlanOrigin } from '../../../src/research/domain/plan.ts';
import type { ResearchEvent, UnstampedEvent } from '../../../src/research/domain/research-event.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';
import { answerSaying, datasetQuestion } from './asked.ts';

const marked: Statement = { text: 'So.', citations: [1], support: 'unsupported' };

function run(answer: Answer, usage: Partial<Usage> = {}, origin: PlanOrigin = 'fast'): ResearchEvent[] {
  const events: UnstampedEvent[] = [
    { type: 'plan-proposed', plan: { steps: [], origin, reason: '' } },
    { type: 'answer-end', answer },
    {
      type: 'run-end',
      usage: { calls: 3, inputTokens: 100, outputTokens: 10, estimated: false, retrievals: 1, seconds: 1, ...usage },
    },
  ];
  return events.map((event) => ({ ...event, runId: 'r', time: 0 }));
}

describe('the verdict on an answer', () => {
  const question = datasetQuestion({ answer: 'Narvik', type: 'lookup' });
  const list = datasetQuestion({ answer: 'Ann, Bo', items: ['Ann', ['Bo', 'Robert']] });
  const cases: [what: string, asked: typeof question, answer: Answer | undefined, verdict: Verdict][] = [
    ['the gold answer anywhere in it', question, answerSaying('He was born in Narvik. [1]'), 'right'],
    ['another answer', question, answerSaying('Oslo [1]'), 'wrong'],
    ['a refusal', question, answerSaying('', { abstained: true }), 'refused'],
    ['a failed run', question, undefined, 'wrong'],
    ['all items, one by another name', list, answerSaying('Ann and Robert'), 'right'],
    ['some items', list, answerSaying('Ann'), 'partly'],
    ['a refused null', datasetQuestion({ type: 'null' }), answerSaying('', { abstained: true }), 'right'],
    ['an answered null', datasetQuestion({ type: 'null' }), answerSaying('Oslo'), 'wrong'],
  ];
  for (const [what, asked, answer, verdict] of cases)
    it(`is ${verdict} for ${what}`, () => assert.equal(verdictOf(asked, answer), verdict));
});

describe('scores of recorded runs', () => {
  const questions = [
    datasetQuestion({ id: 'a', answer: 'Narvik', type: 'lookup' }),
    datasetQuestion({ id: 'b', answer: 'Oslo', type: 'inference' }),
    datasetQuestion({ id: 'c', answer: 'Bergen', type: 'inference' }),
    datasetQuestion({ id: 'd', type: 'null' }),
    datasetQuestion({ id: 'not asked', answer: 'x' }),
  ];
  const runs = [
    { id: 'a', events: run(answerSaying('Narvik'), { calls: 1, cachedTokens: 50 }, 'default') },
    { id: 'b', events: run(answerSaying('Paris', { statements: [marked] }), { calls: 4 }) },
    { id: 'c', events: run(answerSaying('the same town, in other words'), { calls: 5 }, 'debate-hard') },
    { id: 'd', events: run(answerSaying('', { abstained: true })) },
  ];

  it('count verdicts, calls, plans and marks, and let a person overrule the match', () => {
    const judged = judgeRuns(questions, runs, new Map([['c', 'right']]));
    const rows = scoreRows(judged, 1);
    assert.deepEqual(
      rows.map(({ name, n }) => `${name} ${n}`),
      ['inference 2', 'lookup 1', 'all with an answer 3', 'without an answer 1'],
    );
    const all = rows[2];
    assert.deepEqual(all?.verdicts, { right: 2, partly: 0, wrong: 1, refused: 0 });
    assert.deepEqual(
      [all?.byHand, all?.wrongUnmarked, all?.marks, all?.calls.median, all?.promptTokens.mean],
      [1, 0, 1, 4, 100],
    );
    assert.ok(Math.abs((all?.planned ?? 0) - 2 / 3) < 1e-9);
    assert.match(
      scoreTable(rows),
      /^\| all with an answer \| 3 \| 2 \| 0\.67 \[0\.21, 0\.94\] \| 0 \| 1 \(0\) \| 0 \|/m,
    );
  });

  it('take a run that failed for wrong', () => {
    const failed: ResearchEvent[] = [
      {
        type: 'run-error',
        error: { code: 'x', message: 'The server went away.' },
        usage: { calls: 1, inputTokens: 1, outputTokens: 0, estimated: true, retrievals: 0, seconds: 0 },
        runId: 'r',
        time: 0,
      },
    ];
    assert.equal(factsOf(failed).failed, true);
    assert.equal(judgeRuns(questions, [{ id: 'a', events: failed }], new Map())[0]?.verdict, 'wrong');
  });

  it('read verdicts from a file, and name a line that is none', () => {
    const file = join(temporaryFolder(), 'verdicts.jsonl');
    writeFileSync(file, '{"id":"a","verdict":"partly","note":"half"}\n');
    assert.deepEqual([...readVerdicts(file)], [['a', 'partly']]);
    writeFileSync(file, '{"id":"a","verdict":"good"}\n');
    assert.throws(() => readVerdicts(file), DatasetError);
  });
});
