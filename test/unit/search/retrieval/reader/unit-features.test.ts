import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PassageProfiles } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../../src/search/retrieval/question.ts';
import { foundFeatures } from '../../../../../src/search/retrieval/reader/reader-features.ts';
import { readReaderWeights } from '../../../../../src/search/retrieval/reader/read-passages.ts';
import {
  type EncodedUnit,
  type ReadSentence,
  sentencesOf,
} from '../../../../../src/search/retrieval/reader/read-units.ts';
import { unitFeatures } from '../../../../../src/search/retrieval/reader/unit-features.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const question = profileQuestion('How long does a turn at the hut last?', undefined, [], 10);
const profiles = new PassageProfiles();
const passages = [
  notePassage('rota', 'Rota', 'A turn at the hut lasts three weeks. Whoever has the turn keeps the log:'),
  notePassage('log', 'Log', 'The log is a book.'),
].map((passage) => profiles.of({ ...passage, vector: undefined }));
const units = sentencesOf(passages);
const column = (name: string, of: readonly ReadSentence[] = units): number[] => [
  ...unitFeatures(question, of, 1).column(name),
];

const saidOf = (span: number): EncodedUnit => ({ span, supported: -1, support: 2, enough: 1, leadsOn: 1 });

describe('features of units', () => {
  it('say whether a unit holds what is asked for, and what stands beside it', () => {
    assert.deepEqual(column('holdsKind'), [1, 0, 0]);
    assert.deepEqual(column('asks.duration'), [1, 1, 1]);
    assert.deepEqual(column('announces'), [0, 1, 0]);
    const covered = column('covered');
    assert.deepEqual(column('coveredAfter'), [covered[1], 0, 0], 'of its own passage alone');
    assert.deepEqual(column('coveredBefore'), [0, covered[0], 0]);
  });

  it('say how well a span of time fits, in figures or words, where one is counted', () => {
    const fits = (asked: string, text: string): number[] => {
      const passage = profiles.of({ ...notePassage(text, 'Rota', text), vector: undefined });
      return [...unitFeatures(profileQuestion(asked, undefined, [], 10), sentencesOf([passage]), 1).column('fits')];
    };
    assert.deepEqual(fits('How many days does a turn last?', 'A turn lasts fourteen days.'), [1]);
    assert.deepEqual(fits('How many days does a turn last?', 'A turn has 3 keepers.'), [0.6]);
    assert.deepEqual(fits('How many holidays are there?', 'There are 7 of them.'), [1], 'holidays are no days');
  });

  it('have what the joint encoder said where it read some, and nothing of it where it read none', () => {
    assert.ok(!unitFeatures(question, units, 1).names().includes('span'));
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
    const plain = new Set(unitFeatures(question, units, 1).names());
    const encoded = unitFeatures(question, read, 1);
    assert.ok(weights.unit?.features.every((name) => plain.has(name)));
    assert.ok(weights.encodedUnit?.features.every((name) => encoded.names().includes(name)));
    const found = foundFeatures({}, 0.5, { table: encoded, logits: [1, 0, -1] });
    assert.deepEqual([found['best'], found['second'], found['sixth'], found['lead']], [1, 0, -1, 1]);
    assert.equal(found['best.holdsKind'], 1);
    assert.equal(found['most.span'], 1);
    const unread = foundFeatures({}, 0.5, { table: unitFeatures(question, units, 1), logits: [1, 0, -1] });
    const own = weights.unreadFound?.features.filter((name) => !(name in unread)) ?? ['no model'];
    assert.ok(
      own.every((name) => weights.answerable.features.includes(name)),
      own.join(),
    );
  });
});
