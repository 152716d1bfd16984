import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isWorthTidying, MOST_UNINDEXED_TEXTS } from '../../../../src/search/store/table-upkeep.ts';

describe('tidying the index', () => {
  it('waits until more has piled up the more there is to rewrite, and until searches suffer', () => {
    assert.equal(isWorthTidying({ passages: 1_000, versions: 61, unindexedTexts: 0 }), true);
    assert.equal(isWorthTidying({ passages: 128_704, versions: 61, unindexedTexts: MOST_UNINDEXED_TEXTS }), false);
    assert.equal(isWorthTidying({ passages: 128_704, versions: 258, unindexedTexts: 0 }), true);
    assert.equal(isWorthTidying({ passages: 128_704, versions: 61, unindexedTexts: MOST_UNINDEXED_TEXTS + 1 }), true);
  });
});
