import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { compareModels, type HeldOutLines } from '../../../../src/learning/fine-tuning/compare-models.ts';
import { decideGate } from '../../../../src/learning/fine-tuning/gate.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const { signal } = new AbortController();
const QUESTION = 'who wed the builder of the mill?';
const SPLIT = '{"subQuestions":["Who built the mill?","Who wed #1?"]}';

const heldOut = (...replies: string[]): HeldOutLines => ({
  lines: replies
    .map(
      (content) =>
        `${JSON.stringify({
          messages: [
            { role: 'user', content: 'q' },
            { role: 'assistant', content },
          ],
        })}\n`,
    )
    .join(''),
  questions: replies.map(() => QUESTION),
});
const says = (reply: string): ScriptedLanguageModel => new ScriptedLanguageModel(() => reply);

describe('comparing two models', () => {
  for (const [what, wanted, before, after, scores] of [
    ['short answers', 'It was Ada [1:2].\nShort: Ada Fell', 'Short: nobody', 'She.\n**Short:** Ada Fell', [0, 1]],
    ['whole replies without one', 'Ada Fell', 'nobody', 'ada fell', [0, 1]],
    ['verdicts', '{"reason":"x","verdict":"keep"}', '{"verdict":"redundant"}', '{"verdict":"keep"}', [0, 1]],
    ['sub-questions', SPLIT, '{"subQuestions":["Where is Rome?"]}', SPLIT, [0, 1]],
    [
      'sub-questions with what they need',
      SPLIT,
      'no idea',
      SPLIT.replace('"Who built the mill?"', '{"question":"Who built the mill?"}'),
      [0, 1],
    ],
    ['stopping', '{"enough":true,"question":""}', '{"question":"Who built it?"}', '{"question":""}', [0, 1]],
    ['what is said, whatever was thought', SPLIT, SPLIT, `<think>Not {"subQuestions":[]}.</think>${SPLIT}`, [1, 1]],
  ] as const)
    it(`compares ${what}`, async () => {
      const [pair] = await compareModels(heldOut(wanted), { before: says(before), after: says(after) }, signal);
      assert.deepEqual([pair?.before, pair?.after], scores);
    });

  it('names each pair by its question: five lines of one do not switch a model', async () => {
    const lines = heldOut('Short: 1', 'Short: 1', 'Short: 1', 'Short: 1', 'Short: 1', 'Short: 1');
    const questions = ['what is tar?', ...lines.questions.slice(1)];
    const done: number[] = [];
    const pairs = await compareModels(
      { ...lines, questions },
      { before: says('none'), after: says('Short: 1') },
      signal,
      (count) => done.push(count),
    );
    assert.deepEqual(
      pairs,
      questions.map((id) => ({ id, before: 0, after: 1 })),
    );
    const verdict = decideGate(pairs, seededRandom(1));
    assert.deepEqual([verdict.questions, verdict.wins], [2, false]);
    assert.deepEqual(done, [1, 2, 3, 4, 5, 6]);
  });

  it('stops when it is cancelled, and does not compare on damaged lines', async () => {
    const models = { before: says('x'), after: says('x') };
    await assert.rejects(compareModels(heldOut('x'), models, AbortSignal.abort()), { name: 'AbortError' });
    await assert.rejects(compareModels({ lines: '{"messages":[]}\n', questions: [] }, models, signal));
  });
});
