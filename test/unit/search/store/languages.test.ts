import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { IndexStore } from '../../../../src/search/store/index-store.ts';
import { temporaryStore } from '../../../doubles/temporary-store.ts';
import { absentNames, absentWords } from '../../../../src/search/retrieval/absent-names.ts';
import { questionNameKeys } from '../../../../src/search/retrieval/name-keys.ts';
import { readQuestion } from '../../../../src/search/retrieval/question.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const NOTES = [
  notePassage('zh-battery', '北极星项目', '北极星项目由贝塔公司供应电池，第一批在三月交付。'),
  notePassage('zh-company', '贝塔公司', '贝塔公司的负责人是王小明，总部设在苏州。'),
  notePassage('zh-canteen', '食堂', '食堂每周一供应汤，费用由行政部承担。'),
  notePassage('ja-leader', 'ポラリス', 'ポラリスの責任者は田中さんです。電池は蘇州から届きます。'),
  notePassage('ja-canteen', '食堂のメニュー', '月曜日はスープが出ます。'),
  notePassage('de-battery', 'Projekt Polaris', 'Die Akkus für das Projekt Polaris liefert die Firma Müller & Söhne.'),
  notePassage('de-canteen', 'Kantine', 'Die Kantine bietet montags für alle eine Suppe an.'),
  notePassage('ko-battery', '계획', '북극성의 배터리는 서울에서 만든다.'),
  notePassage('ko-canteen', '식당', '식당은 월요일에 수프를 판다.'),
  notePassage('th-battery', 'โครงการ', 'แบตเตอรี่ของดาวเหนือผลิตที่เชียงใหม่'),
  notePassage('th-canteen', 'โรงอาหาร', 'โรงอาหารมีซุปทุกวันจันทร์'),
  notePassage('hi-battery', 'योजना', 'बैटरी की आपूर्ति बीटा कंपनी करती है।'),
  notePassage('ru-battery', 'Проект', 'Аккумуляторы поставляет фирма Бета из Йошкар-Олы.'),
  notePassage('de-toll', 'Brücke', 'Die Brückenzölle prüft Frau Öz für die Häfen.'),
  notePassage('fr-battery', 'Projet Polaris', 'L’entreprise Dubois livre l’électronique du projet.'),
  notePassage(
    'written',
    'Ko\u0308penick',
    'Der Kra\u0308mer: o\ufb03cer, light\u00adhouse, bo\u200bat, ｔｉｎｋｅｒ, sedi-\n ment, 학점인정'.normalize('NFD'),
  ),
];

const QUESTIONS = [
  ['北极星的电池是哪家公司供应的？', 'zh-battery'],
  ['贝塔公司的负责人是谁?', 'zh-company'],
  ['ポラリスの責任者は誰ですか?', 'ja-leader'],
  ['Wer liefert die Akkus für Polaris?', 'de-battery'],
  ['Welche Firma heißt Muller?', 'de-battery'],
  ['Quelle entreprise livre l’électronique ?', 'fr-battery'],
  ['배터리를 어디에서 만드나요?', 'ko-battery'],
  ['แบตเตอรี่ผลิตที่ไหน', 'th-battery'],
  ['बैटरी कौन देता है?', 'hi-battery'],
  ['Кто поставщик аккумулятора?', 'ru-battery'],
  ['Wer prüft den Zoll?', 'de-toll'],
  ...['Köpenick?', 'Krämer?', 'officer?', 'lighthouse?', 'boat?', 'tinker?', '학점인정?', 'sediment?'].map(
    (asked) => [asked, 'written'] as const,
  ),
] as const;

describe('notes in several languages in a real index', function () {
  this.timeout(60_000);
  let store: IndexStore;

  before(async () => {
    store = await temporaryStore(4);
    await store.passages.append(NOTES);
  });
  after(() => store.close());

  const found = async (question: string): Promise<string[]> => {
    const { fullText: words, parts } = readQuestion(question);
    return (await store.index.rank({ words, parts }, { limit: 8 })).map((hit) => hit.passage.id);
  };

  it('are found by the words of a question in their language', async () => {
    for (const [question, best] of QUESTIONS) assert.equal((await found(question))[0], best, question);
  });

  it('are not found for words that every question has', async () => {
    assert.deepEqual(await found('为什么是这个?'), []);
    assert.equal((await found('Für wen ist die Suppe?'))[0], 'de-canteen');
  });

  it('are found by titles within a question, where no space sets them apart', async () => {
    const hits = await store.index.findByName(questionNameKeys('贝塔公司的负责人是谁?'), { limit: 3 });
    assert.deepEqual(
      hits.map((hit) => hit.passage.id),
      ['zh-company'],
    );
  });

  it('hold the words of questions about them', async () => {
    for (const [question] of QUESTIONS)
      assert.deepEqual(await absentNames(store.index, question, undefined), [], question);
    assert.deepEqual(await absentWords(store.index, '배터리를 위한 커피', undefined), ['위한', '커피']);
  });
});
