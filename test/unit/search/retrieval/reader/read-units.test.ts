import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Unit } from '../../../../../src/search/domain/unit.ts';
import { PassageProfiles } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { sentencesOf } from '../../../../../src/search/retrieval/reader/read-units.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

function readIn(title: string, text: string): [said: string, above: string | undefined][] {
  const profile = new PassageProfiles().of({ ...notePassage('p', title, text), vector: undefined });
  return sentencesOf([profile]).map((unit) => [unit.text, unit.context?.text]);
}

describe('a unit below a heading that tells its release or day', () => {
  it('has it above itself, from either kind of heading, or from the title where the passage lacks its own', () => {
    const text =
      'Bells ring once.\n\n0.14.0 / 2014-12-15\n===================\n\nThe bell is gone.\n\n## 1.2 – May\n\nNo lamp.\n\n## Huts\n\nAll.';
    assert.deepEqual(
      readIn('History > 2.1.0 / 2017-03-07', text).filter(([said]) => said.endsWith('.')),
      [
        ['Bells ring once.', '2.1.0 / 2017-03-07'],
        ['The bell is gone.', '0.14.0 / 2014-12-15'],
        ['No lamp.', '1.2 – May'],
        ['All.', undefined],
      ],
    );
  });

  it('takes no front matter for a heading', () => {
    const [said, above] = readIn('Bells', '---\ntitle: Bells\ndate: 2024-05-04\n---\n\nBells ring once.').at(-1) ?? [];
    assert.deepEqual([said, above], ['Bells ring once.', undefined]);
  });

  it('takes no comment of settings for a heading', () => {
    const settings = notePassage('p', 'Bells', '# Since 2024\nrings: 3', { kind: 'data', language: 'yaml' });
    const read = sentencesOf([new PassageProfiles().of({ ...settings, vector: undefined })]);
    assert.ok(read.every(({ context }) => context === undefined));
  });

  it('keeps what stands above it already, and is left alone where it says the year itself', () => {
    const text = 'We met:\n- at the hut,\n- on 4 May 2024.';
    const itemOf = (words: string): Unit => {
      const start = text.indexOf(words);
      return { start, end: start + words.length, kind: 'item', context: { text: 'We met:', start: 0, end: 7 } };
    };
    const passage = { ...notePassage('p', 'Minutes > Winter 2024', text), vector: undefined };
    const units = ['at the hut,', 'on 4 May 2024.'].map(itemOf);
    const read = sentencesOf([new PassageProfiles().of({ ...passage, units })]);
    assert.deepEqual(
      read.map(({ context }) => context),
      [
        { text: 'Winter 2024 › We met:', start: 0, end: 7 },
        { text: 'We met:', start: 0, end: 7 },
      ],
    );
    assert.deepEqual(readIn('Minutes > Winter', 'We met.'), [['We met.', undefined]]);
  });
});
