import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { demoQuestion } from '../../../scripts/demo-question.ts';
import { FakeOpenAiServer } from '../../doubles/fake-openai-server.ts';
import { wanderingAssistantReply, wrongTurn } from '../../doubles/model-scripts/wandering-assistant.ts';
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

  it('tell the type, and the plan with who proposed it', async () => {
    await panel.ask(demoQuestion);
    assert.match(await panel.turn.locator('.type-line').innerText(), /^(?:Inference|Lookup), \d+ %: /);
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

  it('step back from what the critique rejects, and arrive', async () => {
    const rejected = (await panel.turn.locator('.step.nothing-found').allTextContents()).join('\n');
    assert.ok(rejected.includes(wrongTurn), rejected);
    assert.match(rejected, /Its passages were read and give no answer\./);
    assert.match(await panel.answer.innerText(), /461/);
  });

  it('show what was found on the way without a click', async () => {
    const found = panel.turn.locator('.sub-answers li');
    const texts = (await found.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.equal(texts.length, 4, texts.join('\n'));
    assert.ok(!texts.join().includes(wrongTurn));
    for (const [index, name] of ['Mast Power', 'Halden Cells', 'Hamish Adeyemi', '461'].entries())
      assert.match(texts[index] ?? '', new RegExp(`→ ${name} \\S+\\.md:\\d+`));
  });
});
