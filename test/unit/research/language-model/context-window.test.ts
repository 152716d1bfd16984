import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { contextRoom, estimateTokens } from '../../../../src/research/language-model/context-window.ts';

describe('contextRoom', () => {
  it('subtracts prompt, reply and a reserve, and is never negative', () => {
    const messages = [{ role: 'user' as const, content: 'one two three' }];
    assert.equal(contextRoom({ contextTokens: 1000 }, messages, 200), 950 - 7 - 200);
    assert.equal(contextRoom({ contextTokens: 100 }, messages, 200), 0);
  });
});

describe('estimateTokens', () => {
  // Counted once with the tokenizers of Qwen 2.5 and GPT-4o.
  const cases: [string, number, number][] = [
    ['The quick brown fox jumps over the lazy dog.', 10, 10],
    ['export const slotsOf = (items: readonly string[]): number => items.length * 2;', 19, 19],
    ['如果天气允许且船员齐全，渡轮每天早上七点从港口出发。', 18, 22],
  ];
  for (const [text, least, most] of cases) {
    it(`is near the truth for "${text.slice(0, 20)}…"`, () => {
      const tokens = estimateTokens(text);
      assert.ok(tokens >= least * 0.85 && tokens <= most * 1.45, `${tokens}`);
    });
  }

  it('is 0 for nothing', () => assert.equal(estimateTokens(''), 0));
});
