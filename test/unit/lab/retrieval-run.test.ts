import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askRetrieval } from '../../../lab/evaluation/runs/retrieval-run.ts';
import { notePassage, ScriptedRetriever } from '../../doubles/scripted-retriever.ts';
import { datasetQuestion } from './asked.ts';

describe('a question whose passages are looked for', () => {
  it('is not told what stands among the first sixty where only twenty were asked for', async () => {
    const passages = Array.from({ length: 40 }, (_, i) => notePassage(`p${i}`, 'Huts', `Hut ${i} has bunks.`));
    const question = datasetQuestion({
      question: 'Which huts have bunks?',
      supporting: passages.map(({ id }) => id),
      files: passages.map(({ path }) => path),
    });
    for (const [name, setting, among] of [
      ['hybrid', 'pooled', undefined],
      ['hybrid', 'workspace', 1],
      ['beam', 'pooled', 1],
    ] as const) {
      const { metrics } = await askRetrieval(question, {
        retriever: new ScriptedRetriever(passages),
        name,
        setting,
        chain: {},
        signal: new AbortController().signal,
      });
      assert.equal(metrics['recall@20'], 0.5, name);
      assert.equal(metrics['recall@60'], among, `${name}, ${setting}`);
    }
  });
});
