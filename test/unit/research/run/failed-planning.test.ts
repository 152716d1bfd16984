import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import {
  BadRequestError,
  ModelTimeoutError,
  RefusedError,
  UnreachableError,
  WrongKeyError,
} from '../../../../src/research/language-model/errors.ts';
import { type PromptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { cooperativeModel, notices } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { type FinishedRun, runResearch, type RunSettings } from '../../../doubles/run-research.ts';

/** A run whose model fails when it is to plan, and behaves otherwise. */
function failingAt(kind: PromptKind, error: Error, settings: Partial<RunSettings> = {}): Promise<FinishedRun> {
  const model = cooperativeModel({ [kind]: { error } });
  const options = { debate: kind === 'fast-plan' ? 'fast' : 'full' } as const;
  return runResearch(BORN, { retriever: relayRetriever(), model, options, ...settings });
}

const planOf = (run: FinishedRun) => run.events.find((event) => event.type === 'plan-proposed')?.plan;
const told = (run: FinishedRun): string[] =>
  run.events.flatMap((event) => (event.type === 'notice' ? [runNoticeInWords(event)] : []));

describe('a call that fails while the plan is made', () => {
  for (const kind of ['fast-plan', 'affirmative', 'negative', 'judge'] satisfies PromptKind[])
    it(`costs the plan, not the run: ${kind}`, async () => {
      const run = await failingAt(kind, new RefusedError('Scripted Model', 'a filter stopped it'));
      assert.equal(run.ending, 'run-end');
      assert.deepEqual(told(run), [
        'The model proposed no usable plan. Scripted Model declined to answer: a filter stopped it. The usual plan for this type of question is used.',
      ]);
      assert.equal(planOf(run)?.origin, 'default');
      assert.deepEqual(
        planOf(run)?.steps.map(({ operator }) => operator),
        ['single-step'],
      );
      assert.equal(run.answer?.short, 'Narvik');
    });

  for (const error of [
    new BadRequestError('Scripted Model', 'it knows no schemas'),
    new ModelTimeoutError('Scripted Model', 20, { silent: true }),
  ])
    it(`is one of those after which the next may fare better: ${error.code}`, async () => {
      const run = await failingAt('fast-plan', error);
      assert.equal(run.ending, 'run-end');
      assert.deepEqual(notices(run), ['plan-replaced']);
      assert.equal(run.answer?.short, 'Narvik');
    });

  for (const error of [new WrongKeyError('Scripted'), new UnreachableError({ what: 'refused', endpoint: 'Scripted Model' })])
    it(`ends the run where no other call would fare better: ${error.code}`, async () => {
      const run = await failingAt('fast-plan', error);
      assert.equal(run.ending, 'run-error');
      assert.deepEqual(notices(run), ['model-failed']);
      assert.equal(planOf(run), undefined);
    });

  it('is no failure where the run was cancelled meanwhile', async () => {
    const stop = new AbortController();
    const run = await failingAt('negative', new RefusedError('Scripted Model', 'a filter stopped it'), {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'debate-turn') stop.abort();
      },
    });
    assert.equal(run.ending, 'run-cancelled');
    assert.deepEqual(notices(run), []);
  });
});
