import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Reading } from '../../../../../src/search/retrieval/retriever.ts';
import type { IndexedPassage } from '../../../../../src/search/store/passage-index.ts';
import { profilePassage } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion, questionTerms } from '../../../../../src/search/retrieval/question.ts';
import { chooseOption } from '../../../../../src/search/retrieval/reader/choose-option.ts';
import { expectedAnswer } from '../../../../../src/search/retrieval/expected-answer.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const note = (title: string, text: string): IndexedPassage => notePassage(title, title, text, { path: `${title}.md` });

const NOTES = [
  note('Grey Mill', 'Grey Mill is a mill on the Tarn. It was opened in 1958.'),
  note('Long Weir: The Upper Gate', 'Long Weir: The Upper Gate was opened in 1986 by Ruth Ockley.'),
  note('Night Ferry', 'Night Ferry is a film that Ida Brandt directed in 1990.'),
  note('Salt Road', 'Salt Road is a film that Jon Vester directed in 1931.'),
  note('Ida Brandt', 'Ida Brandt (3 May 1940 – 2 June 1999) was a director.'),
  note('Jon Vester', 'Jon Vester (born 1901; died 12 March 2004) was a director.'),
];

function choose(question: string, notes = NOTES): Reading['byYears'] {
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
      year: 1958,
      other: 'Long Weir',
      otherYear: 1986,
      passageIds: ['Long Weir', 'Grey Mill'],
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
      year: 1901,
      other: 'Night Ferry',
      otherYear: 1940,
      passageIds: ['Night Ferry', 'Ida Brandt', 'Salt Road', 'Jon Vester'],
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

  it('keeps the years of two that name each other apart', () => {
    const notes = [
      note('Harbour Mill', 'Harbour Mill opened in 1921. It is larger than Tarn Lodge.'),
      note('Tarn Lodge', 'Tarn Lodge opened in 1950. It was modelled on Harbour Mill.'),
    ];
    assert.deepEqual(choose('Which opened earlier, Harbour Mill or Tarn Lodge?', notes), {
      chosen: 'Harbour Mill',
      year: 1921,
      other: 'Tarn Lodge',
      otherYear: 1950,
      passageIds: ['Harbour Mill', 'Tarn Lodge'],
    });
    assert.equal(choose('Which opened later, Harbour Mill or Tarn Lodge?', notes)?.chosen, 'Tarn Lodge');
  });

  it('goes by years only where the question asks which came first or last', () => {
    const people = [note('Mara Lind', 'Mara Lind came in 2019.'), note('Joren Vask', 'Joren Vask came in 2021.')];
    assert.equal(choose('Should I call Mara Lind or Joren Vask before I merge?', people), undefined);
    assert.equal(choose('Do I call Mara Lind or Joren Vask first?', people), undefined);
    assert.equal(choose('Which hut is named after a keeper, Mara Lind or Joren Vask?', people), undefined);
    assert.equal(choose('Who came first, Mara Lind or Joren Vask?', people)?.chosen, 'Mara Lind');
    assert.equal(choose('Did Mara Lind or Joren Vask come first?', people)?.chosen, 'Mara Lind');
    assert.equal(choose('Who came before the other, Mara Lind or Joren Vask?', people)?.chosen, 'Mara Lind');
  });

  it('takes no amount for a year', () => {
    const years = (one: string, two: string): Reading['byYears'] =>
      choose('Which do I start first, Redis Cache or Session Store?', [
        note('Redis Cache', one),
        note('Session Store', two),
      ]);
    const opened = 'It came in 1999.';
    for (const amount of [
      'It holds 1024 entries.',
      'It listens on port 2048.',
      'It is 1500 m away.',
      'It (2000 px) is wide.',
    ])
      assert.equal(years(amount, opened), undefined, amount);
    assert.equal(years('It holds 1024 entries since 1998.', opened)?.year, 1998);
    for (const year of [
      'The 1998 games chose it.',
      'In 1998 engineers built it.',
      'It is a 1998 cache.',
      '1998 was cold.',
    ])
      assert.equal(years(year, opened)?.year, 1998, year);
  });
});
