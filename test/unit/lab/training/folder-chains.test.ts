import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { folderChains } from '../../../../lab/heads/folder-chains.ts';
import type { FolderQuestion } from '../../../../lab/heads/unit-cases.ts';
import { RecordingScorer } from '../../../../lab/heads/recording-scorer.ts';
import { PassageProfiles } from '../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../src/search/retrieval/question.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

describe('chains of a folder', () => {
  const part = (id: string, path: string, startLine: number, text = 'Huts have bunks.') =>
    notePassage(id, 'Huts', text, { path, startLine, endLine: startLine + 9 });
  const passages = [
    part('a1', 'a.md', 1),
    part('a2', 'a.md', 8),
    part('b1', 'b.md', 1),
    part('c1', 'c.md', 1, 'Nine bunks.'),
  ];
  const index = new MemoryPassageIndex(passages);
  const asked = (evidence: FolderQuestion['evidence'], also: FolderQuestion['also'] = []): FolderQuestion => ({
    id: 'q',
    dataset: 'notes',
    question: 'How many bunks are there?',
    answer: 'nine',
    aliases: [],
    type: 'lookup',
    evidence,
    also,
  });
  const goldOf = async (question: FolderQuestion) => {
    const { questions } = await folderChains({ name: 'huts', kind: 'notes', questions: [question] }, index);
    const [one] = questions;
    return one && { gold: one.gold, places: Object.fromEntries(one.places ?? []), files: one.files };
  };

  it('are right by any passage that touches a place, and by one that says the same', async () => {
    assert.deepEqual(
      await goldOf(asked([{ path: 'a.md', start: 9, end: 9 }], [{ path: 'c.md', quote: 'Nine bunks.' }])),
      {
        gold: ['place 1'],
        places: { a1: 'place 1', a2: 'place 1', c1: 'place 1' },
        files: ['a.md'],
      },
    );
  });

  it('need every place; what says one of several again is neither right nor wrong', async () => {
    const question = asked(
      [
        { path: 'a.md', start: 2, end: 3 },
        { path: 'b.md', start: 1, end: 1 },
      ],
      [{ path: 'c.md', start: 1, end: 1 }],
    );
    assert.deepEqual(await goldOf(question), {
      gold: ['place 1', 'place 2'],
      places: { a1: 'place 1', b1: 'place 2', c1: 'also' },
      files: ['a.md', 'b.md'],
    });
    const { questions } = await folderChains({ name: 'huts', kind: 'notes', questions: [question] }, index);
    assert.ok(questions[0]);
    const scorer = new RecordingScorer(
      new PassageProfiles(),
      (_, table) => Array<number>(table.size).fill(0),
      questions[0],
    );
    await scorer.scoreFirst(profileQuestion(question.question, undefined, [1, 1], 4), passages);
    assert.deepEqual(scorer.groups[0]?.labels, [1, 0, 1], 'without the passage that says it again');
  });

  it('learn nothing from what no passage holds, nor from what has no answer', async () => {
    assert.equal(await goldOf(asked([{ path: 'gone.md', start: 1, end: 1 }])), undefined);
    assert.equal(await goldOf({ ...asked([{ path: 'a.md', start: 1, end: 1 }]), type: 'null' }), undefined);
  });
});
