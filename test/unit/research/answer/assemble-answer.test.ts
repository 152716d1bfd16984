import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assembleAnswer } from '../../../../src/research/answer/assemble-answer.ts';
import { readReply } from '../../../../src/research/answer/reading.ts';
import { checkReading } from '../../../../src/research/check/check-reading.ts';
import { EvidenceLedger } from '../../../../src/research/evidence/ledger.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const shown = (reply: string): string => {
  const ledger = new EvidenceLedger(new ScriptedRetriever([]));
  ledger.add([notePassage('a', 'Zip', 'The zip is kept.\nAlways so.\nOn disk.', { path: 'a.md' })]);
  ledger.block({ path: 'a.md', from: 1, to: 3, title: 'Zip' });
  const reading = readReply(reply);
  const checked = checkReading(reading, ledger, 'Is the zip kept?');
  const coverage = { files: 1, passages: 1, embedded: 1, indexing: false };
  const question = { text: 'Is the zip kept?', history: [] };
  return assembleAnswer({ question, ledger, subAnswers: [], coverage }, reading, checked).text;
};

describe('an answer of a model', () => {
  it('has no commas that stood between its marks, and those of its sentences', () => {
    assert.equal(shown('The zip is kept [1:1], [1:2], [1:3].'), 'The zip is kept [1][2][3].');
    assert.equal(shown('The zip is kept [1:1], [1:2], always [1:2]; [1:3].'), 'The zip is kept [1][2], always [2][3].');
    assert.equal(shown('The zip is kept [1:1][1:2], always.'), 'The zip is kept [1][2], always.');
  });
  it('has its short form before it where it does not begin with it', () => {
    const short = '\nShort: yes, the zip is kept';
    assert.equal(shown(`**Yes, it stays** [1:1].${short}`), '**Yes, it stays** [1].');
    assert.equal(shown(`The zip is kept [1:1].${short}`), 'The zip is kept [1].');
    assert.equal(shown(`It is so [1:2].${short}`), '**yes, the zip is kept** [1]\n\nIt is so [1].');
  });
});
