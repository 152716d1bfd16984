import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { namedKeys, questionNameKeys, textQuery } from '../../../../../src/search/retrieval/hybrid-search.ts';

describe('textQuery', () => {
  it('leaves stop words out and splits identifiers beside the whole', () => {
    assert.equal(
      textQuery('What does get_environ_proxies do with the noProxy argument?'),
      'get_environ_proxies noproxy get environ proxies proxy argument',
    );
  });

  it('searches for something even when only stop words were asked', () => {
    assert.equal(textQuery('Who is who?'), 'who is');
    assert.equal(textQuery('?!'), '');
  });
});

describe('name keys', () => {
  it('takes every run of words of a question, however capitalised', () => {
    const keys = questionNameKeys('who leads the platform team of Heron release?');
    for (const key of ['name:heron release', 'name:platform team', 'name:heron']) assert.ok(keys.includes(key), key);
    assert.equal(keys.includes('name:the'), false);
  });

  it('takes paths and the last part of qualified identifiers', () => {
    const keys = questionNameKeys('where is Store.merge called in src/store.ts');
    assert.ok(keys.includes('path:src/store.ts'));
    assert.ok(keys.includes('name:merge'));
  });

  it('takes what a text names, with the parts of joined names', () => {
    const keys = namedKeys('The Duchess of Savoy met Henri Bergson.');
    for (const key of ['name:duchess of savoy', 'name:savoy', 'name:henri bergson']) assert.ok(keys.includes(key), key);
  });
});
