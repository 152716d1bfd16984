import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { LOCAL_SERVERS } from '../../../src/vscode/model/local-servers.ts';
import { FakeOpenAiServer, type FakeRequest } from '../../doubles/fake-openai-server.ts';
import { notesAssistantReply } from '../../doubles/model-scripts/notes-assistant.ts';
import type { HoptrailPanel } from './hoptrail-panel.ts';
import { linkedModelProvider } from './linked-model-provider.ts';
import { NativeChatView } from './native-chat-view.ts';
import { useNotesWindow } from './notes-window.ts';

const question = 'Who keeps our account with Halden Cells?';

/** A server with one model, `notes-local`, on the first port that Hoptrail looks at and that is free. */
async function startOnUsualPort(): Promise<{ server: FakeOpenAiServer; name: string }> {
  for (const { name, baseUrl } of LOCAL_SERVERS) {
    const started = FakeOpenAiServer.start({
      port: Number(new URL(baseUrl).port),
      models: { object: 'list', data: [{ id: 'notes-local' }] },
      replies: (request: FakeRequest) =>
        JSON.stringify(request.body).includes('Reply with the single word')
          ? { kind: 'stream', text: 'ready' }
          : notesAssistantReply(request),
    });
    const server = await started.catch(() => undefined);
    if (server) return { server, name };
  }
  throw new Error('each usual port of a local server is taken');
}

describe("the editor's own models and chat", () => {
  let workbench: Workbench;
  let panel: HoptrailPanel;
  const pickRow = (text: string): Locator =>
    workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  const chooseModel = async (name: string): Promise<void> => {
    await workbench.runCommand('Hoptrail: Choose Model');
    await pickRow(name).click();
  };

  useNotesWindow(
    (opened) => {
      ({ workbench, panel } = opened);
    },
    async () => ({ linked: [await linkedModelProvider()], settings: { 'hoptrail.strategy': 'one-retrieval' } }),
  );

  describe('a model that another extension offers', () => {
    it("is chosen by name, and says what is missing when the editor's question for consent is declined", async () => {
      await chooseModel('Notes Assistant');
      await workbench.page
        .locator('.monaco-dialog-box', {
          hasText: /Hoptrail' wants to access the language models provided by Notes Models/,
        })
        .waitFor();
      await workbench.answerDialog('Cancel');
      await workbench
        .notification(
          'Hoptrail may not use Notes Assistant: access was not granted. Ask again and allow access, or choose another model.',
        )
        .waitFor();
    });

    it('answers in the panel once it is allowed, and its file is cited', async () => {
      await panel.awaitTurn(async () => {
        await panel.input.fill(question);
        await panel.input.press('Enter');
        await workbench.answerDialog('Allow');
      });
      assert.match(await panel.answer.innerText(), /^Hamish Adeyemi/);
      const { path: file } = await panel.placeOfCitation(panel.answer.locator('[data-cite]').first());
      assert.equal(file, 'suppliers/halden-cells.md');
    });

    it('whose quota is used up gives a reason, quotes instead of an answer, and a way out', async () => {
      await chooseModel('Spent Assistant');
      await workbench.notification('Spent Assistant refused the call: the quota of this account is used up.').waitFor();
      await panel.ask(question);
      const card = panel.turn.locator('.error-card');
      assert.match(
        await card.innerText(),
        /Spent Assistant refused the call: the quota of this account is used up\.\s+Wait a little, or choose another model\./,
      );
      assert.match(await panel.answer.innerText(), /Hamish Adeyemi/);
      await card.getByRole('button', { name: 'Choose Model' }).click();
      await pickRow('Strict Assistant').click();
    });

    it('that declines a question is said to have declined it', async () => {
      await workbench
        .notification('Strict Assistant declined to answer: Response was blocked by the content filter.')
        .waitFor();
      await panel.ask(question);
      assert.match(
        await panel.turn.innerText(),
        /Strict Assistant declined to answer: Response was blocked by the content filter\./,
      );
    });
  });

  describe('a model that runs on this machine', () => {
    let local: { server: FakeOpenAiServer; name: string };

    before(async () => {
      local = await startOnUsualPort();
    });
    after(() => local.server.stop());

    it('is found while the list is open, and answers from then on', async () => {
      await workbench.runCommand('Hoptrail: Choose Model');
      const row = pickRow('notes-local');
      await row.filter({ hasText: local.name }).filter({ hasText: 'On this machine' }).waitFor();
      await row.click();
      await workbench.statusBarItem('notes-local answers').waitFor();
      await panel.ask(question);
      assert.match(await panel.answer.innerText(), /^Hamish Adeyemi/);
      const models = local.server.requests.map(({ body }) => body['model']).filter((name) => name !== undefined);
      assert.ok(models.length > 1 && models.every((name) => name === 'notes-local'), models.join());
    });

    it('stands among those used before once its server is gone', async () => {
      await local.server.stop();
      await workbench.runCommand('Hoptrail: Choose Model');
      await workbench.page
        .locator('.quick-input-widget input:not([placeholder^="Looking for models"])')
        .first()
        .waitFor();
      await pickRow('notes-local').filter({ hasText: 'Used before' }).filter({ hasText: '127.0.0.1' }).waitFor();
      await pickRow('No language model').click();
    });

    it('leaves the keyboard in the input of who chose it from there', async () => {
      const { keyboard } = workbench.page;
      await panel.frame.getByRole('button', { name: 'Quotes only' }).click();
      await pickRow('No language model').waitFor();
      await workbench.page.locator('.quick-input-widget input').first().fill('No language model');
      await keyboard.press('Enter');
      await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await panel.frame.locator('.composer textarea:focus').waitFor();
    });
  });

  describe('@hoptrail in the chat view', () => {
    let chat: NativeChatView;
    const places = async (): Promise<string[]> => await chat.anchors.allInnerTexts();

    before(async () => {
      chat = await NativeChatView.open(workbench);
    });

    it("answers with the chat's model, points into files and opens them", async () => {
      await chat.ask(`@hoptrail ${question}`);
      assert.match(await chat.reply.innerText(), /Hamish Adeyemi keeps our account with Halden Cells[^]*Sources/);
      await chat.openAnchor('halden-cells.md:12');
      await workbench.waitForCursor('halden-cells.md', 12);
    });

    it('names its references', async () => {
      await chat.reply.locator('.completed-response-summary').click();
      await chat.reply.getByRole('button', { name: /^Used \d+ references?$/ }).click();
      await chat.reply.locator('.chat-used-context-list .monaco-list-row', { hasText: 'halden-cells.md' }).waitFor();
    });

    it('goes on to the trail by a follow-up', async () => {
      await chat.follow('Show only the sources');
      assert.match(await chat.reply.innerText(), /Sources\s+[^]*matches “Halden Cells” in the question/);
      const files = await places();
      assert.ok(files[0]?.startsWith('halden-cells.md:') && files[1]?.startsWith('hamish-adeyemi.md:'), files.join());
      await chat.followup('Answer it').waitFor();
    });

    it('lists passages for /search', async () => {
      await chat.ask('@hoptrail /search battery pack of the mast');
      const files = await places();
      assert.ok(files.length > 1 && files.some((file) => file.startsWith('mast-power.md:')), files.join());
      await chat.followup('Show only the sources').waitFor();
    });

    it('gives an overview of the workspace for /overview', async () => {
      await chat.ask('@hoptrail /overview');
      assert.ok((await places()).length > 0);
    });
  });
});
