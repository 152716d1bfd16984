import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askClassify } from '../../../lab/evaluation/runs/classify-run.ts';
import { createClassifiers } from '../../../src/research/classify/classifiers.ts';
import { ScriptedLanguageModel, type ScriptedReply } from '../../doubles/scripted-language-model.ts';
import { datasetQuestion } from './asked.ts';

const question = datasetQuestion({ question: 'Who keeps the hut whose relay failed?' });
const { signal } = new AbortController();
const classifiers = createClassifiers('models', { embed: async () => [] });
const asked = (reply: ScriptedReply) =>
  askClassify(question, classifiers('zero-shot', new ScriptedLanguageModel(() => reply)), signal);

describe('a question that is typed for a measurement', () => {
  it('counts the calls and tokens that telling its type takes', async () => {
    const { metrics, tokens } = await asked({ json: { clue: 'whose relay', type: 'lookup' } });
    assert.deepEqual([metrics['accuracy'], metrics['calls']], [0, 1]);
    assert.ok((metrics['tokens'] ?? 0) > 100);
    assert.equal(tokens, metrics['tokens']);
    assert.equal((await asked({ json: { clue: 'whose', type: 'inference' } })).metrics['accuracy'], 1);
  });

  it('is of the commonest type where the reply cannot be read, as in a run, and costs what was asked', async () => {
    const { metrics, detail } = await asked('I would rather not say.');
    assert.equal((detail as { predicted: string }).predicted, 'inference');
    assert.equal(metrics['accuracy'], 1);
    assert.ok((metrics['calls'] ?? 0) >= 2, 'it is asked again once');
  });
});
