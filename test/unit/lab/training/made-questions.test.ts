import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { linkKeys, nameKeys } from '../../../../src/search/domain/link-keys.ts';
import { foldsOf } from '../../../../lab/heads/cross-validate.ts';
import { loadWikipediaSet } from '../../../../lab/heads/question-sets.ts';
import { simulateNotes } from '../../../../lab/heads/simulated-notes.ts';
import { singleSteps } from '../../../../lab/heads/single-steps.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const PASSAGES = [
  { id: 'p1', title: 'Hello Love', text: 'Hello Love is an album by Hank Snow. It was a success.' },
  { id: 'p2', title: 'Hank Snow', text: 'Hank Snow was a singer from Tennessee who sang for fifty years.' },
  { id: 'p3', title: 'Orla Works', text: 'Orla Works makes pumps.' },
];
const QUESTION = {
  dataset: 'set',
  question: 'Where did the performer of Hello Love live?',
  answer: 'Tennessee',
  passages: PASSAGES,
  supporting: ['p2', 'p1'],
  decomposition: [
    { question: 'Hello Love >> performer', answer: 'success' },
    { question: 'Where did #1 live?', answer: 'Tennessee' },
    { question: 'Who sang?', answer: 'Hank Snow' },
  ],
};

describe('questions made from questions', () => {
  let dir = '';
  before(() => {
    dir = temporaryFolder({
      'set.jsonl': ['q0', 'q1', 'q2'].map((id) => JSON.stringify({ id, ...QUESTION })).join('\n'),
    });
  });

  it('turns steps into questions of one passage, where the answer stands in one alone', async () => {
    const steps = singleSteps(dir, await loadWikipediaSet(dir, 'set', new HashEmbedder()));
    const first = steps.questions.filter(({ partOf }) => partOf === 'q0');
    assert.deepEqual(
      first.map(({ question, gold }) => [question, gold]),
      [
        ['What is the performer of Hello Love?', ['p1']],
        ['Where did success live?', ['p2']],
      ],
    );
  });

  it('writes passages as linked notes, alike for one seed, and asks every other question', async () => {
    const [once, again] = [
      await simulateNotes(dir, 'set', new HashEmbedder(), 3),
      await simulateNotes(dir, 'set', new HashEmbedder(), 3),
    ];
    assert.deepEqual(
      once.questions.map(({ partOf }) => partOf),
      ['q1'],
    );
    const notes = await once.index.get(['p1', 'p2', 'p3']);
    assert.deepEqual(notes, await again.index.get(['p1', 'p2', 'p3']));
    for (const note of notes) {
      for (const link of note.links) {
        const line = note.text.split('\n')[link.line - 1] ?? '';
        assert.ok(line.includes(link.target), `${link.target} stands on line ${link.line}`);
      }
    }
  });

  it('links to the note that a title names', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const [album, singer] = await (await simulateNotes(dir, 'set', new HashEmbedder(), seed)).index.get(['p1', 'p2']);
      assert.ok(album !== undefined && singer !== undefined);
      if (!/\[\[[^\]]*hank-snow|\]\(\.\.\/[^)]*hank-snow/.test(album.text.split('See also')[0] ?? '')) continue;
      const names = new Set(nameKeys(singer));
      assert.ok(linkKeys(album).some((key) => names.has(key)));
      return;
    }
    assert.fail('none of twelve seeds linked the title');
  });

  it('keeps what was made from a question in its fold', async () => {
    const whole = await loadWikipediaSet(dir, 'set', new HashEmbedder());
    const folds = foldsOf([whole, singleSteps(dir, whole), await simulateNotes(dir, 'set', new HashEmbedder(), 3)]);
    assert.equal(folds.get('q1/notes'), folds.get('q1'));
    assert.equal(folds.get('q2/1'), folds.get('q2'));
    assert.notEqual(folds.get('q1'), folds.get('q2'));
  });
});
