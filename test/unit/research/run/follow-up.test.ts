import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { leansOnHistory } from '../../../../src/research/run/follow-up.ts';

const history = [{ question: 'Who makes the batteries of the mast?', answer: 'Halden Cells' }];

describe('leansOnHistory', () => {
  for (const question of [
    'Who supplies the mast?',
    'Which files import the merge function?',
    'What is deduplication?',
    'Who is Marta?',
    'When does the ferry contract end, and who signed it?',
    'Which supplier delivers the antennas and where is its office?',
    'What is the total of the one-time costs in the ferry decision?',
    'Is there a runbook for the radio that was replaced in 2023?',
    'What does this repository use for logging?',
    'And who delivers spare parts for Kestrel Shoulder?',
    'How does Store.merge resolve conflicts?',
    'Do the mast and the ferry use the same supplier?',
  ])
    it(`leaves alone: ${question}`, () => assert.equal(leansOnHistory(question, history), false));

  for (const question of [
    'What does it cost?',
    'Where was she born?',
    'Did Marta sign it?',
    'And in 2019?',
    'What about the costs?',
    'Why?',
    'Since when?',
    'Which supplier?',
    'Who else?',
    'Why is that?',
    'Which one is older?',
    'Who works there?',
    'What do these have in common?',
  ])
    it(`does not understand alone: ${question}`, () => assert.equal(leansOnHistory(question, history), true));

  it('leans on nothing where nothing was said', () => assert.equal(leansOnHistory('And in 2019?', []), false));
});
