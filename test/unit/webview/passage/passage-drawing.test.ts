import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TextSpan } from '../../../../src/search/domain/unit.ts';
import {
  cellsOf,
  drawLines,
  excerpt,
  fromWhatMatters,
  shownSegments,
  unfolded,
} from '../../../../webview/passage/draw-lines.ts';
import { tokenise } from '../../../../webview/passage/tokenise.ts';
import { linkingSpans } from '../../../../webview/views/trail.ts';
import { supplierChain } from '../../../doubles/panel-runs.ts';

const kindsOf = (text: string, language: string): string[] =>
  tokenise(text, language).map((token) => `${token.kind}:${text.slice(token.start, token.end)}`);

describe('tokenise', () => {
  it('leaves prose plain in whatever language but Markdown it is written', () => {
    for (const language of ['asciidoc', 'restructuredtext', 'org', 'roff', 'latex', 'plaintext', 'csv'])
      assert.deepEqual(kindsOf('Open it for 20 min in "Teal" // and wait', language), [], language);
  });

  it('colours what a reader looks for', () => {
    assert.deepEqual(kindsOf('const a = "x"; // why', 'typescript'), ['keyword:const', 'string:"x"', 'comment:// why']);
    assert.deepEqual(kindsOf('def f(x): # why\n  return Alarm("K", 3)', 'python'), [
      'keyword:def',
      'comment:# why',
      'keyword:return',
      'type:Alarm',
      'string:"K"',
      'number:3',
    ]);
    assert.deepEqual(kindsOf('# Title\n- [[a|b]] and **c**', 'markdown'), [
      'syntax:# ',
      'heading:Title',
      'keyword:-',
      'syntax:[[a|',
      'link:b',
      'syntax:]]',
      'syntax:**',
      'strong:c',
      'syntax:**',
    ]);
    assert.deepEqual(kindsOf('| **by [@x](y)** |', 'markdown'), [
      'cell:| ',
      'syntax:**',
      'strong:by ',
      'syntax:[',
      'link:@x',
      'syntax:](y)',
      'syntax:**',
      'cell: |',
    ]);
    assert.deepEqual(kindsOf('```ts\nconst a = 1;\n```\n# b', 'markdown'), [
      'rule:```ts',
      'keyword:const',
      'number:1',
      'rule:```',
      'syntax:# ',
      'heading:b',
    ]);
    assert.deepEqual(kindsOf('# a', 'Py'), ['comment:# a']);
    assert.deepEqual(kindsOf('name: true', 'yaml'), ['key:name', 'keyword:true']);
    assert.deepEqual(kindsOf('const a = 1', 'plaintext'), []);
  });

  it('never overlaps and never leaves the text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '"', "'", '/', '*', '#', '`', '\n', ' ', '1', '[', ']', '(', ')', '|', '\\', '<'),
          maxLength: 80,
        }),
        fc.constantFrom('typescript', 'python', 'markdown', 'json'),
        (text, language) => {
          let end = 0;
          for (const token of tokenise(text, language)) {
            assert.ok(token.start >= end && token.end > token.start && token.end <= text.length);
            end = token.end;
          }
        },
      ),
    );
  });
});

describe('drawLines', () => {
  it('keeps every character and marks exactly the spans', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', 'B', '1'), maxLength: 60 }),
        fc.nat(60),
        fc.nat(20),
        (text, start, length) => {
          const end = Math.min(text.length, start + length);
          const lines = drawLines(text, 'typescript', 1, start < end ? [{ start, end }] : []);
          assert.equal(lines.map((line) => line.segments.map((segment) => segment.text).join('')).join('\n'), text);
          const marked = lines
            .flatMap((line) => line.segments.filter((segment) => segment.marked).map((segment) => segment.text))
            .join('');
          assert.equal(marked, start < end ? text.slice(start, end).replaceAll('\n', '') : '');
        },
      ),
    );
  });

  it('numbers lines as in the file and shows no carriage returns', () => {
    const lines = drawLines('one\r\ntwo', 'plaintext', 41, []);
    assert.deepEqual(
      lines.map((line) => [line.number, line.segments[0]?.text]),
      [
        [41, 'one'],
        [42, 'two'],
      ],
    );
  });
});

