import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { cutAtMarks, placeOf, sentencesOf } from '../../../../src/research/evidence/citations.ts';
import { EvidenceLedger } from '../../../../src/research/evidence/ledger.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const marksOf = (line: string): string[] =>
  cutAtMarks(line).flatMap(({ marks }) =>
    marks.map(({ target, from, to }) => `${target}${from === undefined ? '' : `:${from}-${to}`}`),
  );
const textOf = (line: string): string =>
  cutAtMarks(line)
    .map(({ text }) => text)
    .join('');

describe('sentences of a reply', () => {
  const sentences = (line: string): [string, number][] =>
    sentencesOf(line).map(({ text, marks }) => [text, marks.length]);

  it('are not cut at the citations in them', () =>
    assert.deepEqual(sentences('It is 5 [1:2], and 6 where a flag is set [2:1]. Else it is 7. [3:4] So be it'), [
      ['It is 5, and 6 where a flag is set.', 2],
      ['Else it is 7.', 1],
      ['So be it', 0],
    ]));
});

describe('citations in a reply', () => {
  for (const [written, expected] of [
    ['It is so [3].', ['3']],
    ['It is so [3:12].', ['3:12-12']],
    ['It is so [3:12-18].', ['3:12-18']],
    ['It is so [3:L12-L18].', ['3:12-18']],
    ['It is so [3:12–18]', ['3:12-18']],
    ['It is so [3, line 12]', ['3:12-12']],
    ['It is so [src/a b/store.ts:12]', ['src/a b/store.ts:12-12']],
    ['It is so [src/store.ts:12-18]', ['src/store.ts:12-18']],
    ['It is so [`src/store.ts:12`]', ['src/store.ts:12-12']],
    ['It is so [src/store.ts#L12-L18]', ['src/store.ts:12-18']],
    ['It is so [notes/a.md]', ['notes/a.md']],
    ['It is so (src/store.ts:12)', ['src/store.ts:12-12']],
    ['It is so [3:12, 4:7-9; 5]', ['3:12-12', '4:7-9', '5']],
    ['It is so [3:12, 20-22]', ['3:12-12', '3:20-22']],
    ['It is so [3:12][4:7]', ['3:12-12', '4:7-7']],
    ['It is so [3:12] [4:7].', ['3:12-12', '4:7-7']],
    ['It is so 【3:12†source】', []],
    ['It is so 【3†L12-L18】', ['3:12-18']],
    ['It is so [src/store.ts:12](src/store.ts#L12)', ['src/store.ts:12-12']],
    ['It is so [^3]', ['3']],
    ['A list [x] and [sic], (see b), (3) and arr[0]', []],
    ['Code `a[3]` and ``b[4:1]`` stays', []],
    ['In [2024] or [1999]', []],
  ] as const)
    it(written, () => assert.deepEqual(marksOf(written), expected));

  it('leave the text as it was, and text in brackets stays text', () => {
    assert.equal(textOf('A [x] is `b[3]` [3:1], so (see c).'), 'A [x] is `b[3]` , so (see c).');
    assert.deepEqual(
      cutAtMarks('One [1:2]. Two [2:3] and three.').map(({ text, marks }) => [text.trim(), marks.length]),
      [
        ['One .', 1],
        ['Two', 1],
        ['and three.', 0],
      ],
    );
  });

  it('are read back whatever stands around them, and nothing is lost', () => {
    const random = seededRandom(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const words = ['the', 'store', '`x[1]`', 'merges', '(see', 'below)', 'a > b', '“so”', '100 %', 'naïve', '**bold**'];
    const forms = [
      (n: number, a: number, b: number) => [`[${n}:${a}-${b}]`, `${n}:${a}-${b}`],
      (n: number, a: number) => [`[${n}:${a}]`, `${n}:${a}-${a}`],
      (n: number) => [`[${n}]`, `${n}`],
      (n: number, a: number, b: number) => [`[src/f${n}.ts:${a}-${b}]`, `src/f${n}.ts:${a}-${b}`],
      (n: number, a: number) => [`[\`docs/g ${n}.md:${a}\`]`, `docs/g ${n}.md:${a}-${a}`],
    ] as const;
    for (let round = 0; round < 400; round += 1) {
      const expected: string[] = [];
      let line = '';
      let plain = '';
      for (let i = 0; i < 1 + random() * 6; i += 1) {
        const word = pick(words);
        const a = 1 + Math.floor(random() * 900);
        const [mark = '', meaning = ''] = pick(forms)(1 + Math.floor(random() * 99), a, a + Math.floor(random() * 40));
        line += `${word} ${mark} `;
        plain += `${word}  `;
        expected.push(meaning);
      }
      assert.deepEqual(marksOf(line), expected, line);
      assert.equal(textOf(line), plain, line);
    }
  });

  it('take linear time', () => {
    const started = Date.now();
    for (const line of ['['.repeat(50_000), '[1:'.repeat(20_000), '`'.repeat(50_001), '(a/b.c:'.repeat(20_000)])
      cutAtMarks(line);
    assert.ok(Date.now() - started < 3000);
  });
});

describe('the place that a citation means', () => {
  const ledger = new EvidenceLedger(new ScriptedRetriever([]));
  ledger.add([
    notePassage('a', 'Store > merge', 'one\ntwo\nthree', { path: 'src/store.ts', startLine: 10, endLine: 12 }),
    notePassage('b', 'B', 'x\ny', { path: 'docs/b.md', startLine: 1, endLine: 2 }),
  ]);
  ledger.block({ path: 'src/store.ts', from: 10, to: 12, title: 'Store > merge' });
  ledger.block({ path: 'docs/b.md', from: 1, to: 2, title: 'B' });
  const at = (written: string) => {
    const mark = cutAtMarks(`x ${written}`)[0]?.marks[0];
    const place = mark && placeOf(mark, ledger);
    return place && `${place.path}:${place.from}-${place.to}${place.exact ? '' : ' whole'}`;
  };
  for (const [written, place] of [
    ['[1:11]', 'src/store.ts:11-11'],
    ['[1]', 'src/store.ts:10-12 whole'],
    ['[1:99]', 'src/store.ts:10-12 whole'],
    ['[2:1-2]', 'docs/b.md:1-2'],
    ['[3:1]', undefined],
    ['[src/store.ts:12]', 'src/store.ts:12-12'],
    ['[store.ts:12]', 'src/store.ts:12-12'],
    ['[/work/src/store.ts:12]', 'src/store.ts:12-12'],
    ['[src/store.ts:99]', undefined],
    ['[docs/b.md]', 'docs/b.md:1-2 whole'],
    ['[docs/c.md:1]', undefined],
  ] as const)
    it(`${written} is ${place}`, () => assert.equal(at(written), place));
});
