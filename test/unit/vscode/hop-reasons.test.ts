import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { RELATIONS } from '../../../src/research/run/reference-text.ts';
import type { Translate } from '../../../src/search/domain/notices.ts';
import { reasonInWords, reasonsInEnglish } from '../../../src/vscode/hop-reasons.ts';

const source = (file: string): string => readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8');
const hopReason = source('search/retrieval/chain/hop-reason.ts');

const bundle = JSON.parse(
  readFileSync(new URL('../../../l10n/bundle.l10n.ja.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const japanese: Translate = (message, ...values) =>
  (bundle[message] ?? assert.fail(message)).replace(/\{(\d)\}/g, (_whole, index) => String(values[Number(index)]));
const english: Translate = (message, ...values) =>
  message.replace(/\{(\d)\}/g, (_whole, index) => String(values[Number(index)]));

describe("a hop's reason", () => {
  it('is told in the language of the editor, with its line where that language has it', () => {
    for (const [said, told] of [
      [
        '“Silent Weekend” links to “systems/mast-power” on line 26',
        '「Silent Weekend」が「systems/mast-power」にリンク(26 行目)',
      ],
      ['“serve” calls “mime” in src/a in b.ts on line 3', '「serve」が「mime」を呼び出し(src/a in b.ts、3 行目)'],
    ] as const) {
      const { text, line } = reasonInWords(said, japanese);
      assert.equal(text, told);
      assert.match(text.slice(line?.start, line?.end), /^\d+ 行目$/);
    }
    assert.deepEqual(reasonInWords('the question also asks about “a”, “b”', japanese), {
      text: '質問は“a”, “b”についても尋ねています',
    });
  });

  it('stays as it is in English, and where it is not known', () => {
    for (const said of [
      '“Silent Weekend” links to “systems/mast-power” on line 26',
      '“serve” calls “mime” in src/b.ts on line 3',
      'links to "systems/mast-power" from line 26',
      'shares “Marta Quill” with “Canteen”',
      'as somebody said',
    ]) {
      const { text, line } = reasonInWords(said, english);
      assert.equal(text, said);
      assert.equal(text.slice(line?.start, line?.end), /line \d+$/.exec(said)?.[0] ?? said);
    }
  });

  it('is known for everything that a program says of two passages', () => {
    const verbs = (name: string): string[] =>
      [...(new RegExp(`const ${name}[^{]*{([^}]*)}`).exec(hopReason)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
        ([, verb]) => verb ?? '',
      );
    const said = [...verbs('ACTIVE'), ...Object.values(RELATIONS)].map((verb) => `“a” ${verb} “b” on line 3`);
    said.push(...verbs('PASSIVE').map((verb) => `“a” is ${verb} “b”`));
    assert.ok(said.length >= 25);
    for (const reason of said) assert.doesNotMatch(reasonInWords(reason, japanese).text, /[a-z]{2}/, reason);
  });

  it('is known in the words of the code', () => {
    const words = hopReason + source('research/run/answer-references.ts') + source('research/run/reference-text.ts');
    const others = source('research/answer/extractive-answer.ts') + source('research/operators/run-node.ts');
    for (const reason of reasonsInEnglish)
      for (const word of reason.match(/[a-z]+/g) ?? [])
        assert.ok((words + others).includes(word), `“${word}” of “${reason}” is said nowhere any more`);
    for (const [, template = ''] of hopReason.matchAll(/text: `([^`]+)`/g)) {
      const said = template.replace(/\$\{verb\}/g, 'imports').replace(/\$\{isAsked[^}]*\}/g, 'the question and to ');
      const filled = said.replace(/“\$\{[^}]*\}”|\$\{(?:nameOf|listed)[^}]*\}/g, '“X”').replace(/\$\{[^}]*\}/g, '3');
      assert.doesNotMatch(reasonInWords(filled, japanese).text, /[a-z]{2}/, filled);
    }
  });
});
