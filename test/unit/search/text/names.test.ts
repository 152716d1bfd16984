import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nameForm, readNames } from '../../../../src/search/text/names.ts';

const names = (text: string): string[] =>
  readNames(text)
    .filter((name) => name.kind !== 'number')
    .map((name) => name.text);

describe('readNames', () => {
  it('reads capitalised phrases with their joiners and drops what only starts a sentence', () => {
    assert.deepEqual(names('Who was the first president of the Journal of Psychotherapy Integration?'), [
      'Journal of Psychotherapy Integration',
    ]);
    assert.deepEqual(names('The Duke of Brabant met Jean-Luc Picard in Le Havre.'), [
      'Duke of Brabant',
      'Jean-Luc Picard in Le Havre',
      'Jean-Luc Picard',
      'Le Havre',
    ]);
  });

  it('drops what only starts a sentence in other languages too', () => {
    assert.deepEqual(names('Wer leitet Polaris? Die Firma Müller sitzt in Jena.'), ['Polaris', 'Firma Müller', 'Jena']);
    assert.deepEqual(names('Qui dirige la société ? Les Ateliers Dubois.'), ['Ateliers Dubois']);
    assert.deepEqual(names('Die Hard is what the crew of the Heron watched.'), ['Die Hard', 'Heron']);
  });

  it('reads names of people in Chinese and Japanese, and of Spanish ones their accents', () => {
    for (const [text, ...expected] of [
      ['谁是王小明？', '王小明'],
      ['李雷和韩梅梅在哪里工作？', '李雷', '韩梅梅'],
      ['张伟签了合同吗？', '张伟'],
      ['田中さんは誰ですか', '田中'],
      ['契約は山田太郎氏が結んだ。', '山田太郎'],
      ['渡辺様の電池', '渡辺'],
      ['一张照片在哪里？'],
      ['王国在哪里？'],
      ['程序由谁写？'],
      ['周末谁值班？'],
      ['田んぼに水がある'],
      ['¿Quién es Íñigo Muñoz? ¿Dónde trabaja la Dra. Ruiz?', 'Íñigo Muñoz', 'Dra. Ruiz'],
    ] as const)
      assert.deepEqual(names(text), expected, text);
  });

  it('reads quotations, in other languages too, identifiers and paths', () => {
    assert.deepEqual(names('Sie lesen „das Logbuch“ und «le journal».'), ['das Logbuch', 'Logbuch', 'le journal']);
    assert.deepEqual(names('见《合同条款》和「附件」。'), ['合同条款', '附件']);
    assert.deepEqual(names('see "free guy" and get_environ_proxies in src/requests/utils.py'), [
      'free guy',
      'get_environ_proxies',
      'src/requests/utils.py',
    ]);
  });

  it('places every name exactly', () => {
    const text = 'After Forbidden Ground, Pál Gábor directed Angi Vera in 1978.';
    const names = readNames(text);
    assert.ok(names.length >= 3, JSON.stringify(names));
    for (const name of names) assert.equal(text.slice(name.start, name.end), name.text);
  });

  it('compares names without articles, accents, possessives and bracketed hints', () => {
    assert.equal(nameForm('The Brand (play)'), 'brand');
    assert.equal(nameForm('Aschenbrödel’s'), 'aschenbrodel');
  });
});
