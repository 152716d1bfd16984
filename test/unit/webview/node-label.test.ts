import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nodeLabel } from '../../../webview/views/labels.ts';

describe('the numbers on a hop', () => {
  it('have room beside its name, however many there are', () => {
    assert.deepEqual(
      [[], [3], [1, 2], [2, 5], [1, 2, 3, 4], [1, 3, 4], [10], [10, 11], [1, 12], [9, 10, 11]].map(nodeLabel),
      ['', '3', '1,2', '2,5', '1–4', '1…', '10', '10…', '1…', '9…'],
    );
  });
});
