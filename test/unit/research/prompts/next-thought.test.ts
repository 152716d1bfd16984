import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readThought } from '../../../../src/research/operators/prompts/next-step.ts';

describe('a sentence of reasoning', () => {
  it('that arrives keeps what led there, and what its answer cites', () => {
    const line = 'The keeper is Mara [2]. Mara was born in Narvik [3]. So the answer is: the town of Narvik [3].';
    const { answer, reasons } = readThought(line) ?? {};
    assert.equal(answer, 'the town of Narvik');
    assert.deepEqual(reasons, [
      { text: 'The keeper is Mara.', numbers: [2] },
      { text: 'Mara was born in Narvik.', numbers: [3] },
      { text: 'the town of Narvik', numbers: [3] },
    ]);
    assert.equal(readThought('Therefore, the answer is Narvik.')?.answer, 'Narvik');
    assert.equal(readThought('The final answer is: Narvik')?.answer, 'Narvik');
  });

  it('has not arrived where it only speaks of an answer', () => {
    for (const line of [
      'The guide says the answer is cached for 60 seconds [1].',
      'To find what the answer is, we need the founder.',
      'So the answer is:',
    ])
      assert.equal(readThought(line)?.answer, undefined, line);
  });
});
