import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { splitSentences } from '../../../../../src/search/retrieval/text/sentences.ts';

const split = (text: string, shape?: 'prose' | 'code'): string[] =>
  splitSentences(text, shape).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  it('ends sentences at marks, not at abbreviations, initials or decimals', () => {
    assert.deepEqual(split('Dr. Ada B. Lovelace paid 3.5 pounds. She left! Did she? "Yes." He nodded.'), [
      'Dr. Ada B. Lovelace paid 3.5 pounds.',
      'She left!',
      'Did she?',
      '"Yes."',
      'He nodded.',
    ]);
  });

  it('does not end sentences inside of code or links, nor behind more abbreviations', () => {
    assert.deepEqual(
      split('Call `a.b(). Next` or [the guide. Part two](x.md). See ``x `y. Z`` and pp. Seven. End `open. Go'),
      ['Call `a.b(). Next` or [the guide. Part two](x.md).', 'See ``x `y. Z`` and pp. Seven.', 'End `open.', 'Go'],
    );
  });

  it('joins wrapped lines and separates headings, items and paragraphs', () => {
    assert.deepEqual(split('# Costs\nThe ferry costs\nmore now.\n\n- first item\n- second item\n\nLast one'), [
      '# Costs',
      'The ferry costs\nmore now.',
      '- first item',
      '- second item',
      'Last one',
    ]);
  });

  it('takes front matter line by line, and only on top', () => {
    assert.deepEqual(split('---\nowner: Ada\ntags: [a, b]\n---\n# Costs\nThe ferry costs\nmore now,\n---\nand on'), [
      '---',
      'owner: Ada',
      'tags: [a, b]',
      '---',
      '# Costs',
      'The ferry costs\nmore now,\n---\nand on',
    ]);
  });

  it('takes code line by line', () => {
    assert.deepEqual(split('def f(x):\n    # Note. This.\n\n    return x\n', 'code'), [
      'def f(x):',
      '# Note. This.',
      'return x',
    ]);
  });

  it('gives trimmed spans in order that leave out nothing but white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'B', '.', '!', ' ', '\n', '-', '#', 'é', '"') }), (text) => {
        let at = 0;
        for (const { start, end } of splitSentences(text)) {
          assert.ok(start >= at && end > start);
          assert.equal(text.slice(at, start).trim(), '');
          assert.equal(text.slice(start, end), text.slice(start, end).trim());
          at = end;
        }
        assert.equal(text.slice(at).trim(), '');
      }),
    );
  });
});
