import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { DatasetError } from '../../../lab/evaluation/dataset.ts';
import { readRecords, RecordLog } from '../../../lab/evaluation/records.ts';
import { summarise } from '../../../lab/evaluation/report.ts';
import { EmptyEvaluationError, runQuestions, type RunOptions } from '../../../lab/evaluation/run-questions.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('runQuestions', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
  });

  const questions = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  const options = (fingerprint = 'f', signal = new AbortController().signal): RunOptions => {
    let time = 0;
    return {
      log: new RecordLog(join(directory, 'out.jsonl'), fingerprint),
      fingerprint,
      now: () => (time += 5),
      signal,
      progress: () => undefined,
    };
  };

  it('goes on where an interrupted run stopped, and asks a cut-off record again', async () => {
    const stop = new AbortController();
    const asked: string[] = [];
    const ask = async ({ id }: { id: string }) => {
      asked.push(id);
      if (id === 'b') stop.abort();
      return { metrics: { f1: 1 } };
    };
    await assert.rejects(runQuestions(questions, ask, options('f', stop.signal)), { name: 'AbortError' });
    appendFileSync(join(directory, 'out.jsonl'), '{"id":"c","finger');
    const records = await runQuestions(questions, ask, options());
    assert.deepEqual(asked, ['a', 'b', 'c']);
    assert.deepEqual(
      records.map((record) => record.id),
      ['a', 'b', 'c'],
    );
    assert.equal(
      readFileSync(join(directory, 'out.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}')).length,
      3,
    );
    assert.deepEqual(await runQuestions(questions, ask, options()), records, 'a third run reads what the second kept');
  });

  it('goes on where the very first record was cut off', async () => {
    writeFileSync(join(directory, 'out.jsonl'), '{"id":"a","finger');
    const ask = async () => ({ metrics: { f1: 1 } });
    const records = await runQuestions(questions, ask, options());
    assert.deepEqual(readRecords(join(directory, 'out.jsonl')), records);
  });

  it('does not mix configurations', async () => {
    await runQuestions(questions, async () => ({ metrics: { f1: 1 } }), options('one'));
    assert.throws(() => options('two'), DatasetError);
  });

  it('says when there is nothing to ask', async () => {
    await assert.rejects(
      runQuestions([], async () => ({ metrics: {} }), options()),
      EmptyEvaluationError,
    );
  });

  it('summarises metrics, costs and times', async () => {
    const records = await runQuestions(
      questions,
      async ({ id }) => ({ metrics: { f1: id === 'a' ? 1 : 0, calls: 2 }, tokens: 10 }),
      options(),
    );
    const report = summarise(records, 1);
    assert.deepEqual(
      {
        f1: report.metrics['f1'],
        calls: report.costs?.['calls'],
        tokens: report.tokens,
        n: report.n,
        p50: report.ms.p50,
      },
      { f1: 0.3333, calls: 2, tokens: 30, n: 3, p50: 5 },
    );
    assert.ok(!('calls' in report.metrics), 'costs are no shares');
    assert.equal(readRecords(join(directory, 'out.jsonl')).length, 3);
  });
});
