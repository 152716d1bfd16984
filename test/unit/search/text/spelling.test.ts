import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { american, otherSpelling, stem } from '../../../../src/search/text/words.ts';
import { textQuery } from '../../../../src/search/retrieval/name-keys.ts';

const pairs = (list: string): [string, string][] =>
  list.split(/,\s+/).map((pair) => pair.split(/\s+/) as [string, string]);

const PAIRS =
  pairs(`colour color, behaviours behaviors, favourite favorite, neighbouring neighboring, labour labor, honoured
  honored, organisation organization, serialised serialized, analyse analyze, centre center, kilometres
  kilometers, licence license, defence defense, catalogue catalog, programme program, artefacts artifacts, grey
  gray`);

describe('British and American spellings', () => {
  it('are one word to compare by', () => {
    for (const [british, spelt] of PAIRS) {
      assert.equal(american(british), spelt);
      assert.equal(stem(british), stem(spelt));
    }
    assert.equal(stem('cancelled'), stem('canceled'));
  });

  it('are looked for both, whichever was asked', () => {
    for (const [british, spelt] of PAIRS) {
      assert.equal(otherSpelling(british), spelt);
      assert.equal(otherSpelling(spelt), british);
    }
    assert.equal(textQuery('What licence do we use?'), 'licence license use');
  });

  it('are one word with what people cut short', () => {
    const SHORT =
      'apps applications, repos repositories, config configuration, env environments, avg average, depts departments';
    for (const [short, whole] of pairs(SHORT)) assert.equal(stem(short), stem(whole));
    assert.equal(otherSpelling('apps'), 'application');
    assert.deepEqual(['applications', 'repositories'].map(otherSpelling), ['app', 'repo']);
    assert.equal(textQuery('Which apps are hit?'), 'apps application hit');
    assert.equal(stem('utils'), stem('utilities'));
    assert.equal(otherSpelling('utilities'), 'utils');
  });

  it('take no word of another language for one that is cut short', () => {
    // German and Dutch: long; French: time; Spanish: useful
    for (const words of [['lang', 'lange', 'langer'], ['temps'], ['util', 'utiles']]) {
      assert.equal(new Set(words.map((word) => stem(word))).size, 1, words.join());
      for (const word of words) assert.equal(otherSpelling(word), undefined, word);
    }
    assert.equal(textQuery('Wie lang ist die Frist?'), 'lang frist');
    assert.notEqual(stem('temps'), stem('temporary'));
  });

  it('leave other words alone', () => {
    for (const word of ['hour', 'four', 'your', 'journey', 'source', 'sequence', 'evidence', 'are', 'more', 'this'])
      assert.equal(american(word), word);
    for (const word of ['berth', 'file', 'order', 'other']) assert.equal(otherSpelling(word), undefined);
  });
});
