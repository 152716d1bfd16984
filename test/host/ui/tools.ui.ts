import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { linkedModelProvider } from './linked-model-provider.ts';
import { NativeChatView } from './native-chat-view.ts';
import { noteFailure } from './notes-window.ts';
import { copyExample } from './workspace-copy.ts';

const query = 'What do the batteries and the kilns have in common?';

describe('tools that an agent of the chat calls, in a workspace of two folders', () => {
  let host: VscodeHost | undefined;
  let chat: NativeChatView;
  /** What the editor asks the person before it calls the tool. */
  const confirmation = (): Locator => chat.view.locator('.chat-tool-confirmation-carousel');
  /** Has an agent call a tool; the person answers what the editor asks by a button, where it asks anything. */
  const call = (tool: string, input: object, answer?: () => Promise<void>): Promise<void> =>
    chat.awaitReply(tool, async () => {
      await chat.type(`@caller ${tool} ${JSON.stringify(input)}`);
      await chat.workbench.page.keyboard.press('Enter');
      await answer?.();
    });
  /** By what the button shows: its name is longer. */
  const press = (button: string): Promise<void> =>
    confirmation().locator('.monaco-button', { hasText: button }).first().click();
  /** The folders of the workspace from which passages came back. */
  const folders = async (): Promise<string[]> => {
    const files = (await chat.reply.innerText()).matchAll(/(?<![\w/])(\w+)\/\S+:\d+-\d+/g);
    return [...new Set(Array.from(files, ([, folder = '']) => folder))].sort();
  };

  before(async () => {
    host = await VscodeHost.open({
      linked: [repositoryRoot, await linkedModelProvider()],
      folders: [copyExample('notes'), copyExample('code')],
    });
    const workbench = await host.openWindow();
    await (await HoptrailPanel.open(workbench)).waitForIndex();
    chat = await NativeChatView.open(workbench);
  });
  afterEach(async function () {
    await noteFailure(this.currentTest, host);
  });
  after(() => host?.close());

  it('ask before they search, with what is looked for and how much is handed on', async () => {
    await call('hoptrail_search', { query }, async () => {
      await confirmation().waitFor();
      const asked = await confirmation().innerText();
      for (const said of [
        'Look this up in the workspace?',
        query,
        'Text of this workspace is handed to the model of the chat.',
      ])
        assert.ok(asked.includes(said), asked);
      await press('Allow in this Session');
    });
    assert.deepEqual(await folders(), ['code', 'notes']);
  });

  it('search the folder alone that is named as a root', async () => {
    for (const root of ['notes', 'code']) {
      await call('hoptrail_search', { query, folder: root });
      assert.deepEqual(await folders(), [root]);
    }
  });

  it('refuse a folder in which nothing is indexed', async () => {
    await call('hoptrail_search', { query, folder: 'drafts' });
    assert.match(await chat.reply.innerText(), /Nothing that is indexed lies at or below "drafts"/);
  });

  it('are not run where the person says no', async () => {
    await call('hoptrail_ask', { question: query }, async () => {
      const asked = confirmation().filter({ hasText: 'Ask about this workspace?' });
      await asked.filter({ hasText: 'Passages are quoted; no language model is used.' }).waitFor();
      await press('Skip');
    });
    assert.match(await chat.reply.innerText(), /chose to skip the tool call/);
    assert.deepEqual(await folders(), []);
  });
});
