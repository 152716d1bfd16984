import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { baseName, cutTo, shortened, stemOf } from '../../../src/base/plain-text.ts';

describe('a text that is cut', () => {
  it('never ends in half of a character', () => {
    assert.equal(cutTo('ab😀cd', 3), 'ab');
    assert.equal(cutTo('ab😀cd', 4), 'ab😀');
    assert.equal(cutTo('ab', 5), 'ab');
    assert.equal(cutTo('😀', 1), '');
    assert.equal(cutTo('a', 0), '');
  });

  it('ends in an ellipsis where something is left out, within its length', () => {
    assert.equal(shortened('ab😀cd', 6), 'ab😀cd');
    assert.equal(shortened('ab😀cde', 5), 'ab😀…');
    assert.equal(shortened('ab😀cde', 4), 'ab…');
    assert.equal(shortened('two words', 5), 'two…');
  });
});

describe('the name of a file', () => {
  it('is what stands behind the last slash, and its stem what stands before its extension', () => {
    assert.deepEqual(['a/b.md', 'b.md', 'a/', ''].map(baseName), ['b.md', 'b.md', '', '']);
    assert.deepEqual(['v1.2/notes.old.md', 'a/.env', 'Makefile', 'end.'].map(stemOf), [
      'notes.old',
      '.env',
      'Makefile',
      'end.',
    ]);
  });
});
