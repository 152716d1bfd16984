import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { IndexStore } from '../../../../src/search/store/index-store.ts';
import { temporaryStore } from '../../../doubles/temporary-store.ts';
import { absentNames } from '../../../../src/search/retrieval/absent-names.ts';
import { questionNameKeys, textQuery } from '../../../../src/search/retrieval/name-keys.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const NOTES = [
  notePassage('zh-battery', '北极星项目', '北极星项目由贝塔公司供应电池，第一批在三月交付。'),
  notePassage('zh-company', '贝塔公司', '贝塔公司的负责人是王小明，总部设在苏州。'),
  notePassage('zh-canteen', '食堂', '食堂每周一供应汤，费用由行政部承担。'),
  notePassage('ja-leader', 'ポラリス', 'ポラリスの責任者は田中さんです。電池は蘇州から届きます。'),
  notePassage('ja-canteen', '食堂のメニュー', '月曜日はスープが出ます。'),
  notePassage('de-battery', 'Projekt Polaris', 'Die Akkus für das Projekt Polaris liefert die Firma Müller & Söhne.'),
  notePassage('de-canteen', 'Kantine', 'Die Kantine bietet montags für alle eine Suppe an.'),
  notePassage('fr-battery', 'Projet Polaris', 'L’entreprise Dubois livre l’électronique du projet.'),
  notePassage(
    'written',
    'Ko\u0308penick',
    'Der Kra\u0308mer: o\ufb03cer, light\u00adhouse, bo\u200bat, ｔｉｎｋｅｒ, sedi-\n ment, 학점인정'.normalize('NFD'),
  ),
];

describe('notes in several languages in a real index', function () {
  this.timeout(60_000);
  let store: IndexStore;

  before(async () => {
    store = await temporaryStore(4);
    await store.passages.append(NOTES);
  });
  after(() => store.close());

  const found = async (question: string): Promise<string[]> =>
    (await store.index.textSearch(textQuery(question), { limit: 8 })).map((hit) => hit.passage.id);

  it('are found by the words of a question in their language', async () => {
    for (const [question, best] of [
      ['北极星的电池是哪家公司供应的？', 'zh-battery'],
      ['贝塔公司的负责人是谁?', 'zh-company'],
      ['ポラリスの責任者は誰ですか?', 'ja-leader'],
      ['Wer liefert die Akkus für Polaris?', 'de-battery'],
      ['Welche Firma heißt Muller?', 'de-battery'],
      ...['Köpenick?', 'Krämer?', 'officer?', 'lighthouse?', 'boat?', 'tinker?', '학점인정?', 'sediment?'].map(
        (q) => [q, 'written'] as const,
      ),
      ['Quelle entreprise livre l’électronique ?', 'fr-battery'],
    ] as const)
      assert.equal((await found(question))[0], best, question);
  });

  it('are not found for words that every question has', async () => {
    assert.deepEqual(await found('为什么是这个?'), []);
    assert.equal((await found('Für wen ist die Suppe?')).includes('de-battery'), false);
  });

  it('are found by titles within a question, where no space sets them apart', async () => {
    const hits = await store.index.findByName(questionNameKeys('贝塔公司的负责人是谁?'), { limit: 3 });
    assert.deepEqual(
      hits.map((hit) => hit.passage.id),
      ['zh-company'],
    );
  });

  it('hold the words of questions about them', async () => {
    for (const question of [
      '北极星的电池是哪家公司供应的？',
      'ポラリスの責任者は誰ですか?',
      'Wer liefert die Akkus für Polaris?',
      'Quelle entreprise livre l’électronique ?',
    ])
      assert.deepEqual(await absentNames(store.index, question, undefined), [], question);
  });
});
