import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isStopWord } from '../../../../src/search/text/stop-words.ts';
import { contentWords, languageOf } from '../../../../src/search/text/words.ts';

const content = (text: string): string[] => contentWords(text).map((word) => word.text);

describe('the language of a question', () => {
  it('is told by its stop words, or by the word it opens with', () => {
    for (const [language, text] of [
      ['de', 'Was hat sie am Montag in Berlin gesagt?'],
      ['de', 'Wer leitet Polaris?'],
      ['fr', 'Où se trouve le siège de la société ?'],
      ['fr', 'Qui dirige Polaris ?'],
      ['es', '¿A qué hora no me he ido de la casa?'],
      ['es', '¿Dónde vive Mara?'],
      ['es', '¿Qué dice «Names of things» sobre «Firnline at a glance»?'],
      ['zh', '北极星项目的负责人是谁?'],
      ['ja', '北極星の責任者は誰ですか?'],
    ] as const)
      assert.equal(languageOf(text), language, text);
  });

  it('is English in doubt, and where foreign names stand in English', () => {
    for (const text of [
      'Who is the count of Castillo de la Mota de los Olmos?',
      'Who is Le Corbusier de la Tour?',
      'Did the man die in the war?',
      'Die Hard budget',
      'Lake Como ferries',
      'comment handling in the parser',
      'Where does Der Spiegel print?',
      'relay timeout',
      '',
    ])
      assert.equal(languageOf(text), 'en', text);
  });

  it('is told by its letters where no stop word stands', () => {
    assert.equal(languageOf('Какое реле отказало?'), 'other');
    assert.equal(languageOf('三月故障'), 'zh');
    assert.equal(languageOf('Who makes the 电池?'), 'en');
  });
});

describe('stop words', () => {
  it('are those of the language, without accents', () => {
    assert.deepEqual(content('Für wen ist die Brücke über den Fluss gebaut worden?'), [
      'brucke',
      'fluss',
      'gebaut',
      'worden',
    ]);
    assert.deepEqual(content('Où est né le père de l’inventeur ?'), ['pere', 'inventeur']);
    assert.deepEqual(content('¿Cuándo fue construido el puente según el informe?'), [
      'construido',
      'puente',
      'informe',
    ]);
    assert.deepEqual(content('北极星项目的负责人是谁?'), ['北极', '星', '项目', '负责', '人']);
    assert.deepEqual(content('プロジェクトの責任者は誰ですか?'), ['プロジェクト', '責任', '者']);
  });

  it('are those of English in English, whatever they mean elsewhere', () => {
    assert.deepEqual(content('the die that Hatten cast'), ['die', 'hatten', 'cast']);
    assert.equal(isStopWord('die'), false);
    assert.equal(isStopWord('die', 'de'), true);
  });
});
