import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { splitAtMarks } from '../../../src/vscode/citation-marks.ts';

/** What the panel's own Markdown leaves as text that is not code. */
function marksInText(markdown: string): string[] {
  const inline = new MarkdownIt({ html: false, linkify: false })
    .parse(markdown, {})
    .flatMap((token) => token.children ?? []);
  return inline
    .filter((token) => token.type === 'text')
    .flatMap((token) => [...token.content.matchAll(/\[\d{1,3}\]/g)].map((match) => match[0]));
}

const marksIn = (markdown: string): string[] =>
  splitAtMarks(markdown).flatMap((part) => (typeof part === 'string' ? [] : [part.text]));

describe('the marks of an answer', () => {
  it('cut it where they stand', () => {
    assert.deepEqual(splitAtMarks('[1] Ann [2][13], `[3]`'), [
      { number: 1, text: '[1]' },
      ' Ann ',
      { number: 2, text: '[2]' },
      { number: 13, text: '[13]' },
      ', `[3]`',
    ]);
    assert.deepEqual(splitAtMarks('none [1234] [x]'), ['none [1234] [x]']);
    assert.deepEqual(splitAtMarks(''), []);
  });

  for (const [where, markdown, wanted] of [
    ['code spans', 'Reads `argv[1]` and ``a ` [2]`` once [3].', ['[3]']],
    ['code spans over a line end', 'Reads `argv[1]\nand [2]` once [3].', ['[3]']],
    ['a lone backtick', 'A ` stands [1] alone.\n\nAnother ` there [2].', ['[1]', '[2]']],
    ['escaped backticks', 'Not \\`code [1]\\` at all.', ['[1]']],
    ['fenced blocks', 'See [1]:\n```ts\nconst a = b[2];\n```\nand [3]', ['[1]', '[3]']],
    ['fences of tildes that hold backticks', '~~~~\n```\nb[2]\n~~~\n~~~~\n[3]', ['[3]']],
    ['a fence without an end', 'First [1]\n```\nb[2]\n\nc[3]', ['[1]']],
    ['a line of code in three backticks', '```argv[1]``` is read [2]', ['[2]']],
    ['fences in list items', '- Call [1]\n  ```\n  b[2]\n  ```\n- Next [3]', ['[1]', '[3]']],
    ['a fence that begins a list item', '1. ```\n   b[2]\n   ```\n2. Next [3]', ['[3]']],
    ['fences in quotes', '> ```\n> b[2]\n\nThen [3]', ['[3]']],
    ['indented blocks', 'Text [1]\n\n    b[2]\n\n    c[3]\n\nThen [4]', ['[1]', '[4]']],
    ['paragraphs of list items', '- One [1]\n\n    more [2]\n\nThen [3]', ['[1]', '[2]', '[3]']],
    ['backticks of two list items', '- One ` [1]\n- Two ` [2]', ['[1]', '[2]']],
    ['lines with carriage returns', 'See [1]\r\n```\r\nb[2]\r\n```\r\nand [3]\r\n', ['[1]', '[3]']],
  ] as const) {
    it(`are told from ${where}, as the panel tells them`, () => {
      assert.deepEqual(marksIn(markdown), wanted);
      assert.deepEqual(marksInText(markdown), wanted);
    });
  }

  it('leave nothing out of the text', () => {
    const piece = fc.constantFrom(
      '[1]',
      '[22]',
      '`',
      '``',
      '```\n',
      '~~~',
      '\n',
      '\n\n',
      '    ',
      '- ',
      '> ',
      '\\',
      'word ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const markdown = pieces.join('');
        assert.equal(
          splitAtMarks(markdown)
            .map((part) => (typeof part === 'string' ? part : part.text))
            .join(''),
          markdown,
        );
      }),
    );
  });
});
