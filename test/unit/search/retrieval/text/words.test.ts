import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { locatePhrase, phraseForm, readWords, stem } from '../../../../../src/search/retrieval/text/words.ts';

describe('words', () => {
  it('splits identifiers and keeps names whole', () => {
    assert.deepEqual(
      readWords('getEnvironProxies HTTPServer snake_case McDowell 1,890').map((word) => word.text),
      ['get', 'environ', 'proxies', 'http', 'server', 'snake', 'case', 'mcdowell', '1,890'],
    );
  });

  it('gives every word its place in the text', () => {
    const text = 'Aschenbrödel’s composer, openFile()';
    for (const word of readWords(text))
      assert.equal(text.slice(word.start, word.end).toLowerCase().startsWith(word.text.slice(0, 2)), true, word.text);
  });

  it('stems inflected forms to one', () => {
    for (const group of [
      ['published', 'publishes', 'publishing', 'publisher'],
      ['city', 'cities'],
      ['stopped', 'stopping'],
      ['compose', 'composed', 'composer'],
    ]) {
      assert.equal(new Set(group.map(stem)).size, 1, group.map(stem).join());
    }
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
