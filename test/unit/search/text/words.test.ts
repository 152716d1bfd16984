import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { locatePhrase, phraseForm, readWords, stem } from '../../../../src/search/text/words.ts';

describe('words', () => {
  it('splits identifiers and keeps names whole', () => {
    assert.deepEqual(
      readWords('getEnvironProxies HTTPServer snake_case McDowell 1,890').map((word) => word.text),
      ['get', 'environ', 'proxies', 'http', 'server', 'snake', 'case', 'mcdowell', '1,890'],
    );
  });

  it('gives every word its place in the text', () => {
    const text = 'Aschenbrödel’s composer, openFile()';
    const words = readWords(text);
    assert.equal(words.length, 4);
    for (const word of words)
      assert.equal(text.slice(word.start, word.end).toLowerCase().startsWith(word.text.slice(0, 2)), true, word.text);
  });

  it('leaves French articles before a vowel out, and names with an apostrophe whole', () => {
    const text = 'L’entreprise d’Aïda O’Brien, qu’importe l’an';
    assert.deepEqual(
      readWords(text).map((word) => word.text),
      ['entreprise', 'aida', 'obrien', 'importe', 'lan'],
    );
    assert.equal(text.slice(readWords(text)[0]?.start, readWords(text)[0]?.end), 'entreprise');
  });

  it('finds a phrase inside of a text without spaces', () => {
    const text = '该项目由贝塔公司（上海）供应电池。';
    for (const written of ['贝塔公司', '电池']) {
      assert.ok(` ${phraseForm(text)} `.includes(` ${phraseForm(written)} `), written);
      const span = locatePhrase(text, phraseForm(written));
      assert.equal(text.slice(span?.start, span?.end), written);
    }
    assert.equal(locatePhrase(text, phraseForm('贝塔供应')), undefined);
    const marked = '責任者はガブリエルです हिन्दी में แข็งแรง';
    for (const text of [marked, marked.normalize('NFD')])
      for (const written of ['ガブリエル', 'हिन्दी', 'แข็ง']) {
        const span = locatePhrase(text, phraseForm(written));
        assert.equal(text.slice(span?.start, span?.end).normalize('NFC'), written);
      }
    assert.equal(locatePhrase(marked, phraseForm('カフリエル')), undefined, 'another kana');
  });

  it('takes the first of a release for what people call it', () => {
    assert.deepEqual(['1.3.0', '1.3', '2.0.0', '1.3.2', '10.0'].map(stem), ['1.3', '1.3', '2.0', '1.3.2', '10.0']);
  });

  it('stems inflected forms to one', () => {
    for (const group of ['published publishes publishing publisher', 'city cities', 'compose composed composer'])
      assert.equal(new Set(group.split(' ').map(stem)).size, 1, group);
    assert.equal(stem('stopped'), stem('stopping'));
  });

  it('finds a phrase whatever its case, accents, apostrophes and punctuation', () => {
    const text = 'The café, Hello Love’s   first—and best';
    for (const [form, written] of [
      ['cafe', 'café'],
      ['hello love', 'Hello Love'],
      ['love first', 'Love’s   first'],
      ['first and best', 'first—and best'],
    ] as const) {
      const span = locatePhrase(text, form);
      assert.equal(text.slice(span?.start, span?.end), written);
    }
    assert.equal(locatePhrase(text, 'caf'), undefined);
    assert.equal(phraseForm('Hello Love’s performer'), 'hello love performer');
  });
});
