import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IndexedPassage } from '../../../../../src/search/store/passage-index.ts';
import { profilePassage } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion, questionTerms } from '../../../../../src/search/retrieval/features/question-profile.ts';
import { chooseOption, type Choice } from '../../../../../src/search/retrieval/reader/choose-option.ts';
import { expectedAnswer } from '../../../../../src/search/retrieval/expected-answer.ts';

const note = (title: string, text: string): IndexedPassage => ({
  id: title,
  uri: `file:///w/${title}.md`,
  path: `${title}.md`,
  startLine: 1,
  endLine: 1,
  kind: 'section',
  language: 'markdown',
  title,
  text,
  contentHash: title,
  links: [],
});

const NOTES = [
  note('Grey Mill', 'Grey Mill is a mill on the Tarn. It was opened in 1958.'),
  note('Long Weir: The Upper Gate', 'Long Weir: The Upper Gate was opened in 1986 by Ruth Ockley.'),
  note('Night Ferry', 'Night Ferry is a film that Ida Brandt directed in 1990.'),
  note('Salt Road', 'Salt Road is a film that Jon Vester directed in 1931.'),
  note('Ida Brandt', 'Ida Brandt (3 May 1940 – 2 June 1999) was a director.'),
  note('Jon Vester', 'Jon Vester (born 1901; died 12 March 2004) was a director.'),
];

function choose(question: string, notes = NOTES): Choice | undefined {
  const profile = profileQuestion(
    question,
    undefined,
    questionTerms(question).map(() => 1),
    100,
  );
  return chooseOption(
    profile,
    expectedAnswer(profile),
    notes.map((each) => profilePassage(each)),
  );
}

describe('choosing one of two', () => {
  it('goes by the years of the passages about them', () => {
    const notes = [
      note('Grey Mill', 'Grey Mill was opened in 1958.'),
      note('Long Weir', 'Long Weir was opened in 1986.'),
    ];
    assert.deepEqual(choose('Which was opened earlier, Long Weir or Grey Mill?', notes), {
      chosen: 'Grey Mill',
      other: 'Long Weir',
      years: { chosen: 1958, other: 1986, passageIds: ['Long Weir', 'Grey Mill'] },
    });
  });

  it('knows a title with a colon in it', () => {
    assert.equal(
      choose('Which was opened later, Grey Mill or Long Weir: The Upper Gate?')?.chosen,
      'Long Weir: The Upper Gate',
    );
    assert.equal(choose('Which was opened earlier, Long Weir: The Upper Gate or Grey Mill?')?.chosen, 'Grey Mill');
  });

  it('follows a film to its director, and tells birth from death', () => {
    assert.deepEqual(choose('Which film has the director who was born earlier, Night Ferry or Salt Road?'), {
      chosen: 'Salt Road',
      other: 'Night Ferry',
      years: { chosen: 1901, other: 1940, passageIds: ['Night Ferry', 'Ida Brandt', 'Salt Road', 'Jon Vester'] },
    });
    assert.equal(
      choose('Which film has the director who died earlier, Night Ferry or Salt Road?')?.chosen,
      'Night Ferry',
    );
  });

  it('says nothing when a year is missing, or when time was not asked for', () => {
    const undated = [...NOTES.slice(1), note('Grey Mill', 'Grey Mill is a mill on the Tarn.')];
    assert.equal(choose('Which was opened earlier, Grey Mill or Long Weir: The Upper Gate?', undated), undefined);
    assert.equal(choose('Which is larger, Grey Mill or Long Weir: The Upper Gate?'), undefined);
  });
});
