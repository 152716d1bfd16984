import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_WEIGHTS, weightsFor } from '../../../../../src/search/retrieval/fuse.ts';
import { namedKeys, questionNameKeys, textQuery } from '../../../../../src/search/retrieval/name-keys.ts';

describe('textQuery', () => {
  it('leaves stop words out and splits identifiers beside the whole', () => {
    assert.equal(
      textQuery('What does get_environ_proxies do with the noProxy argument?'),
      'get_environ_proxies noproxy get environ proxies proxy argument arg',
    );
  });

  it('leaves out the stop words of other languages, and parts words without spaces', () => {
    assert.equal(textQuery('Welches Relais ist im März ausgefallen?'), 'relais marz ausgefallen');
    assert.equal(textQuery('Qui dirige l’équipe de la plateforme ?'), 'dirige equipe plateforme');
    assert.equal(textQuery('哪家公司供应北极星的电池?'), '家 公司 供应 北极 星 电池');
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

  it('takes every run of words of a question without spaces', () => {
    const keys = questionNameKeys('贝塔公司的负责人是谁?');
    for (const key of ['name:贝塔公司', 'name:公司', 'name:负责人']) assert.ok(keys.includes(key), key);
    assert.equal(keys.includes('name:的'), false);
  });

  it('takes what a text without spaces may name', () => {
    const keys = namedKeys('该项目由贝塔公司供应电池，见《合同条款》。');
    for (const key of ['name:贝塔公司', 'name:合同条款', 'name:电池']) assert.ok(keys.includes(key), key);
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

describe('weights of the lists', () => {
  it('trust words more where the embedder did not learn the language of the question', () => {
    const [asked, fremd] = ['Which relay failed?', 'Welches Relais ist ausgefallen?'];
    const weights = weightsFor(fremd, { language: 'en' });
    assert.ok(weights.text > weights.vector);
    assert.equal(weightsFor('哪个继电器坏了?', { language: 'en' }), weights);
    for (const other of [weightsFor(asked, { language: 'en' }), weightsFor(fremd, {})])
      assert.equal(other, DEFAULT_WEIGHTS);
  });
});
