import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatMessage } from '../../../../src/research/language-model/language-model.ts';
import {
  compareModels,
  type HeldOutLines,
  type JudgeReply,
  modelJudge,
} from '../../../../src/learning/fine-tuning/compare-models.ts';
import { decideGate, type ScoredPair } from '../../../../src/learning/fine-tuning/gate.ts';
import { decomposePrompt } from '../../../../src/research/operators/prompts/decompose.ts';
import { nextSubQuestionPrompt } from '../../../../src/research/operators/prompts/next-step.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { ScriptedLanguageModel, type RecordedCall } from '../../../doubles/scripted-language-model.ts';

const { signal } = new AbortController();
const QUESTION = 'Who wed the builder of the mill?';
const GOOD = ['Who built the mill?', 'Who wed #1?'];
const POOR = ['What is a mill?'];

const heldOut = (...examples: { of?: string; prompt: ChatMessage[]; reply: string }[]): HeldOutLines => ({
  lines: examples
    .map(({ prompt, reply }) => `${JSON.stringify({ messages: [...prompt, { role: 'assistant', content: reply }] })}\n`)
    .join(''),
  questions: examples.map(({ of }) => of ?? QUESTION.toLowerCase()),
});
const says = (reply: unknown): ScriptedLanguageModel =>
  new ScriptedLanguageModel(() => (typeof reply === 'string' ? reply : JSON.stringify(reply)));
const split = { prompt: decomposePrompt(QUESTION), reply: JSON.stringify({ questions: GOOD }) };

type Points = Omit<JudgeReply, 'reason'>;
const onAll = (word: JudgeReply['sequencing']): Points => ({
  conciseness: word,
  rationality: word,
  sequencing: word,
  goalOrientation: word,
});

/** Judges by what stands in the prompt under A and B: `good` is the place of the decomposition that holds the text. */
function judgeOf(text: string, points: (good: 'A' | 'B', poor: 'A' | 'B') => Points): ScriptedLanguageModel {
  return new ScriptedLanguageModel(({ prompt }: RecordedCall) => {
    const [, a = '', b = ''] = /\n\nA:\n([\s\S]*)\n\nB:\n([\s\S]*)$/u.exec(prompt) ?? [];
    assert.notEqual(a.includes(text), b.includes(text), 'one of both is the one to prefer');
    return { json: { reason: 'It leads there.', ...(a.includes(text) ? points('A', 'B') : points('B', 'A')) } };
  });
}

async function scoresOf(
  before: unknown,
  after: unknown,
  judge: ScriptedLanguageModel,
  lines = heldOut(split),
): Promise<ScoredPair> {
  const [pair, ...rest] = await compareModels(
    lines,
    { before: says(before), after: says(after), judge: modelJudge(judge) },
    signal,
  );
  assert.ok(pair && rest.length === 0);
  return pair;
}

