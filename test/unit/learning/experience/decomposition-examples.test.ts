import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  chooseExamples,
  decompositionExamples,
  exampleChooser,
} from '../../../../src/learning/experience/decomposition-examples.ts';
import type { DecompositionRecord } from '../../../../src/learning/experience/experience-record.ts';

const model = { id: 'm', endpoint: 'https://one.test/v1' };

/** Records of a run that asked these steps, each with its answer. */
function run(id: string, question: string, steps: [string, string][], time = 1): DecompositionRecord[] {
  const history = steps.map(([asked, answer]) => ({ question: asked, answer }));
  return [...steps.map(([asked]) => asked), null].map((next, i) => ({
    kind: 'decomposition',
    version: 1,
    id: `${id}-${i}`,
    runQuestion: question,
    source: { runId: id, stepId: null, time: time + i / 10, model: 'm', endpoint: model.endpoint, embedder: 'bundled' },
    outcome: ['citations', 'thumb'],
    consent: 'local',
    history: history.slice(0, i),
    rejected: [],
    next,
  }));
}
const mill = run('a', 'Who wed the builder of the mill?', [
  ['Who built the mill?', 'Ada Fell'],
  ['Who wed Ada Fell?', 'Jon Berg'],
]);

describe('decompositions as examples', () => {
  it('are written as a plan writes them: an earlier answer is #n, unless the question names it', () => {
    assert.deepEqual(decompositionExamples(mill), [
      { question: 'Who wed the builder of the mill?', steps: ['Who built the mill?', 'Who wed #1?'] },
    ]);
    const named = run('b', 'Is the mill of Ada Fell in Oslo?', [
      ['Where is the mill of Ada Fell?', 'no'],
      ['Is Ada Fell no miller?', 'yes'],
    ]);
    assert.deepEqual(decompositionExamples(named)[0]?.steps, [
      'Where is the mill of Ada Fell?',
      'Is Ada Fell no miller?',
    ]);
    const marked = run('c', 'q', [
      ['Who?', 'C++ (v.2)'],
      ['What is C++ (v.2)?', 'x'],
    ]);
    assert.equal(decompositionExamples(marked)[0]?.steps[1], 'What is #1?');
  });

  it('leave out half runs, what is too long, and older runs of the same question', () => {
    assert.deepEqual(decompositionExamples(mill.slice(1)), [], 'a step is gone');
    assert.deepEqual(decompositionExamples(mill.slice(0, 2)), [], 'nobody said when to stop');
    assert.deepEqual(decompositionExamples(run('d', 'q'.repeat(400), [['Who?', 'Ada']])), []);
    const newer = run('e', ' who wed the builder of the MILL?', [['Who wed whoever built the mill?', 'Jon']], 9);
    assert.deepEqual(
      decompositionExamples([...newer, ...mill]).map(({ steps }) => steps.length),
      [1],
    );
  });

  it('are the nearest to the question, without repetitions, the nearest last; never the question itself', () => {
    const entry = (question: string, ...vector: number[]) => ({
      example: { question, steps: ['s'] },
      vector: Float32Array.from(vector),
    });
    const pool = [entry('far', 0, 1), entry('near', 1, 0), entry('near again', 0.999, 0.04), entry('asked', 1, 0)];
    const asked = { text: ' Asked', vector: Float32Array.from([1, 0]) };
    assert.deepEqual(
      chooseExamples(asked, pool, 2).map(({ question }) => question),
      ['far', 'near'],
    );
  });

  it('are shown only to readers that have read them, and are embedded once', async () => {
    const embedded: string[] = [];
    const embed = async (texts: readonly string[]) => {
      embedded.push(...texts);
      return texts.map(() => Float32Array.from([1, 0]));
    };
    const choose = exampleChooser();
    const shown = async (reader: typeof model, embedder = 'bundled'): Promise<number> =>
      (await choose(mill, 'Who wed the smith?', { model: reader, embedder, embed })).length;
    assert.equal(await shown(model), 1);
    assert.equal(await shown(model), 1);
    assert.deepEqual(embedded, ['Who wed the smith?', 'Who wed the builder of the mill?', 'Who wed the smith?']);
    for (const other of [
      { ...model, id: 'other' },
      { ...model, endpoint: 'https://two.test/v1' },
    ])
      assert.equal(await shown(other), 0);
    assert.equal(
      await shown(model, 'e5@https://two.test/v1/384'),
      0,
      'an embedder at an endpoint that has not read it',
    );
    assert.equal(embedded.length, 3, 'nothing is sent to whoever may not read it');
    assert.equal(await shown({ ...model, endpoint: `${model.endpoint}/` }), 1);
  });
});
