import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IndexedPassage } from '../../../../../src/search/store/passage-index.ts';
import type { PassageLink } from '../../../../../src/search/domain/passage.ts';
import { profileChain } from '../../../../../src/search/retrieval/features/chain-profile.ts';
import { nextHopTable } from '../../../../../src/search/retrieval/features/extension-features.ts';
import { linkedFrom, namesPassage } from '../../../../../src/search/retrieval/features/candidate-features.ts';
import {
  PassageProfiles,
  profilePassage,
  titleForms,
} from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion, readQuestion } from '../../../../../src/search/retrieval/question.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const note = (path: string, title: string, text: string, links: PassageLink[] = []): IndexedPassage =>
  notePassage(path, title, text, { path, links });

const wikilink = (target: string, line: number): PassageLink => ({
  kind: 'wikilink',
  target,
  line,
  path: `${target}.md`,
});

const OUTAGE = note(
  'log/outage.md',
  'Outage',
  '# Outage\n\nThe pump froze at night.\nSee [[parts/p-40]] for what broke.\n\n- later: [[plans/shed]]',
  [wikilink('parts/p-40', 4), wikilink('plans/shed', 6)],
);
const PART = note('parts/p-40.md', 'Winter pump', 'Made by Orla Works.');
const SHED = note('plans/shed.md', 'The shed', 'A roof over it.');
const OTHER = note('plans/road.md', 'A new road', 'Gravel, then tar.');

describe('profiles of passages that are kept', () => {
  it('are made anew where links lead elsewhere, and kept where only a vector came', () => {
    const profiles = new PassageProfiles();
    const open: PassageLink = { kind: 'markdown', target: '../parts/winter.md', line: 1 };
    const log = note('log/frost.md', 'Frost', 'It [broke][1].', [open]);
    const part = profiles.of(note('parts/winter.md', 'Pump', 'Made by Orla Works.'));
    assert.equal(namesPassage(profiles.of(log), part), false);
    const found = { ...log, links: [{ ...open, path: 'parts/winter.md' }] };
    const led = profiles.of(found);
    assert.equal(namesPassage(led, part), true, 'the file that it names has come');
    const embedded = { ...found, links: [...found.links], vector: new Float32Array(2) };
    assert.equal(profiles.of(embedded), led);
    assert.equal(led.passage, embedded);
  });
});

describe('namesPassage', () => {
  it('takes a link for a name, whatever words stand on it', () => {
    const [outage, part, other] = [OUTAGE, PART, OTHER].map(profilePassage) as [
      ReturnType<typeof profilePassage>,
      ReturnType<typeof profilePassage>,
      ReturnType<typeof profilePassage>,
    ];
    assert.equal(namesPassage(outage, part), true);
    assert.equal(namesPassage(part, outage), false);
    assert.equal(namesPassage(outage, other), false);
  });

  it('knows the sentence in which a link stands', () => {
    const outage = profilePassage(OUTAGE);
    const textAt = (at: number | undefined): string =>
      OUTAGE.text.slice(outage.sentences[at ?? -1]?.start, outage.sentences[at ?? -1]?.end);
    assert.equal(textAt(linkedFrom(outage, profilePassage(PART))), 'See [[parts/p-40]] for what broke.');
    assert.equal(textAt(linkedFrom(outage, profilePassage(SHED))), '- later: [[plans/shed]]');
    assert.equal(linkedFrom(outage, profilePassage(OTHER)), undefined);
  });
});

describe('nextHopTable', () => {
  const asked = 'Who made what froze at night?';
  const question = profileQuestion(
    asked,
    undefined,
    readQuestion(asked).words.map(() => 1),
    100,
  );
  const featuresOf = (chain: IndexedPassage[], candidates: IndexedPassage[], names: string[]): number[][] => {
    const table = nextHopTable(
      question,
      profileChain(question, chain.map(profilePassage)),
      undefined,
      candidates.map(profilePassage),
    );
    return table.rows(names).map((row) => [...row]);
  };

  it('gives a linked note the features of a named title, with the words before the link as its support', () => {
    const [part, shed, other] = featuresOf([OUTAGE], [PART, SHED, OTHER], ['titleNamedInChain', 'bridgeTitleSupport']);
    assert.equal(part?.[0], 1);
    assert.equal(other?.[0], 0);
    assert.ok(
      (part?.[1] ?? 0) > (shed?.[1] ?? 0),
      'what broke is spoken of beside the link to the pump, not beside the one to the shed',
    );
    assert.equal(other?.[1], 0);
  });

  it('counts a link back to the chain as naming the chain', () => {
    const [outage, other] = featuresOf([PART], [OUTAGE, OTHER], ['namesChainTitle', 'namesLastTitle', 'namesNewTitle']);
    assert.deepEqual(outage, [1, 1, 1]);
    assert.deepEqual(other, [0, 0, 0]);
  });
});

describe('titleForms', () => {
  it('knows a note by its document and its file, with and without date or number', () => {
    assert.deepEqual(titleForms({ title: 'The silent weekend > Cause', path: 'log/2024-02-17-silence.md' }, false), [
      'silent weekend',
      '2024 02 17 silence',
      'silence',
    ]);
    assert.deepEqual(titleForms({ title: '0003 Heated boxes > Warm walls', path: '0003-heated-boxes.md' }, false), [
      '0003 heated boxes',
      'heated boxes',
      'warm walls',
    ]);
  });

  it('leaves numbers that belong to a title alone', () => {
    assert.deepEqual(titleForms({ title: '2001 A Space Odyssey', path: '2001 A Space Odyssey.md' }, false), [
      '2001 a space odyssey',
    ]);
  });

  it('knows code by its symbol first', () => {
    assert.deepEqual(titleForms({ title: 'Store > merge', path: 'src/table-store.ts' }, true), [
      'merge',
      'store',
      'table store',
    ]);
  });
});
