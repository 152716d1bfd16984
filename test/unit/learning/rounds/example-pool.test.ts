import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { acceptedChains, deriveRecords } from '../../../../src/learning/experience/derive-records.ts';
import { chooseExamples, decompositionExamples } from '../../../../src/learning/rounds/example-pool.ts';
import { ending, node, passageOf } from '../experience/run-records.ts';

const run = (runId: string, time = 1000): Parameters<typeof deriveRecords>[0] => [
  node('s1', { runId, time }),
  node('s2', {
    runId,
    time: time + 1,
    subQuestion: 'In which country is Tallinn?',
    history: [{ question: 'Where is rope bought?', answer: 'Tallinn' }],
    passages: [passageOf('est', 'Tallinn lies in Estonia.')],
    answer: 'Estonia',
    passageIds: ['est'],
  }),
  ending({ runId, time: time + 2 }),
];

describe('examples from runs', () => {
  it('are whole decompositions, in order, once per question', () => {
    const records = [...deriveRecords(run('run-1'), {}).records, ...deriveRecords(run('run-2', 5000), {}).records];
    assert.deepEqual(decompositionExamples(records.reverse()), [
      { question: 'In which country is rope bought?', steps: ['Where is rope bought?', 'In which country is #1?'] },
    ]);
    assert.deepEqual(
      decompositionExamples(records.filter((record) => record.kind !== 'decomposition' || record.next !== null)),
      [],
    );
  });

  it('are left out as a whole where a step is gone, or may not be used', () => {
    const { records } = deriveRecords(run('run-1'), {});
    const isStep =
      (text: string) =>
      (record: (typeof records)[number]): boolean =>
        record.kind === 'decomposition' && record.next === text;
    assert.deepEqual(decompositionExamples(records.filter((record) => !isStep('Where is rope bought?')(record))), []);
    const marked = records.map((record) =>
      isStep('In which country is Tallinn?')(record)
        ? record
        : { ...record, source: { ...record.source, endpoint: 'https://one.test' } },
    );
    assert.equal(decompositionExamples(marked).length, 1);
    assert.deepEqual(
      decompositionExamples(marked, ({ endpoint }) => endpoint !== undefined),
      [],
    );
  });

  it('are none of thoughts that were looked up, as earlier versions kept them', () => {
    const thought = 'Rope is bought in Tallinn.';
    const { records } = deriveRecords(run('run-1'), {});
    const old = records.map((record) =>
      record.kind === 'decomposition' && record.source.stepId === 's2'
        ? { ...record, next: thought, history: [{ question: 'Where is rope bought?', answer: thought }] }
        : record,
    );
    assert.deepEqual(decompositionExamples(old), []);
  });

  it('stand for earlier answers by their number, but not for what the question names itself', () => {
    const steps = (question: string, answer: string, second: string): string[] | undefined => {
      const asked = { runId: 'r', question };
      return decompositionExamples(
        deriveRecords(
          [
            node('s1', {
              ...asked,
              subQuestion: 'Who built it?',
              answer,
              passages: [passageOf('rope', `It was built by ${answer}.`)],
            }),
            node('s2', { ...asked, subQuestion: second, history: [{ question: 'Who built it?', answer }], time: 2000 }),
            ending({ ...asked, time: 3000, history: [{ question: 'Who built it?', answer }] }),
          ],
          {},
        ).records,
      )[0]?.steps;
    };
    assert.deepEqual(steps('Who wed the builder?', 'O. Mar-Li/Ott (II)', "Who was o. mar-li/ott (II)'s wife?"), [
      'Who built it?',
      "Who was #1's wife?",
    ]);
    assert.deepEqual(steps('Who wed Mar, the builder?', 'Mar', 'Who wed Mar?'), ['Who built it?', 'Who wed Mar?']);
    assert.deepEqual(steps('Who wed the builder?', 'Mar', 'Who lives in Marburg?'), [
      'Who built it?',
      'Who lives in Marburg?',
    ]);
    assert.deepEqual(steps('Who wed the builder?', 'No', 'Was there no other builder?'), [
      'Who built it?',
      'Was there no other builder?',
    ]);
    assert.deepEqual(steps('Who wed the builder?', '7', 'Who lives at 7?'), ['Who built it?', 'Who lives at 7?']);
  });

  it('are chosen by likeness, without repetitions, the likest last, never the question itself', () => {
    const of = (
      question: string,
      ...vector: number[]
    ): { example: { question: string; steps: string[] }; vector: Float32Array } => ({
      example: { question, steps: ['a'] },
      vector: Float32Array.from(vector),
    });
    const pool = [
      of('near', 1, 0, 0),
      of('copy of near', 0.999, 0.04, 0),
      of('other', 0.7, 0.714, 0),
      of('far', 0, 0, 1),
      of('Asked?', 1, 0, 0),
    ];
    const chosen = chooseExamples({ text: 'asked?', vector: Float32Array.of(1, 0, 0) }, pool, 2).map(
      (example) => example.question,
    );
    assert.deepEqual(chosen, ['other', 'near']);
    assert.equal(chooseExamples({ text: 'x', vector: Float32Array.of(1, 0, 0) }, [], 3).length, 0);
  });

  it('give the trail of the run and of each sub-question', () => {
    const chains = acceptedChains(deriveRecords(run('run-1'), {}).records);
    assert.ok(chains.every((chain) => chain.runQuestion === 'In which country is rope bought?'));
    assert.deepEqual(
      chains.map((chain) => [chain.question, chain.passages.map((passage) => passage.id)]),
      [
        ['In which country is rope bought?', ['rope', 'est']],
        ['Where is rope bought?', ['rope']],
        ['In which country is Tallinn?', ['est']],
      ],
    );
  });
});
