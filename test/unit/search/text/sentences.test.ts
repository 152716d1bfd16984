import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { splitSentences } from '../../../../src/search/text/sentences.ts';

const split = (text: string, shape?: 'prose' | 'code'): string[] =>
  splitSentences(text, shape).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  it('ends sentences at marks, not at abbreviations, initials or decimals', () => {
    assert.deepEqual(split('Dr. Ada B. Lovelace paid 3.5 pounds. She left! Did she? "Yes." He nodded.'), [
      'Dr. Ada B. Lovelace paid 3.5 pounds.',
      'She left!',
      'Did she?',
      '"Yes."',
      'He nodded.',
    ]);
  });

  it('does not end sentences inside of code or links, nor behind more abbreviations', () => {
    assert.deepEqual(
      split('Call `a.b(). Next` or [the guide. Part two](x.md). See ``x `y. Z`` and pp. Seven. End `open. Go'),
      ['Call `a.b(). Next` or [the guide. Part two](x.md).', 'See ``x `y. Z`` and pp. Seven.', 'End `open.', 'Go'],
    );
  });

  it('ends sentences of other languages', () => {
    assert.deepEqual(split('他说：“电池坏了。”贝塔公司换了它！谁付钱？没有人。'), [
      '他说：“电池坏了。”',
      '贝塔公司换了它！',
      '谁付钱？',
      '没有人。',
    ]);
    assert.deepEqual(split('「止まった。」と田中さんは言った。原因は電池。'), [
      '「止まった。」',
      'と田中さんは言った。',
      '原因は電池。',
    ]);
    assert.deepEqual(
      split('Am 3. März fiel z. B. das Relais Nr. 7 aus. Dr. Weiß kam bzw. Frau Öz. Über Nacht lief es.'),
      ['Am 3. März fiel z. B. das Relais Nr. 7 aus.', 'Dr. Weiß kam bzw. Frau Öz.', 'Über Nacht lief es.'],
    );
    assert.deepEqual(split('¿Quién paga? ¡Nadie! La Sra. Ruiz lo dijo.'), [
      '¿Quién paga?',
      '¡Nadie!',
      'La Sra. Ruiz lo dijo.',
    ]);
  });

  it('does not end them behind abbreviations of German, French and Spanish', () => {
    for (const whole of [
      'Nach § 5 Abs. 2 zahlt die Gemeinde.',
      'Das Boot kostet ca. Dreißigtausend, u. a. Motor und Segel.',
      'Siehe Kap. 3, Ziff. 4 und Hauptstr. 12 in Kiel.',
      'Es sind 3 Mio. Euro.',
      'Les huttes, p. ex. Dubois et Martin, ferment.',
      'L’art. 12 et l’art. L123 du code le disent.',
      'Mmes. Durand et Petit signent à la p. 14.',
      'La Dra. Ruiz vive en EE. UU. desde 2019.',
      'Los Sres. Gil y la Lic. Mora firmaron la pág. 7, p. ej. Ayer.',
    ])
      assert.deepEqual(split(whole), [whole]);
    assert.deepEqual(split('She likes modern art. The museum is new. It stands in Abs. Nobody goes.'), [
      'She likes modern art.',
      'The museum is new.',
      'It stands in Abs.',
      'Nobody goes.',
    ]);
    assert.deepEqual(split('Se mudó a EE. UU. La empresa cerró.'), ['Se mudó a EE. UU.', 'La empresa cerró.']);
  });

  it('joins wrapped lines and separates headings, items and paragraphs', () => {
    assert.deepEqual(split('# Costs\nThe ferry costs\nmore now.\n\n- first item\n- second item\n\nLast one'), [
      '# Costs',
      'The ferry costs\nmore now.',
      '- first item',
      '- second item',
      'Last one',
    ]);
  });

  it('takes front matter line by line, and only on top', () => {
    assert.deepEqual(split('---\nowner: Ada\ntags: [a, b]\n---\n# Costs\nThe ferry costs\nmore now,\n---\nand on'), [
      '---',
      'owner: Ada',
      'tags: [a, b]',
      '---',
      '# Costs',
      'The ferry costs\nmore now,\n---\nand on',
    ]);
  });

  it('takes code line by line', () => {
    assert.deepEqual(split('def f(x):\n    # Note. This.\n\n    return x\n', 'code'), [
      'def f(x):',
      '# Note. This.',
      'return x',
    ]);
  });

  it('gives trimmed spans in order that leave out nothing but white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'B', '.', '!', ' ', '\n', '-', '#', 'é', '"') }), (text) => {
        let at = 0;
        for (const { start, end } of splitSentences(text)) {
          assert.ok(start >= at && end > start);
          assert.equal(text.slice(at, start).trim(), '');
          assert.equal(text.slice(start, end), text.slice(start, end).trim());
          at = end;
        }
        assert.equal(text.slice(at).trim(), '');
      }),
    );
  });
});
