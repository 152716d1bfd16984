import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { settleByYears } from '../../../../src/research/answer/answer-draft.ts';

const numberOf = (id: string): number | undefined => ({ mill: 2, weir: 5 })[id];
const reading = {
  byYears: {
    chosen: 'Grey Mill',
    year: 1958,
    other: 'Long Weir',
    otherYear: 1986,
    passageIds: ['mill', 'weir', 'unseen'],
  },
};
const draftOf = (short: string) => ({
  short,
  statements: [{ text: 'Long Weir was opened in 1986.', numbers: [5] }],
  conflicts: [],
});

describe('which is earlier', () => {
  it('is settled by the years when the draft says otherwise', () => {
    assert.deepEqual(settleByYears(draftOf('Long Weir'), reading, numberOf), {
      short: 'Grey Mill',
      conflicts: [],
      statements: [
        { text: 'By the years in these passages: Grey Mill 1958, Long Weir 1986.', numbers: [2, 5] },
        { text: 'Long Weir was opened in 1986.', numbers: [5] },
      ],
    });
    assert.equal(settleByYears(draftOf('Ruth Ockley'), reading, numberOf).short, 'Grey Mill');
  });

  it('leaves a draft that agrees, and what no years were found for', () => {
    const agrees = draftOf('the Grey Mill on the Tarn');
    assert.equal(settleByYears(agrees, reading, numberOf), agrees);
    const other = draftOf('Long Weir');
    assert.equal(settleByYears(other, {}, numberOf), other);
    assert.equal(settleByYears(other, undefined, numberOf), other);
  });
});
