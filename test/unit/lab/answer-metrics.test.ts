import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exactMatch, setF1 } from '../../../lab/evaluation/answer-metrics.ts';
import { answerF1, normaliseAnswer } from '../../../src/learning/fine-tuning/answer-f1.ts';

describe('answer metrics', () => {
  it('normalises case, punctuation, articles and spaces', () => {
    assert.equal(normaliseAnswer('  The  U.S. Army, an "army" '), 'us army army');
  });

  it('takes the best gold answer', () => {
    assert.equal(exactMatch('stanley hall', ['G. Stanley Hall', 'Stanley Hall']), 1);
    assert.equal(exactMatch('Hall', ['G. Stanley Hall']), 0);
  });

  it('computes token F1', () => {
    assert.equal(answerF1('Stanley Hall', ['G. Stanley Hall']), 0.8); // precision 1, recall 2/3
    assert.equal(answerF1('', ['Hall']), 0);
    assert.equal(answerF1('hall hall', ['hall']), 2 / 3); // a repeated token counts once
  });

  it('demands the whole of a yes or no', () => {
    assert.equal(answerF1('yes, in 1990', ['yes']), 0);
    assert.equal(answerF1('Yes.', ['yes']), 1);
    assert.equal(answerF1('no way', ['in no way at all']), answerF1('no way', ['in no way at all']));
  });

  it('compares sets', () => {
    assert.equal(setF1(new Set(['a', 'b']), new Set(['b', 'c'])), 0.5);
    assert.equal(setF1(new Set(), new Set(['a'])), 0);
    assert.equal(setF1(new Set(['a']), new Set(['a'])), 1);
  });
});
