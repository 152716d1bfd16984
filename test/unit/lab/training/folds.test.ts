import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { foldsOfSets } from '../../../../lab/heads/chain-sets.ts';
import type { QuestionSet, TrainingQuestion } from '../../../../lab/heads/question-sets.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';

/** A set of ten questions. */
function setOf(name: string, goldIs: TrainingQuestion['goldIs']): QuestionSet {
  const questions = Array.from({ length: 10 }, (_, i): TrainingQuestion => ({
    id: `${name} ${i}`,
    set: name,
    question: '',
    answer: '',
    gold: [],
    goldIs,
  }));
  return { name, index: new MemoryPassageIndex([]), questions };
}

describe('folds of what chains learn from', () => {
  it('keep the questions about a repository or a folder together, two of them apart, and share out all others', () => {
    const asked = [setOf('wikipedia', 'passages'), setOf('flask', 'files'), setOf('requests', 'files')];
    const folders = [setOf('koa', 'passages')];
    const folds = foldsOfSets([{ asked, folders, extra: [] }]);
    const foldsOf = (set: QuestionSet): number[] => [...new Set(set.questions.map(({ id }) => folds.get(id) ?? -1))];
    assert.deepEqual([...asked, ...folders].map(foldsOf), [[0, 1, 2, 3, 4], [0], [1], [2]]);
  });
});
