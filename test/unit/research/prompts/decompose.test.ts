import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { endsInOne, fillIn, readDecomposition } from '../../../../src/research/operators/prompts/decompose.ts';

describe('a decomposition', () => {
  it('becomes a graph', () => {
    const graph = readDecomposition(
      ['1. Who keeps A?', 'Who keeps B?', 'Are #1 and #2 related?'],
      'Are the keepers of A and B related?',
    );
    assert.deepEqual(graph, [
      { text: 'Who keeps A?', needs: [] },
      { text: 'Who keeps B?', needs: [] },
      { text: 'Are #1 and #2 related?', needs: [0, 1] },
    ]);
    assert.equal(endsInOne(graph), true);
    assert.equal(endsInOne(graph.slice(0, 2)), false);
  });

  it('loses repetitions, and what pointed at them points at the first', () => {
    assert.deepEqual(
      readDecomposition(['Who keeps A?', 'who keeps a', 'Where was #2 born?'], 'Where was the keeper of A born?')[1],
      { text: 'Where was #1 born?', needs: [0] },
    );
  });

  it('may not point forward or at itself', () =>
    assert.deepEqual(
      readDecomposition(['Where was #2 born?', 'Who keeps #9?', 'Who keeps A?'], 'Where was the keeper of A born?').map(
        (one) => one.needs,
      ),
      [[], [], []],
    ));

  it('loses questions about something else, which small models copy from examples', () => {
    const graph = readDecomposition(
      ['Which company built the tunnel?', 'Who keeps A?', 'Where was #2 born?', 'Who founded #1?'],
      'Where was the keeper of A born?',
    );
    assert.deepEqual(graph, [
      { text: 'Who keeps A?', needs: [] },
      { text: 'Where was #1 born?', needs: [0] },
    ]);
  });

  it('of a simple question is the question', () => {
    assert.deepEqual(readDecomposition(['who keeps it'], 'Who keeps A?'), [{ text: 'Who keeps A?', needs: [] }]);
    assert.deepEqual(readDecomposition(['', '?'], 'Who keeps A?'), []);
  });

  it('fills answers in, and describes those that were not found', () => {
    const graph = readDecomposition(['Who keeps A?', 'Where was #1 born?'], 'Where was the keeper of A born?');
    assert.equal(fillIn(graph[1] ?? { text: '', needs: [] }, graph, ['Mara']), 'Where was Mara born?');
    assert.equal(
      fillIn(graph[1] ?? { text: '', needs: [] }, graph, [undefined]),
      'Where was the answer to “Who keeps A?” born?',
    );
  });

  it('leaves numbers alone that the question has itself', () => {
    const asked = 'What was decided in issue #1 and who closed it?';
    const graph = readDecomposition(['What was decided in issue #1?', 'Who closed issue #1?'], asked);
    assert.deepEqual(graph, [
      { text: 'What was decided in issue #1?', needs: [] },
      { text: 'Who closed issue #1?', needs: [] },
    ]);
    assert.equal(fillIn({ text: 'Who closed issue #1?', needs: [] }, graph, ['rope']), 'Who closed issue #1?');
  });

  it('describes what was not found to its end', () => {
    const graph = readDecomposition(
      ['Who keeps A?', 'Who taught #1?', 'Where was #2 born?'],
      'Where was the one who taught the keeper of A born?',
    );
    const last = graph[2] ?? { text: '', needs: [] };
    assert.equal(
      fillIn(last, graph, [undefined, undefined]),
      'Where was the answer to “Who taught the answer to “Who keeps A?”?” born?',
    );
    assert.equal(fillIn(last, graph, ['Mara', undefined]), 'Where was the answer to “Who taught Mara?” born?');
  });

  it('never has a cycle and never more than four questions, whatever a model says', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z #0-9?.]{0,30}$/), { maxLength: 8 }), (questions) => {
        const graph = readDecomposition(questions, 'q');
        assert.ok(graph.length <= 4);
        graph.forEach((one, i) => assert.ok(one.needs.every((need) => need < i)));
      }),
      { seed: 3 },
    );
  });
});
