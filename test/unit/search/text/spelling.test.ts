import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { american, otherSpelling, stem } from '../../../../src/search/text/words.ts';
import { textQuery } from '../../../../src/search/retrieval/hybrid-search.ts';

const PAIRS = [
  ['colour', 'color'],
  ['behaviours', 'behaviors'],
  ['favourite', 'favorite'],
  ['neighbouring', 'neighboring'],
  ['labour', 'labor'],
  ['honoured', 'honored'],
  ['organisation', 'organization'],
  ['serialised', 'serialized'],
  ['analyse', 'analyze'],
  ['centre', 'center'],
  ['kilometres', 'kilometers'],
  ['licence', 'license'],
  ['defence', 'defense'],
  ['catalogue', 'catalog'],
  ['programme', 'program'],
  ['artefacts', 'artifacts'],
  ['grey', 'gray'],
] as const;

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
    for (const [short, whole] of [
      ['apps', 'applications'],
      ['repos', 'repositories'],
      ['config', 'configuration'],
      ['env', 'environments'],
    ] as const)
      assert.equal(stem(short), stem(whole));
    assert.equal(otherSpelling('apps'), 'application');
    assert.equal(otherSpelling('applications'), 'app');
    assert.equal(otherSpelling('repositories'), 'repo');
    assert.equal(textQuery('Which apps are hit?'), 'apps application hit');
  });

  it('leave other words alone', () => {
    for (const word of ['hour', 'four', 'your', 'journey', 'source', 'sequence', 'evidence', 'are', 'more', 'this'])
      assert.equal(american(word), word);
    for (const word of ['berth', 'file', 'order', 'other']) assert.equal(otherSpelling(word), undefined);
  });
});