describe('shownSegments', () => {
  const shown = (text: string, mark?: string): string[] =>
    drawLines(
      text,
      'markdown',
      1,
      mark ? [{ start: text.indexOf(mark), end: text.indexOf(mark) + mark.length }] : [],
    ).map((line) =>
      shownSegments(line)
        .map((segment) => (segment.marked ? `<${segment.text}>` : segment.text))
        .join(''),
    );

  it('are Markdown as it reads', () => {
    assert.deepEqual(shown('## Limits\n- see [the *mast*](../mast.md), [[huts/tarn|Tarn]], `code`, **bold**, [[a]]'), [
      'Limits',
      '- see the *mast*, Tarn, code, bold, a',
    ]);
    assert.deepEqual(shown('- see [the guide][doc], [8.1][] and a[0][1]'), ['- see the guide, 8.1 and a[0][1]']);
    assert.deepEqual(shown('# not a heading'.slice(1)), [' not a heading']);
    assert.deepEqual(shown('a [b] (c) | d'), ['a [b] (c) | d'], 'what is no Markdown stays');
  });

  it('mark the words of a link whose target alone is meant', () => {
    assert.deepEqual(shown('by [him](../people/hamish.md) alone', 'hamish'), ['by <him> alone']);
    assert.deepEqual(shown('by [[people/hamish|him]] alone', 'hamish'), ['by <him> alone']);
    assert.deepEqual(shown('by [him](hamish.md) alone', 'alone'), ['by him <alone>']);
  });

  it('are the cells of a row, and nothing of the line that only draws', () => {
    const table = '| part | note |\n|:--|--:|\n| | |\n| [[pack]] | 24 \\| 48 V |';
    const lines = drawLines(table, 'markdown', 7, []);
    assert.deepEqual(
      lines.map((line) => cellsOf(line)?.map((cell) => cell.map(({ text }) => text).join(''))),
      [['part', 'note'], undefined, undefined, ['pack', '24 \\| 48 V']],
    );
    assert.equal(excerpt(lines, 2).hidden, 0, 'they are not counted');
    assert.equal(cellsOf(drawLines('a || b', 'typescript', 1, [])[0] ?? { number: 1, segments: [] }), undefined);
  });
});

describe('linkingSpans', () => {
  it('mark the words that lead on, and never the ending of a file', () => {
    const [first] = supplierChain.hops;
    assert.ok(first);
    const passage = { ...first.passage, text: 'See mast.md for the mast' };
    const spans = (span: TextSpan): TextSpan[] =>
      linkingSpans([{ ...first, passage, why: { ...first.why, toSpan: span } }], 0);
    assert.deepEqual(spans({ start: 9, end: 11 }), []);
    assert.deepEqual(spans({ start: 4, end: 8 }), [{ start: 4, end: 8 }]);
  });
});

