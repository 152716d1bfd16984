import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { numberOfFile, promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { cooperativeModel, only } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch, type FinishedRun } from '../../../doubles/run-research.ts';
import type { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const doubtful = (answerability: number) =>
  relayRetriever({
    scripts: {
      'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading: { answerability } },
    },
  });
const verdicts = (run: FinishedRun) =>
  run.events.flatMap((event) => (event.type === 'critique-ready' && event.of === 'node' ? [event.verdict] : []));
/** Calls of a kind. */
const asked = (model: ScriptedLanguageModel, kind: string) => model.calls.filter((call) => promptKind(call) === kind);

describe('the critique of a node', () => {
  it('asks the model about an answer that holds and that the reader doubts, and lets it stand', async () => {
    const model = cooperativeModel();
    const run = await runResearch(BORN, { retriever: doubtful(0.05), model, options: only('single-step') });
    assert.equal(asked(model, 'critique-node').length, 1);
    assert.deepEqual(
      verdicts(run).map(({ verdict, by }) => [verdict, by]),
      [['keep', 'model']],
    );
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('asks the model about a thought whose citation does not hold, and steps back when it rejects it', async () => {
    let invented = false;
    const model = cooperativeModel({
      thought: (call) => {
        if (invented) return undefined;
        invented = true;
        return `Torvald Nilsen repaired the relay [${numberOfFile(call, 'outage')}].`;
      },
      'critique-node': { json: { reason: 'The evidence names nobody.', verdict: 'unsupported' } },
    });
    const run = await runResearch(BORN, { retriever: doubtful(0.9), model, options: only('iterative-step') });
    const [call] = asked(model, 'critique-node');
    assert.match(call?.prompt ?? '', /Its answer: Torvald Nilsen repaired the relay/);
    assert.match(call?.prompt ?? '', /Evidence: .*relay at Kestrel Hut/);
    assert.deepEqual(
      verdicts(run)
        .slice(0, 2)
        .map(({ verdict, by }) => [verdict, by]),
      [
        ['unsupported', 'model'],
        ['keep', 'evidence'],
      ],
    );
    assert.equal(asked(model, 'next-sub-question').length, 1);
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('asks the model about the answer at which thoughts arrive, where the reader doubts it', async () => {
    const model = cooperativeModel();
    await runResearch(BORN, { retriever: doubtful(0.3), model, options: only('iterative-step') });
    const calls = asked(model, 'critique-node');
    assert.equal(calls.length, 1);
    assert.match(calls[0]?.prompt ?? '', /Its answer: Narvik/);
  });

  it('asks nothing where citations hold and the reader is sure', async () => {
    for (const operator of ['single-step', 'iterative-step', 'sub-step'] as const) {
      const model = cooperativeModel();
      await runResearch(BORN, { retriever: relayRetriever(), model, options: only(operator) });
      assert.equal(asked(model, 'critique-node').length, 0, operator);
    }
  });

  it('asks the model about a conclusion that the sub-answers do not hold', async () => {
    const model = cooperativeModel({
      'fast-plan': { json: { reason: 'Look, then think.', plan: ['single-step', 'chain-of-thought'] } },
      'closed-book': 'Because: Everybody there is from Oslo [1].\nAnswer: Oslo',
      'critique-node': { json: { reason: 'Nothing says so.', verdict: 'unsupported' } },
    });
    const run = await runResearch(BORN, { retriever: doubtful(0.9), model, options: { debate: 'fast' } });
    assert.equal(asked(model, 'critique-node').length, 1);
    assert.ok(verdicts(run).some(({ verdict, by }) => verdict === 'unsupported' && by === 'model'));
    assert.equal(run.answer?.short, 'Narvik');
  });
});
