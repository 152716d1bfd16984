import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { identifierParts, identifiersColumn, splitIdentifiers } from '../../../../src/search/store/passage-rows.ts';

describe('splitting identifiers', () => {
  it('parts words at case, digits and underscores', () => {
    assert.deepEqual(identifierParts('getUserName'), ['get', 'user', 'name']);
    assert.deepEqual(identifierParts('HTTPServer2'), ['http', 'server', '2']);
    assert.deepEqual(identifierParts('__init__'), ['init']);
    assert.deepEqual(identifierParts('MAX_ROWS'), ['max', 'rows']);
    assert.deepEqual(identifierParts('word'), ['word']);
    assert.deepEqual(identifierParts('größeÄndern'), ['größe', 'ändern']);
  });

  it('takes only compound words of a text, each part once', () => {
    assert.deepEqual(splitIdentifiers('the rowStore calls row_count and rowStore again'), ['row', 'store', 'count']);
    assert.deepEqual(splitIdentifiers('plain words only'), []);
  });

  it('holds the words of path and title too', () => {
    const column = identifiersColumn({ path: 'src/rowStore.ts', title: 'Store > putAll', text: 'x' }).split(' ');
    for (const word of ['src', 'rowstore', 'row', 'store', 'ts', 'putall', 'put', 'all'])
      assert.ok(column.includes(word), word);
  });
});
