import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { complete } from '../../../../src/research/language-model/complete.ts';
import type { CompletionPart, LanguageModel } from '../../../../src/research/language-model/language-model.ts';
import { nonsenseIn, stopNonsense } from '../../../../src/research/language-model/nonsense.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

/** A model that says its pieces over and over until it is told to stop. */
function endless(begin: string, piece: string): { model: LanguageModel; said: () => number } {
  let said = 0;
  const model: LanguageModel = {
    id: 'endless',
    name: 'Broken',
    contextTokens: 8192,
    async *stream(): AsyncIterable<CompletionPart> {
      yield { type: 'text', text: begin };
      while (said < 100_000) {
        said += piece.length;
        yield { type: 'text', text: piece };
      }
    },
  };
  return { model, said: () => said };
}

describe('a model that says nonsense', () => {
  for (const [what, begin, piece] of [
    ['one sign', 'Rope is', '@'],
    ['a few signs', '', ' !?'],
    ['a sentence', 'Well. ', 'I will look at the passages once more. '],
    ['signs that stand for no letter', 'Rope', '\ufffd\u0003\ue011x'],
    ['blanks alone', '', '\n'],
  ] as const)
    it(`is stopped soon: ${what}`, async () => {
      const { model, said } = endless(begin, piece);
      await assert.rejects(complete(stopNonsense(model), []), { code: 'model-nonsense', action: 'choose-model' });
      assert.ok(said() <= 700, `${said()} characters were waited for`);
    });

  it('is named in the words that it says', () =>
    assert.rejects(complete(stopNonsense(endless('', 'to be or ').model), []), {
      message: /^Broken says nothing that can be read: “.*(?:to be or|or to be).*”, over and over\.$/,
    }));

  it('is waited for where it has spoken and adds blanks', async () => {
    const { model } = endless('{"answer": "Tallinn"}', ' ');
    assert.match((await complete(stopNonsense(model), [])).text, /^\{"answer": "Tallinn"\} +$/);
  });

  it('is told from texts that repeat themselves with reason, in any script', () => {
    for (const text of [
      `# Rope\n\n${'-'.repeat(120)}\n\n| a | b |\n${'|---'.repeat(40)}|\n`,
      Array.from({ length: 40 }, (_, i) => `- [ ] item ${i}`).join('\n'),
      '綱はどこで買いますか。タリンで買います。'.repeat(3),
      'Канат покупают в Таллине. 밧줄은 탈린에서 삽니다. '.repeat(5),
      '👩‍👩‍👧‍👦 🧵 ✓ → “quoted” …'.repeat(6),
    ])
      assert.equal(nonsenseIn(text), undefined, text);
  });

  it('leaves quotes in the place of its answer, and an error that leads to other models', async () => {
    const { answer, events, ending } = await runResearch('Where is rope bought?', {
      retriever: new ScriptedRetriever([notePassage('rope', 'Rope', 'Rope is bought in Tallinn.')]),
      model: new ScriptedLanguageModel(() => '@'.repeat(5000)),
      options: { operator: 'single-step' },
    });
    assert.equal(ending, 'run-error');
    assert.equal(answer?.by, 'extractive');
    assert.match(answer.text, /Rope is bought in Tallinn/);
    const last = events.at(-1);
    assert.ok(last?.type === 'run-error' && last.error.code === 'model-nonsense');
    assert.equal(last.error.action, 'choose-model');
  });
});
