import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ModelTimeoutError } from '../../../../src/research/language-model/errors.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { notices, only } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch, type FinishedRun } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

describe('the iterative operator', () => {
  const runFailingAt = async (thought: number): Promise<FinishedRun & { last: string }> => {
    let thoughts = 0;
    const model = new ScriptedLanguageModel((call) =>
      promptKind(call) === 'thought' && thoughts++ === thought
        ? { error: new ModelTimeoutError('Scripted Model', 60, { silent: true }) }
        : cooperative(call),
    );
    const run = await runResearch(BORN, { model, options: only('iterative-step'), retriever: relayRetriever() });
    return { ...run, last: promptKind(model.calls.at(-1) ?? assert.fail()) };
  };

  it('reads what it has gathered as a whole where a later thought fails', async () => {
    const run = await runFailingAt(1);
    assert.equal(run.ending, 'run-end');
    assert.deepEqual(notices(run), ['step-failed']);
    assert.equal(run.last, 'answer');
  });

  it('fails where the first thought does', async () => {
    assert.equal((await runFailingAt(0)).ending, 'run-error');
  });
});
