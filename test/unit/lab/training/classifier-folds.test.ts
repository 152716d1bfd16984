import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { foldsOfQuestions, folderQuestions, type SourcedQuestion } from '../../../../lab/heads/classifier-data.ts';

describe('folds of questions for the classifier', () => {
  it('keep those about one folder together, and deal the others out', () => {
    const about = folderQuestions('lab/questions/aside');
    const own = Array.from({ length: 20 }, (_, i): SourcedQuestion => ({
      question: `Where is hut ${i}?`,
      type: 'lookup',
      source: 'own',
    }));
    const asked = [...own, ...about, ...own];
    const folds = foldsOfQuestions(asked, 5);
    const ofFolders = new Map<string, Set<number>>();
    asked.forEach(({ folder }, i) => {
      if (folder !== undefined) ofFolders.set(folder, (ofFolders.get(folder) ?? new Set()).add(folds[i] ?? -1));
    });
    assert.equal(ofFolders.size, 7);
    assert.ok([...ofFolders.values()].every((its) => its.size === 1));
    assert.equal(new Set([...ofFolders.values()].flatMap((its) => [...its])).size, 5);
    assert.deepEqual(folds.slice(0, 6), [0, 1, 2, 3, 4, 0]);
  });
});
