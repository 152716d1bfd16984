import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PassageProfiles } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../../src/search/retrieval/question.ts';
import { readReaderWeights } from '../../../../../src/search/retrieval/reader/read-passages.ts';
import {
  type EncodedUnit,
  type ReadSentence,
  sentencesOf,
} from '../../../../../src/search/retrieval/reader/read-units.ts';
import { answerFeatures, unitFeatures } from '../../../../../src/search/retrieval/reader/unit-features.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const question = profileQuestion('How long does a turn at the hut last?', undefined, [], 10);
const profiles = new PassageProfiles();
const passages = [
  notePassage('rota', 'Rota', 'A turn at the hut lasts three weeks. Whoever has the turn keeps the log:'),
  notePassage('log', 'Log', 'The log is a book.'),
].map((passage) => profiles.of({ ...passage, vector: undefined }));
const units = sentencesOf(passages);
const column = (name: string, of: readonly ReadSentence[] = units): number[] => [
  ...unitFeatures(question, of).column(name),
];

const saidOf = (span: number): EncodedUnit => ({ span, supported: -1, support: 2, enough: 1, leadsOn: 1 });

describe('features of units', () => {
  it('say which forms a unit holds, and what stands beside it', () => {
    assert.deepEqual(column('announces'), [0, 1, 0]);
    const covered = column('covered');
    assert.deepEqual(column('coveredAfter'), [covered[1], 0, 0], 'of its own passage alone');
    assert.deepEqual(column('coveredBefore'), [0, covered[0], 0]);
  });

  it('have what the joint encoder said where it read some, and nothing of it where it read none', () => {
    assert.ok(!unitFeatures(question, units).names().includes('span'));
    const read = units.map((unit, i) => ({ ...unit, ...(i < 2 && { encoded: saidOf(4 - i) }) }));
    assert.deepEqual(column('span', read), [4, 3, -25]);
    assert.deepEqual(column('read', read), [1, 1, 0]);
    assert.deepEqual(column('span.gap', read), [1, -1, -29]);
    assert.deepEqual(column('support', read), [2, 2, -12]);
    assert.deepEqual(column('enough', read), [1, 1, -12]);
  });

  it('are those that the models that ship look at', () => {
    const weights = readReaderWeights('models/reader.json');
    const read = units.map((unit) => ({ ...unit, encoded: saidOf(1) }));
    const plain = new Set(unitFeatures(question, units).names());
    const encoded = unitFeatures(question, read);
    assert.ok(weights.unit.features.every((name) => plain.has(name)));
    assert.ok(weights.encodedUnit.features.every((name) => encoded.names().includes(name)));
    const found = answerFeatures(question, passages, { table: encoded, logits: [1, 0, -1] });
    assert.deepEqual([found['best'], found['second'], found['sixth'], found['lead']], [1, 0, -1, 1]);
    assert.equal(found['most.span'], 1);
    const unread = answerFeatures(question, passages, { table: unitFeatures(question, units), logits: [1, 0, -1] });
    assert.ok(weights.found.features.every((name) => name in unread && name in found));
  });

  it('tell front matter apart', () => {
    const text = '---\nreviewed: 2024-07-29\n---\nThe rota changes on Mondays.';
    const units = ['reviewed: 2024-07-29', 'The rota changes on Mondays.'].map((said) => {
      const start = text.indexOf(said);
      return { start, end: start + said.length, kind: 'sentence' as const };
    });
    const page = profiles.of({ ...notePassage('page', 'Rota', text), startLine: 1, units, vector: undefined });
    const read = sentencesOf([page]);
    const front = [...unitFeatures(question, read).column('frontMatter')];
    assert.deepEqual([front[0], front.at(-1)], [1, 0]);
  });
});