describe('comparing two models', () => {
  it('scores the one whose sub-questions the judge prefers higher, whichever it is', async () => {
    const judge = judgeOf('Who built the mill?', (good) => onAll(good));
    const words = await compareModels(
      heldOut(split),
      { before: says({ questions: POOR }), after: says({ questions: GOOD }) },
      signal,
    );
    const poor = words[0]?.before ?? 0;
    assert.ok(poor > 0 && poor < 1);
    const learnt = await scoresOf({ questions: POOR }, { questions: GOOD }, judge);
    assert.ok(Math.abs(learnt.before - poor / 2) < 1e-9 && learnt.after === 1, JSON.stringify(learnt));
    const unlearnt = await scoresOf({ questions: GOOD }, { questions: POOR }, judge);
    assert.ok(unlearnt.before === 1 && Math.abs(unlearnt.after - poor / 2) < 1e-9, JSON.stringify(unlearnt));
    assert.equal(judge.calls.length, 4, 'each pair in both orders');
    assert.ok(judge.calls.every(({ prompt }) => prompt.includes(`Question: ${QUESTION}\n\nA:`)));
  });

  it('compares what models say, whatever they thought before', async () => {
    const thinks = `<think>Not {"questions":${JSON.stringify(POOR)}}, surely.</think>\n${split.reply}`;
    const [pair] = await compareModels(heldOut(split), { before: says(split.reply), after: says(thinks) }, signal);
    assert.deepEqual([pair?.before, pair?.after], [1, 1]);
  });

  it('weighs the four dimensions alike, and a tie as half', async () => {
    // Nothing in common with either: only the judge counts.
    const wanted = JSON.stringify({ questions: ['A road that nobody names'] });
    const lines = heldOut({ prompt: split.prompt, reply: wanted });
    const after = async (points: (good: 'A' | 'B', poor: 'A' | 'B') => Points): Promise<[number, number]> => {
      const pair = await scoresOf(
        { questions: ['Who, when?'] },
        { questions: ['Who built it, then?'] },
        judgeOf('built', points),
        lines,
      );
      return [pair.before, pair.after];
    };
    assert.deepEqual(await after((good) => onAll(good)), [0, 0.5]);
    assert.deepEqual(await after((_, poor) => onAll(poor)), [0.5, 0]);
    assert.deepEqual(
      await after((good, poor) => ({ conciseness: poor, rationality: good, sequencing: good, goalOrientation: good })),
      [0.125, 0.375],
    );
    assert.deepEqual(
      await after((good) => ({ conciseness: 'tie', rationality: 'tie', sequencing: good, goalOrientation: good })),
      [0.125, 0.375],
    );
    assert.deepEqual(
      await after(() => onAll('A')),
      [0.25, 0.25],
      'who prefers a place, whatever stands there, prefers nothing',
    );
  });

  it('judges another sub-question in the place of a rejected one by the run’s question, and stopping as no steps', async () => {
    const lines = heldOut({
      prompt: nextSubQuestionPrompt(QUESTION, [], [{ question: 'What is a mill?', reason: 'It does not help.' }]),
      reply: '{"question": "Who built the mill?"}',
    });
    const judge = judgeOf('Who built the mill?', (good) => onAll(good));
    const pair = await scoresOf({ question: '' }, { question: 'Who built the mill?' }, judge, lines);
    assert.deepEqual([pair.before, pair.after], [0, 1]);
    assert.match(
      judge.calls[0]?.prompt ?? '',
      new RegExp(`Question: ${QUESTION.replace('?', '\\?')}\n\nA:\n\\(none\\)`),
    );
  });

  it('asks no judge about other replies, or about sub-questions that are the same', async () => {
    const judge = new ScriptedLanguageModel([]);
    const examples = [
      { prompt: [{ role: 'user' as const, content: 'Question: Who built the mill?' }], reply: 'Answer: Ada Fell [1]' },
      { prompt: [{ role: 'user' as const, content: 'Step: …' }], reply: '{"reason": "A step.", "verdict": "keep"}' },
    ];
    for (const example of examples) {
      const pair = await scoresOf(example.reply, { questions: GOOD }, judge, heldOut(example));
      assert.deepEqual([pair.before, pair.after], [1, 0]);
    }
    const alike = await scoresOf(
      { questions: GOOD },
      { questions: GOOD.map((step) => ` ${step.toUpperCase()}`) },
      judge,
    );
    assert.deepEqual([alike.before, alike.after], [1, 1]);
    assert.equal(judge.calls.length, 0);
  });

  it('goes on when the judge cannot be read: words alone decide then', async () => {
    const judge = new ScriptedLanguageModel(() => 'I like the second.');
    const pair = await scoresOf({ questions: POOR }, { questions: GOOD }, judge);
    assert.ok(judge.calls.length > 0);
    assert.ok(pair.after === 1 && pair.before < 1 && pair.before > 0);
  });

  it('names each pair by its question: five lines of one do not switch a model', async () => {
    const lines = ['What is tar?', ...Array.from({ length: 5 }, () => QUESTION)].map((of, i) => ({
      of,
      prompt: split.prompt,
      reply: `Answer: ${i}`,
    }));
    const pairs = await compareModels(
      heldOut(...lines),
      { before: says('none'), after: new ScriptedLanguageModel((_, i) => `Answer: ${i}`) },
      signal,
    );
    assert.deepEqual(
      pairs.map(({ id, before, after }) => [id, before, after]),
      lines.map(({ of }) => [of, 0, 1]),
    );
    const verdict = decideGate(pairs, seededRandom(1));
    assert.deepEqual([verdict.questions, verdict.wins], [2, false]);
    const unnamed = await compareModels(
      { ...heldOut(...lines), questions: [] },
      { before: says('none'), after: new ScriptedLanguageModel((_, i) => `Answer: ${i}`) },
      signal,
    );
    assert.deepEqual([decideGate(unnamed, seededRandom(1)).questions, unnamed.length], [1, 6]);
  });
});
