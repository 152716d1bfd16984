import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { ABLATIONS, runAblations, type AblationRun } from '../../../lab/evaluation/ablations.ts';
import { DatasetError } from '../../../lab/evaluation/dataset.ts';
import type { Engine } from '../../../src/engine.ts';
import type { ResearchOptions } from '../../../src/research/index.ts';
import type { ResearchEvent, UnstampedEvent } from '../../../src/research/domain/research-event.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';
import { answerSaying, datasetQuestion } from './asked.ts';

const questions = [
  datasetQuestion({ id: 'born', question: 'Born?', answer: 'Narvik' }),
  datasetQuestion({ id: 'beds', question: 'Beds?', answer: 'yes' }),
];
const named = (...names: string[]) => ABLATIONS.filter(({ name }) => names.includes(name));

interface Asked extends Partial<ResearchOptions> {
  question: string;
  window: number;
}

/** An engine that answers every question rightly, and notes how it was asked. */
function noting(asked: Asked[]): Engine {
  const model = { id: 'm', name: 'M', contextTokens: 8000 } as Engine['model'];
  const engine = {
    model,
    setModel(next: Engine['model']) {
      engine.model = next;
    },
    async *research({ text }: { text: string }, options: Partial<ResearchOptions>): AsyncIterable<ResearchEvent> {
      asked.push({ ...options, question: text, window: engine.model?.contextTokens ?? 0 });
      const usage = { calls: 2, inputTokens: 90, outputTokens: 10, estimated: false, retrievals: 1, seconds: 1 };
      const events: UnstampedEvent[] = [
        { type: 'answer-end', answer: answerSaying('Narvik', { short: 'Narvik' }) },
        { type: 'run-end', usage },
      ];
      for (const event of events) yield { ...event, runId: 'r', time: 0 };
    },
  };
  return engine as unknown as Engine;
}

describe('ablations', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const runWith = (asked: Asked[]): AblationRun => ({
    engine: noting(asked),
    setting: 'pooled',
    folder,
    askedHash: 'relay',
    seed: 1,
    signal: new AbortController().signal,
    now: () => 0,
  });

  it('change one part each, and halve the window of one alone', async () => {
    const asked: Asked[] = [];
    await runAblations(questions.slice(0, 1), ABLATIONS, runWith(asked));
    const ways = asked.map(({ strategy, debate, operator, critique, types, fastDebater, slowDebater, window }) =>
      JSON.stringify({ strategy, debate, operator, critique, types, fastDebater, slowDebater, window }),
    );
    assert.equal(new Set(ways).size, ABLATIONS.length, 'no two are the same');
    const windows = ABLATIONS.map(({ name }, i) => [name, asked[i]?.window]);
    assert.deepEqual(
      windows.filter(([, window]) => window !== 8000),
      [['window-halved', 4000]],
    );
  });

  it('come as one table with an interval for each figure', async () => {
    const table = await runAblations(questions, ABLATIONS, runWith([]));
    const rows = table.trimEnd().split('\n').slice(2);
    assert.deepEqual(
      rows.map((row) => row.split('|')[1]?.trim()),
      ABLATIONS.map(({ name }) => name),
    );
    for (const row of rows)
      assert.match(row, /\| 2 \| 0\.50 \[0\.00, 1\.00\] \| 2\.0 \[2\.0, 2\.0\] \| 100 \[100, 100\] \|$/);
    assert.equal(readFileSync(join(folder, 'ablations.md'), 'utf8'), table);
  });

  it('go on where they were cut off, and do not mix another data file in', async () => {
    const two = named('default', 'one-look');
    await runAblations(questions.slice(0, 1), two, runWith([]));
    const asked: Asked[] = [];
    const table = await runAblations(questions, two, runWith(asked));
    assert.deepEqual(
      asked.map(({ question }) => question),
      ['Beds?', 'Beds?'],
    );
    assert.equal(await runAblations(questions, two, runWith(asked)), table);
    assert.equal(asked.length, 2);
    await assert.rejects(runAblations(questions, two, { ...runWith([]), askedHash: 'another' }), DatasetError);
  });
});
