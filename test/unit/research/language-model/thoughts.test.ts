import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutThoughts } from '../../../../src/research/language-model/complete.ts';

describe('a reply without its thoughts', () => {
  const cases: [string, string, string][] = [
    ['has none that begin and end', 'So: <think>hm</think>the <think>or</think>pier', 'So: the pier'],
    ['has none that the prompt began', 'Is it the mill? No.\n</think>\nThe pier', '\nThe pier'],
    ['has none that the prompt began around others', 'Hm. <think>What?</think> Hm.</think>The pier', 'The pier'],
    ['has none that end twice', '<think>hm</think>\n</think>The pier', 'The pier'],
    ['has none of other names', '<Thinking>hm</Thinking>The <reasoning>or</reasoning>pier', 'The pier'],
    ['is nothing where nothing follows', 'Is it the mill? No.</think>', ''],
    ['keeps marks that it speaks of', 'It writes `<think>`, then `</think>`.', 'It writes `<think>`, then `</think>`.'],
    ['ends where a thought begins that never ends', 'The pier. <think>Or', 'The pier. '],
  ];
  for (const [what, reply, spoken] of cases) it(what, () => assert.equal(withoutThoughts(reply, 'removed'), spoken));

  it('keeps a thought that never ends where that is wanted, and what was said before', () => {
    assert.equal(withoutThoughts('<think>hm</think>The pier. <think>Or', 'kept'), 'The pier. <think>Or');
    assert.equal(withoutThoughts('Hm.</think>The pier. <think>Or', 'kept'), 'The pier. <think>Or');
  });
});