describe('excerpt', () => {
  const text = ['# Head', '', 'first', 'second', 'third', 'fourth with WORD', 'fifth'].join('\n');
  const numbers = (shown: ReturnType<typeof excerpt>): (number | 'gap')[] =>
    shown.lines.map((line) => (line === 'gap' ? 'gap' : line.number));

  it('begins at the top when nothing is marked, past blank lines', () => {
    const shown = excerpt(drawLines(text, 'markdown', 1, []), 3);
    assert.deepEqual(numbers(shown), [1, 3, 4]);
    assert.equal(shown.hidden, 3);
  });

  it('shows the linking words, with a gap where lines are left out', () => {
    const start = text.indexOf('WORD');
    assert.deepEqual(
      numbers(
        excerpt(
          drawLines(text, 'markdown', 1, [
            { start: 0, end: 3 },
            { start, end: start + 4 },
          ]),
          3,
        ),
      ),
      [1, 'gap', 6, 7],
    );
  });

  const quoted = (line: number) => [{ startLine: line, endLine: line, quote: 'it' }];
  const cited = (shown: ReturnType<typeof excerpt>): number[] =>
    shown.lines.flatMap((line) => (line !== 'gap' && line.isCited ? [line.number] : []));

  it('leads with the line that is quoted, and says which it is', () => {
    for (const line of [3, 4, 5, 6, 7]) {
      const shown = excerpt(drawLines(text, 'markdown', 1, []), 3, quoted(line));
      assert.deepEqual(
        numbers(shown),
        [line, line + 1, line + 2].filter((number) => number <= 7),
      );
      assert.deepEqual(cited(shown), [line]);
    }
    const whole = drawLines(text, 'markdown', 1, []);
    assert.deepEqual(numbers(excerpt(whole, 3, [{ startLine: 1, endLine: 7 }])), [1, 3, 4], 'no line of it is quoted');
  });

  it('shows above the quoted line those with linking words alone, and never in its place', () => {
    const start = text.indexOf('first');
    const shown = excerpt(drawLines(text, 'markdown', 1, [{ start, end: start + 5 }]), 3, quoted(5));
    assert.deepEqual(numbers(shown), [3, 'gap', 5, 6]);
    const every = [{ start: 0, end: text.length }];
    assert.ok(numbers(excerpt(drawLines(text, 'markdown', 1, every), 2, quoted(7))).includes(7));
  });

  const note = '---\ntitle: Mast\ntags: [a]\n---\n\nfirst\nsecond\nthird';
  const title = { start: note.indexOf('Mast'), end: note.indexOf('Mast') + 4 };

  it('never shows front matter, but for a line of it that is quoted', () => {
    for (const marks of [[], [title]]) {
      const lines = drawLines(note, 'markdown', 1, marks);
      assert.deepEqual(numbers(excerpt(lines, 2)), [6, 7]);
      assert.equal(excerpt(lines, 2).hidden, 1, 'nor counts it');
      assert.deepEqual(numbers(unfolded(lines, 40, [])), [6, 7, 8]);
      assert.deepEqual(numbers(excerpt(lines, 3, quoted(7))), [6, 7, 8]);
      assert.deepEqual(numbers(excerpt(lines, 2, quoted(2))), [2, 6]);
    }
    assert.deepEqual(
      numbers(excerpt(drawLines('---\ntitle: Mast\n---', 'markdown', 1, []), 3)),
      [1, 2, 3],
      'there is nothing else',
    );
    const rules = drawLines('---\na\n---\nb\nc', 'markdown', 30, []);
    assert.deepEqual(numbers(excerpt(rules, 2)), [30, 31], 'a rule within a file is none');
    assert.deepEqual(numbers(excerpt(drawLines('---\na: 1\n---\nb: 2\nc: 3', 'yaml', 1, []), 2)), [1, 2]);
  });

  it('shows no heading of what comes next, nor more of it', () => {
    const parts = 'first\nsecond\n## Next\nthird';
    const lines = drawLines(parts, 'markdown', 1, []);
    assert.deepEqual(numbers(excerpt(lines, 3, quoted(2))), [2]);
    assert.deepEqual(numbers(excerpt(lines, 3)), [1, 2, 3]);
    const heading = drawLines('# A\n## B\nb\n## C\nc', 'markdown', 1, [{ start: 2, end: 3 }]);
    assert.deepEqual(numbers(excerpt(heading, 4)), [1, 2, 3], 'a heading is nothing without its text');
  });

  it('goes on from the first line that matters where it is seen at length', () => {
    const start = text.indexOf('WORD');
    const from = (source: string, marks: TextSpan[], lines: { startLine: number; endLine: number; quote?: string }[]) =>
      fromWhatMatters(drawLines(source, 'markdown', 1, marks), lines)[0]?.number;
    assert.equal(from(text, [{ start, end: start + 4 }], []), 6);
    assert.equal(from(text, [{ start, end: start + 4 }], quoted(5)), 5);
    assert.equal(from(note, [], []), 6);
    assert.equal(from(note, [title], []), 6);
    assert.equal(from(note, [], [{ startLine: 1, endLine: 8 }]), 6, 'the whole note is cited');
    assert.equal(from(note, [], quoted(7)), 7);
    assert.equal(from(note, [], quoted(3)), 3);
  });

  it('has what matters in view where a long passage is unfolded in part', () => {
    const long = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n');
    const shown = (line: number) => numbers(unfolded(drawLines(long, 'markdown', 1, []), 40, quoted(line)));
    assert.deepEqual([shown(5)[0], shown(5).length, shown(50)[0], shown(50).length], [5, 40, 21, 40]);
  });

  it('shows short passages whole', () => {
    assert.deepEqual(excerpt(drawLines('a\nb', 'plaintext', 7, []), 3).hidden, 0);
  });
});
