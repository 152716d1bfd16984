import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { scopeWithout, withSelection } from '../../../../src/vscode/threads/what-is-asked.ts';

const index = { passagesOf: async (path: string) => [{ id: `${path}#1` }, { id: `${path}#2` }] as Passage[] };

describe('scopeWithout', () => {
  it('leaves out single passages and every passage of a file, and keeps where to look', async () => {
    assert.deepEqual(await scopeWithout({ paths: ['notes'] }, { passageIds: ['p'], paths: ['notes/a.md'] }, index), {
      paths: ['notes'],
      excludeIds: ['p', 'notes/a.md#1', 'notes/a.md#2'],
    });
  });

  it('restricts nothing where nothing is left out', async () => {
    assert.equal(await scopeWithout(undefined, undefined, index), undefined);
    assert.equal(await scopeWithout(undefined, { passageIds: [], paths: [] }, index), undefined);
  });
});

describe('withSelection', () => {
  it('puts a word into the line of the question, and lines below it', () => {
    const at = { path: 'a.ts', startLine: 4, endLine: 5 };
    assert.equal(withSelection('What is this?', { ...at, text: 'merge' }), 'What is this? ("merge" in a.ts)');
    assert.equal(withSelection('Why?', { ...at, text: 'one\ntwo' }), 'Why?\n\na.ts:4\n> one\n> two');
    assert.equal(withSelection('Why?', undefined), 'Why?');
    const symbol = { ...at, text: 'merge', symbol: true };
    assert.equal(withSelection('Who calls merge?', symbol), 'Who calls merge?');
    assert.equal(withSelection('Who calls it?', symbol), 'Who calls it? ("merge" in a.ts)');
  });
});
