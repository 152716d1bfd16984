import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { splitAtMarks } from '../../../src/vscode/citation-marks.ts';

describe('the marks of an answer', () => {
  const marksOf = (markdown: string): string[] =>
    splitAtMarks(markdown).flatMap((part) => (typeof part === 'string' ? [] : [part.text]));

  for (const [name, markdown, marks] of [
    ['stand in text and emphasis', 'It is so [1], and **thus [2]**.', ['[1]', '[2]']],
    ['are none in code spans', 'It reads `argv[1]` [2].', ['[2]']],
    ['are none in fences', 'See [1]:\n\n```ts\ncells[2];\n```\n\nand [3].', ['[1]', '[3]']],
    ['are none in fences of tildes', '~~~\na[1]\n~~~\n[2]', ['[2]']],
    ['are none in a fence that does not end', '[1]\n```\na[2]', ['[1]']],
    ['have at most three digits', '[1234] [123]', ['[123]']],
  ] as const)
    it(name, () => assert.deepEqual(marksOf(markdown), marks));

  it('leave the text between them as it is', () => {
    assert.deepEqual(splitAtMarks('a [1] b'), ['a ', { number: 1, text: '[1]' }, ' b']);
    assert.deepEqual(splitAtMarks(''), []);
  });

  it('are found in time that grows with the text', () => {
    const began = performance.now();
    splitAtMarks('`'.repeat(100_000) + '~'.repeat(100_000) + '[1'.repeat(100_000));
    assert.ok(performance.now() - began < 2000);
  });
});
