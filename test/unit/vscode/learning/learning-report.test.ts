import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { beforeEach, describe, it } from 'mocha';
import type { LearningRound } from '../../../../src/learning/fine-tuning/learning-round.ts';
import { learningReport } from '../../../../src/vscode/learned/learning-report.ts';
import { validateFromLearningPage } from '../../../../src/vscode/panel/validate.ts';
import { feedbackExample, FeedbackStore } from '../../../../src/vscode/threads/feedback-store.ts';
import { turnOf } from '../../../doubles/panel-page.ts';
import { answeredRun, supplierChain } from '../../../doubles/panel-runs.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const tuned: LearningRound = {
  version: 1,
  id: 'r',
  started: 0,
  phase: 'kept',
  baseUrl: 'https://service.test/v1',
  baseModel: 'base',
  seed: 1,
  records: ['a'],
  training: '',
  heldOut: '',
  newModel: 'ft:base',
  estimate: {
    examples: 12,
    counts: { decomposition: 4, reading: 4, critique: 4 },
    heldOut: 5,
    epochs: 3,
    tokens: 9000,
    host: 'service.test',
  },
  verdict: { questions: 5, before: 0.5, after: 0.4, difference: -0.1, ci95: [-0.2, 0.1], p: 0.8, wins: false },
};

describe('the report on what was learnt', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('counts the last word about each answer, and puts strategies into words', async () => {
    const store = new FeedbackStore(folder);
    const turn = turnOf(answeredRun);
    const id = supplierChain.hops[0]?.passage.id ?? '';
    await store.add(feedbackExample(turn, { rating: 'down', rejectedPassageIds: [] }, 1));
    await store.add(feedbackExample(turn, { rating: 'up', rejectedPassageIds: [id] }, 2));
    await appendFile(store.file, '\n{"runId":"torn');
    await store.add(feedbackExample({ ...turn, runId: 'other' }, { rating: 'down', rejectedPassageIds: [] }, 3));
    const best = { strategy: 'no-retrieval>ircot,ircot>vote', runs: 2, quality: 0.7, cost: 0.3 };
    const report = learningReport({
      enabled: true,
      strategy: 'auto',
      judgements: await store.list(),
      round: {
        version: 1,
        started: 0,
        results: [
          {
            trainer: 'chain-scorer',
            phase: 'installed',
            examples: 9,
            verdict: { questions: 5, before: 0.4, after: 0.6, difference: 0.2, ci95: [0.1, 0.3], p: 0.01, wins: true },
          },
          { trainer: 'pool', phase: 'skipped', examples: 1 },
        ],
      },
      inUse: [
        { trainer: 'question-classifier', learnt: true, undoable: true },
        { trainer: 'chain-scorer', learnt: false, undoable: true },
      ],
      fineTuning: { round: tuned, inUse: 'ft:earlier' },
      damaged: ['The state of the learning round cannot be read.'],
      learnt: {
        strategies: {
          prior: undefined,
          runs: 3,
          strategies: [best, { ...best, strategy: 'gone' }],
          byType: [{ type: 'lookup', runs: 3, best }],
        },
        experience: {
          records: { decomposition: 1, reading: 2, critique: 3 },
          runs: 2,
          consented: 0,
          bytes: 900,
          damaged: 0,
        },
      },
    });
    assert.deepEqual(report.judgements, { up: 1, down: 1, rejectedPassages: 1 });
    assert.deepEqual(
      report.strategies.map(({ name, words }) => [name, words]),
      [
        ['no-retrieval>ircot,ircot>vote', 'no retrieval, seen by step-by-step retrieval'],
        ['gone', 'gone'],
      ],
    );
    assert.deepEqual(report.examples, {
      decomposition: 1,
      reading: 2,
      critique: 3,
      runs: 2,
      consented: 0,
      bytes: 900,
      damaged: 0,
    });
    assert.deepEqual(report.round, [
      {
        trainer: 'chain-scorer',
        phase: 'installed',
        examples: 9,
        scores: { questions: 5, before: 0.4, after: 0.6, low: 0.1, high: 0.3 },
      },
      { trainer: 'pool', phase: 'skipped', examples: 1 },
    ]);
    assert.deepEqual(
      report.fineTuning,
      {
        phase: 'kept',
        baseModel: 'base',
        host: 'service.test',
        examples: 12,
        inUse: 'ft:earlier',
        scores: { questions: 5, before: 0.5, after: 0.4, low: -0.2, high: 0.1 },
      },
      'without the examples themselves',
    );
    assert.deepEqual(report.inUse, ['question-classifier']);
    assert.deepEqual(report.damaged, ['The state of the learning round cannot be read.']);
    await store.clear();
    assert.deepEqual(await store.list(), []);
  });

  it('takes no message from its page but those that it knows', () => {
    for (const type of ['ready', 'export', 'fine-tune', 'delete', 'settings'])
      assert.deepEqual(validateFromLearningPage({ type }), { type });
    for (const value of [{ type: 'ask' }, 'export', null, { type: 'export', to: '/etc' }.to])
      assert.equal(validateFromLearningPage(value), undefined);
  });
});
