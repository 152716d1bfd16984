import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { inEnglish, type Translate } from '../../../../src/search/domain/notices.ts';
import { type Because, passageChain } from '../../../../src/search/domain/passage-chain.ts';
import { reasonInWords, type ReasonInWords } from '../../../../src/search/domain/reason-words.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../../../l10n/bundle.l10n.ja.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const japanese: Translate = (message, ...values) => inEnglish(bundle[message] ?? assert.fail(message), ...values);

const wordsOf = (because: Because, t?: Translate): ReasonInWords =>
  reasonInWords({ kind: 'question', because, terms: [] }, t);

/** Every code in English; the type checker asks for a line when one is added. */
const ENGLISH: Readonly<Record<Because['code'], string>> = {
  calls: '“A” calls “B” on line 3',
  imports: '“A” imports “B” on line 3',
  extends: '“A” extends “B” on line 3',
  implements: '“A” implements “B” on line 3',
  'names-type': '“A” names the type “B” on line 3',
  reads: '“A” uses “B” on line 3',
  sets: '“A” sets “B” on line 3',
  throws: '“A” throws “B” on line 3',
  links: '“A” links to “B” on line 3',
  uses: '“A” uses “B” on line 3',
  'links-back': 'links back to “B” of “A” on line 3',
  'imports-of': 'imports “B” of “A” on line 3',
  'uses-of': 'uses “B” of “A” on line 3',
  names: '“A” names “B” on line 3',
  shares: 'shares “B” with “A” on line 3',
  'names-subject': 'names “B”, the subject of an earlier passage',
  'defines-asked': 'defines “B”',
  matches: 'matches “C”, “D” in the question',
  'asks-also': 'the question also asks about “C”, “D”',
  'near-passage': 'nearest in meaning to “A”',
  'near-both': 'nearest in meaning to the question and to “A”',
  'near-question': 'nearest in meaning to the question',
  'found-for': 'found for “E”',
  found: 'found for the question',
  chosen: 'the file that was chosen',
};

/** A reason of each code, with the values that the code has. */
const VALUES = { who: 'A', what: 'B', line: 3, terms: ['C', 'D'], question: 'E' };
const reasonOf = (code: string): Because => ({ code, ...VALUES }) as unknown as Because;

describe("a hop's reason in words", () => {
  it('is one sentence for each code, the line at its end', () => {
    for (const [code, sentence] of Object.entries(ENGLISH)) {
      const { text, line } = wordsOf(parsed(reasonOf(code)));
      assert.equal(text, sentence, code);
      assert.equal(text.slice(line?.start, line?.end), /line 3$/.exec(sentence)?.[0] ?? sentence, code);
    }
  });

  it('is told in the language of the editor for each code', () => {
    for (const code of Object.keys(ENGLISH))
      assert.doesNotMatch(wordsOf(parsed(reasonOf(code)), japanese).text, /[a-z]{2}/, code);
  });

  it('has its line where the language has it, and names a file where that is not plain', () => {
    const pair = { code: 'links', who: 'Silent Weekend', what: 'systems/mast-power', line: 26 } as const;
    assert.deepEqual(wordsOf(pair), {
      text: '“Silent Weekend” links to “systems/mast-power” on line 26',
      line: { number: 26, start: 50, end: 57 },
    });
    const called = { code: 'calls', who: 'serve', what: 'mime', line: 3, path: 'src/a in b.ts' } as const;
    assert.equal(wordsOf(called).text, '“serve” calls “mime” in src/a in b.ts on line 3');
    for (const [because, told] of [
      [pair, '「Silent Weekend」が「systems/mast-power」にリンク(26 行目)'],
      [called, '「serve」が「mime」を呼び出し(src/a in b.ts、3 行目)'],
    ] as const) {
      const { text, line } = wordsOf(because, japanese);
      assert.equal(text, told);
      assert.match(text.slice(line?.start, line?.end), /^\d+ 行目$/);
    }
  });

  it('leaves names as they are, also where they look like a place for a value or a line', () => {
    assert.equal(wordsOf({ code: 'names', who: '{1} $& {0}', what: 'line 7' }).text, '“{1} $& {0}” names “line 7”');
    assert.equal(wordsOf({ code: 'names', who: 'a', what: 'line 7' }).line, undefined);
  });

  it('is the English sentence that an earlier version kept, its line a link still', () => {
    for (const [text, words] of [
      ['“Silent Weekend” links to “systems/mast-power” on line 26', 'line 26'],
      ['links to "systems/mast-power" from line 26', 'line 26'],
      ['shares “Marta Quill” with “Canteen”', undefined],
      ['as somebody said', undefined],
    ] as const) {
      const told = reasonInWords({ kind: 'link', text, terms: [] }, japanese);
      assert.equal(told.text, text);
      assert.equal(told.line && told.text.slice(told.line.start, told.line.end), words);
      assert.equal(told.line?.number, words && 26);
    }
  });

  it('is nothing where nothing is said', () => {
    assert.deepEqual(reasonInWords({ kind: 'question', terms: [] }), { text: '' });
    assert.deepEqual(reasonInWords({ kind: 'question', text: '', terms: [] }), { text: '' });
  });

  it('is nothing where only another version knows its code', () => {
    for (const values of [VALUES, { who: 'A', what: 'B' }]) {
      const because = { code: 'dreams-of', ...values } as unknown as Because;
      assert.deepEqual(reasonInWords({ kind: 'link', because, terms: [] }), { text: '' });
    }
  });
});

/** As it comes from the index process: what the schema does not know is gone. */
function parsed(because: Because): Because {
  const passage = { id: 'p', uri: '', path: 'p', startLine: 1, endLine: 1, kind: 'section', language: 'markdown' };
  const hop = {
    passage: { ...passage, title: '', text: '', contentHash: '', links: [] },
    score: 1,
    why: { kind: 'question', because, terms: [] },
  };
  const [read] = passageChain.parse({ hops: [hop], score: 0, completeness: 1 }).hops;
  return read?.why.because ?? assert.fail('The reason was lost.');
}
