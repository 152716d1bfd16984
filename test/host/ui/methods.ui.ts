import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { ChatMessage } from '../../../src/research/language-model/language-model.ts';
import { demoQuestion } from '../../../scripts/demo-question.ts';
import { FakeOpenAiServer } from '../../doubles/fake-openai-server.ts';
import { deadEnd, wanderingAssistantReply, wrongTurn } from '../../doubles/model-scripts/wandering-assistant.ts';
import type { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesWindow } from './notes-window.ts';

describe('the four methods in the panel, with a model', () => {
  let server: FakeOpenAiServer;
  let panel: HoptrailPanel;

  before(async () => {
    server = await FakeOpenAiServer.start({ replies: wanderingAssistantReply });
  });
  useNotesWindow(
    (opened) => {
      ({ panel } = opened);
    },
    async () => ({
      settings: {
        'hoptrail.model.provider': 'endpoint',
        'hoptrail.model.baseUrl': server.baseUrl,
        'hoptrail.model.name': 'wandering-assistant',
        'hoptrail.strategy': 'belle',
      },
    }),
  );
  after(() => server.stop());
  const promptsWith = (words: string): string[] =>
    server.requests
      .flatMap(({ body }) => ((body['messages'] ?? []) as ChatMessage[]).map(({ content }) => content))
      .filter((content) => content.includes(words));

  it('tell the type, and the plan with who proposed it', async () => {
    await panel.ask(demoQuestion);
    // The embedded classifier takes it for a lookup; for less than 60 % it tells the type that comes next, too.
    assert.match(await panel.turn.locator('.type-line').innerText(), /^Lookup, \d+ %(?:, or Inference, \d+ %)?: /);
    assert.match(await panel.turn.locator('.plan-line').innerText(), /^Plan .+\(.*debate/);
  });

  it('fold the debate, with its turns in their order', async () => {
    const debate = panel.turn.locator('.plan details');
    assert.equal(await debate.getAttribute('open'), null);
    assert.deepEqual(
      (await debate.locator('.role').allTextContents()).map((role) => role.trim()),
      ['Affirmative', 'Negative', 'Fast debater', 'Slow debater', 'Judge'],
    );
  });

  it('let the model reject an answer that its passages do not support, with its words', async () => {
    const rejected = panel.turn.locator('.step.rejected');
    assert.equal(await rejected.count(), 1);
    const step = (await rejected.textContent()) ?? '';
    for (const words of [wrongTurn.question, wrongTurn.answer, wrongTurn.verdict.reason])
      assert.ok(step.includes(words), step);
    assert.equal(promptsWith(`Step: ${wrongTurn.question}\n`).length, 1, 'the model was asked for its verdict');
  });

  it('reject by rule what found nothing', async () => {
    const nothing = (await panel.turn.locator('.step.nothing-found').allTextContents()).join('\n');
    assert.ok(nothing.includes(deadEnd), nothing);
    assert.match(nothing, /Its passages were read and give no answer\./);
  });

  it('step back from both, and arrive', async () => {
    const back = `These led nowhere; ask for something else:\n- ${wrongTurn.question} (${wrongTurn.verdict.reason})`;
    assert.equal(promptsWith(back).length, 2, 'each step back is told what the critique said');
    const steps = await panel.turn.locator('.step').allTextContents();
    const places = [wrongTurn.question, deadEnd, 'Who makes the batteries of Mast Power?'].map((question) =>
      steps.findIndex((step) => step.includes(question)),
    );
    assert.ok(
      places.every((place, i) => place > (places[i - 1] ?? -1)),
      JSON.stringify([places, steps]),
    );
    assert.match(await panel.answer.innerText(), /461/);
  });

  it('show what was found on the way without a click', async () => {
    const found = panel.turn.locator('.sub-answers li');
    const texts = (await found.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.equal(texts.length, 4, texts.join('\n'));
    for (const wrong of [wrongTurn.question, deadEnd]) assert.ok(!texts.join().includes(wrong), wrong);
    for (const [index, name] of ['Mast Power', 'Halden Cells', 'Hamish Adeyemi', '461'].entries())
      assert.match(texts[index] ?? '', new RegExp(`→ ${name} \\S+\\.md:\\d+`));
  });
});
