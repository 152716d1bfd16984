import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainText, splitAtCitations } from '../../../../webview/answer/citation-marks.ts';

describe('citation marks', () => {
  it('cuts a text at its marks', () => {
    assert.deepEqual(splitAtCitations('A [1][2]. B[3]'), ['A ', 1, 2, '. B', 3]);
    assert.deepEqual(splitAtCitations('no [x] marks [1234]'), ['no [x] marks [1234]']);
    assert.deepEqual(splitAtCitations(''), []);
  });

  it('leaves the plain words of a text', () => {
    assert.equal(plainText('**Ann** keeps `it` [1] , since\n2019 [2].'), 'Ann keeps it, since 2019.');
  });
});
