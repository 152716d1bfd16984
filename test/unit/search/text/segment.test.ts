import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { partsQuery, wordParts } from '../../../../src/search/text/word-parts.ts';
import { characterwise, isUnspaced, segmentsOf } from '../../../../src/search/text/words.ts';

describe('words of scripts without spaces', () => {
  it('are parted by dictionaries, each at its place', () => {
    assert.deepEqual(segmentsOf('公司供应电池'), [
      { text: '公司', start: 0 },
      { text: '供应', start: 2 },
      { text: '电池', start: 4 },
    ]);
    assert.deepEqual(
      segmentsOf('プロジェクトの責任者').map(({ text }) => text),
      ['プロジェクト', 'の', '責任', '者'],
    );
  });

  it('leaves runs of other scripts as they are', () => {
    for (const run of ['Rechnungsnummer', "l'entreprise", 'Ελλάδα', '한국어'])
      assert.deepEqual(segmentsOf(run), [{ text: run, start: 0 }]);
    assert.equal(isUnspaced('naïve Ελλάδα'), false);
    assert.equal(isUnspaced('the ✓ 电池'), true);
  });

  it('are taken apart to characters where any part may be looked for', () => {
    assert.equal(characterwise('A电池b'), 'A 电  池 b');
    assert.equal(characterwise('battery'), 'battery');
  });
});

describe('parts of words', () => {
  it('are pairs of characters of Chinese, Japanese, Thai and Korean, and four letters of other words', () => {
    for (const [text, parts] of [
      ['贝塔公司', '贝塔 塔公 公司'],
      ['電池ガス', '電池 池ガ ガス'],
      ['แข็งแรง', 'แข็ ข็ง งแ แร รง'],
      ['서울에서 API를', '서울 울에 에서 api 를'],
      ['Донауэ Ёлка', 'дона онау науэ елка'],
      ['हिन्दी में', 'हिन् िन्द न्दी में'],
      ['Οδός', 'οδος'],
      ['Brückenzölle', 'bruc ruck ucke cken kenz enzo nzol zoll olle'],
      ['Wer zahlt den Zoll?', 'wer zahl ahlt den zoll'],
    ] as const)
      assert.equal(wordParts(text).join(' '), parts);
  });

  it('are none of English words, where another script stands beside them as well', () => {
    for (const text of ['Who pays the tolls at Łódź bridge?', 'retry_timeout config', '{"a": 1}'])
      assert.deepEqual(wordParts(text), []);
    assert.equal(partsQuery('What is the name of 北京 and 北京?'), '北京');
  });
});
