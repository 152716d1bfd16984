import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { namesPassage } from '../../../../../src/search/retrieval/features/candidate-features.ts';
import { profileChain, queryTextFor } from '../../../../../src/search/retrieval/features/chain-profile.ts';
import { profilePassage } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion, readQuestion } from '../../../../../src/search/retrieval/question.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const profiled = (text: string) => {
  const frequencies = readQuestion(text).words.map(() => 1);
  return profileQuestion(text, undefined, frequencies, 20);
};
const stillAsked = (question: string, title: string, text: string): string => {
  const asked = profiled(question);
  const query = queryTextFor(asked, profileChain(asked, [profilePassage(notePassage('p', title, text))]));
  return query;
};

describe('what a chain leaves open of a question', () => {
  it('is said in the words of the question, without those that are covered', () => {
    assert.equal(
      stillAsked(
        'Wer leitet die Firma, die Akkus für Polaris liefert?',
        'Polaris',
        'Die Akkus für Polaris liefert Beta.',
      ),
      'Wer leitet die Firma Beta',
    );
  });

  it('has no blanks where the script has none', () => {
    assert.equal(
      stillAsked('供应电池的公司的负责人住在哪里?', '电池', '供应电池的是贝塔。').split(' ')[0],
      '公司的负责人住在哪里',
    );
  });
});

describe('names without capitals or spaces', () => {
  it('are told by the titles of other notes', () => {
    const project = profilePassage(notePassage('a', '北极星', '北极星由贝塔公司供应电池。'));
    const company = profilePassage(notePassage('b', '贝塔公司', '总部设在苏州。'));
    const canteen = profilePassage(notePassage('c', '食堂', '每周一供应汤。'));
    assert.equal(namesPassage(project, company), true);
    assert.equal(namesPassage(project, canteen), false);
  });

  it('are read in quotation marks and in katakana', () => {
    const names = [
      ...profilePassage(notePassage('a', '', '《合同条款》と「北極星」はガブリエル・ロペスが書いた。')).names.values(),
    ];
    assert.deepEqual(
      names.map(({ name }) => name.text),
      ['合同条款', '北極星', 'ガブリエル・ロペス'],
    );
  });
});
