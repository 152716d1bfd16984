import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { filterPredicate, isIn, literal, sharesAny } from '../../../../src/search/store/lance-connection.ts';

describe('predicates', () => {
  it('quote every value', () => {
    assert.equal(literal("it's ''"), "'it''s '''''");
    assert.equal(isIn('id', ['a', "b'"]), "id IN ('a', 'b''')");
    assert.equal(isIn('id', []), 'false');
    assert.equal(sharesAny('name_keys', ["x'y"]), "array_has_any(name_keys, ['x''y'])");
  });

  it('restrict by nothing when nothing is said', () => {
    assert.equal(filterPredicate(undefined), undefined);
    assert.equal(filterPredicate({}), undefined);
  });

  it('join what is said', () => {
    assert.equal(
      filterPredicate({ paths: ['./docs/', ''], languages: ['go'], kinds: ['table'], ids: [] }),
      "((path = 'docs' OR starts_with(path, 'docs/')) OR true) AND language = 'go' AND kind = 'table' AND false",
    );
  });
});
