import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import { estimateTokens } from '../../../../src/research/language-model/context-window.ts';
import { showPassages } from '../../../../src/research/operators/prompts/blocks.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { cooperativeModel, only } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const long = (id: string, sentences: number) =>
  notePassage(id, id, Array.from({ length: sentences }, (_, i) => `The log of ${id} says thing ${i}.`).join(' '));
const rest = { messages: [{ role: 'user' as const, content: 'Which log?' }], replyTokens: 220 };
const tokensOf = (shown: readonly { text: string }[]) => shown.reduce((sum, { text }) => sum + estimateTokens(text), 0);

describe('passages in a prompt', () => {
  const passages = Array.from({ length: 40 }, (_, i) => long(`p${i}`, 60));
  const show = (contextTokens: number, windowNote?: string) =>
    showPassages({ contextTokens, ...(windowNote && { windowNote }) }, passages, (id) => Number(id.slice(1)) + 1, rest);

  it('get at least half of the window, up to 12,000 tokens', () => {
    for (const window of [4096, 8192, 16_384]) {
      const shown = tokensOf(show(window).shown);
      assert.ok(shown >= window / 2 && shown < window, `${shown} of ${window}`);
    }
    const most = tokensOf(show(200_000).shown);
    assert.ok(most <= 12_000 && most > 11_000, `${most}`);
  });

  it('leave the room that a model needs to think before it speaks', () => {
    const tokens = (thoughtTokens: number): number =>
      tokensOf(showPassages({ contextTokens: 8192, thoughtTokens }, passages, () => 1, rest).shown);
    const less = tokens(0) - tokens(2048);
    assert.ok(less > 1500 && less < 2500, `${less} fewer tokens of passages`);
  });

  it('are cut with the truth about why', () => {
    const said = (...shown: Parameters<typeof show>): string => {
      const { cut } = show(...shown);
      return cut ? runNoticeInWords({ code: 'context-cut', details: cut }) : '';
    };
    assert.match(said(4096), /^To fit the model's context window of 4,096 tokens, Hoptrail /);
    assert.match(said(200_000), /^To send no more than 12,000 tokens of passages at once, Hoptrail /);
    assert.match(said(4096, 'The server gives it little.'), / passages\. The server gives it little\.$/);
  });
});

describe('a run whose model has a small window', () => {
  it('shows every hop of the trail to the model, whatever else was found', async () => {
    const more = Array.from({ length: 6 }, (_, i) => long(`keeper-${i}`, 50));
    const model = cooperativeModel({}, { contextTokens: 1600 });
    const run = await runResearch(BORN, { retriever: relayRetriever({ more }), model, options: only('single-step') });
    const prompt = model.calls.find((call) => promptKind(call) === 'answer')?.prompt ?? '';
    for (const hop of ['outage', 'kestrel', 'mara']) assert.match(prompt, new RegExp(`file="notes/${hop}\\.md"`));
    assert.match(prompt, /Mara Lindqvist was born in Narvik\./);
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('shows the hops that were found last, too, after it has thought for a while', async () => {
    const chain = (...ids: string[]) => ({ chain: ids, reading: { answerability: 0.9 } });
    const retriever = relayRetriever({
      more: Array.from({ length: 3 }, (_, i) => long(`first-${i}`, 30)),
      scripts: {
        'in which town was the keeper born': chain('first-0', 'first-1', 'first-2'),
        'the log says': chain('mara'),
      },
    });
    let thoughts = 0;
    const model = new ScriptedLanguageModel(
      (call) =>
        promptKind(call) === 'thought'
          ? (thoughts += 1) === 1
            ? 'The log says thing 1 [1].'
            : 'So the answer is: Narvik'
          : cooperative(call),
      { contextTokens: 1200 },
    );
    await runResearch(BORN, { retriever, model, options: only('iterative-step') });
    const last = model.calls.filter((call) => promptKind(call) === 'thought').at(-1)?.prompt ?? '';
    assert.match(last, /Mara Lindqvist was born in Narvik\./);
  });

  it('asks for the window before it plans', async () => {
    const model = cooperativeModel({}, { contextTokens: 8192 });
    const asked: string[] = [];
    const learning = Object.assign(model, {
      learnWindow: async () => {
        asked.push('window');
      },
    });
    const run = await runResearch(BORN, {
      retriever: relayRetriever(),
      model: learning,
      options: only('single-step'),
      onEvent: (event) => event.type === 'strategy-selected' && asked.push(event.type),
    });
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(asked, ['window', 'strategy-selected']);
  });
});
