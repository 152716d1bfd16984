import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { characterwise, isUnspaced, segmentsOf } from '../../../../src/search/text/words.ts';

describe('words of scripts without spaces', () => {
  it('are parted by dictionaries, each at its place', () => {
    assert.deepEqual(segmentsOf('公司供应电池'), [
      { text: '公司', start: 0 },
      { text: '供应', start: 2 },
      { text: '电池', start: 4 },
    ]);
    assert.deepEqual(
      segmentsOf('プロジェクトの責任者').map(({ text }) => text),
      ['プロジェクト', 'の', '責任', '者'],
    );
  });

  it('leaves runs of other scripts as they are', () => {
    for (const run of ['Rechnungsnummer', "l'entreprise", 'Ελλάδα', '한국어'])
      assert.deepEqual(segmentsOf(run), [{ text: run, start: 0 }]);
    assert.equal(isUnspaced('naïve Ελλάδα'), false);
    assert.equal(isUnspaced('the ✓ 电池'), true);
  });

  it('are taken apart to characters where any part may be looked for', () => {
    assert.equal(characterwise('A电池b'), 'A 电  池 b');
    assert.equal(characterwise('battery'), 'battery');
  });
});
