import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import type { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { FakeOpenAiServer } from '../../doubles/fake-openai-server.ts';
import { endlessQuestion, notesAssistantReply } from '../../doubles/model-scripts/notes-assistant.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesWindow } from './notes-window.ts';
import type { WorkspaceCopy } from './workspace-copy.ts';

const question = 'Who keeps our account with Halden Cells?';

describe('asking a language model, and learning from it', () => {
  let workspace: WorkspaceCopy;
  let server: FakeOpenAiServer;
  let host: VscodeHost;
  let workbench: Workbench;
  let panel: HoptrailPanel;
  let settings: Record<string, unknown>;

  before(async () => {
    server = await FakeOpenAiServer.start({ replies: notesAssistantReply });
  });
  useNotesWindow(
    (opened) => {
      ({ workspace, host, workbench, panel } = opened);
    },
    async () => {
      settings = {
        'hoptrail.model.provider': 'endpoint',
        'hoptrail.model.baseUrl': server.baseUrl,
        'hoptrail.model.name': 'notes-assistant',
        'hoptrail.strategy': 'one-retrieval',
      };
      return { settings };
    },
  );
  after(() => server.stop());

  it('answers with the model, cites what the model named, and says which strategy it was', async () => {
    await panel.ask(question);
    assert.match(await panel.answer.innerText(), /Hamish Adeyemi/);
    assert.match(await panel.turn.locator('.strategy-line').innerText(), /^Asked for: one retrieval\.$/);
    const { path: file } = await panel.placeOfCitation(panel.answer.locator('[data-cite]').first());
    assert.equal(file, 'suppliers/halden-cells.md');
  });

  it('understands a follow-up', async () => {
    await panel.ask('Which extension does he have?');
    assert.match(await panel.turn.innerText(), /Understood as: Which extension does Hamish Adeyemi have\?/);
    assert.match(await panel.answer.innerText(), /461/);
  });

  it('streams, and keeps what was found when it is stopped', async () => {
    await panel.awaitTurn(async () => {
      await panel.input.fill(endlessQuestion);
      await panel.input.press('Enter');
      await panel.frame.locator('.answer.streaming', { hasText: 'There is much to tell about it' }).waitFor();
      await panel.input.press('Escape');
    });
    await panel.turn.locator('.outcome', { hasText: 'Stopped. What was found is kept.' }).waitFor();
    assert.ok((await panel.hops.count()) > 0);
    await server.closed();
  });

  it('follows a changed strategy at once', async () => {
    settings = { ...settings, 'hoptrail.strategy': 'auto' };
    host.writeSettings(settings);
    const until = Date.now() + 30_000;
    do
      await panel.ask(question); // the editor reads its settings in its own time
    while ((await panel.turn.locator('.strategy-line').innerText()).startsWith('Asked for') && Date.now() < until);
    assert.match(await panel.turn.locator('.strategy-line').innerText(), /^Looks like .+: .+\.$/);
  });

  it('thinks harder about the same question in the same thread', async () => {
    await panel.awaitTurn(() => panel.button('Think harder').click());
    assert.equal(await panel.turn.locator('.question').textContent(), question);
    assert.match(await panel.turn.locator('.quiet-line').innerText(), /Thinking harder/);
    assert.match(await panel.turn.locator('.strategy-line').innerText(), /^Looks like /);
  });

  it('learns from what became of an answer in a document', async () => {
    const file = path.join(
      host.server.dataDirectory,
      'data',
      'User',
      'globalStorage',
      'hoptrail.hoptrail',
      'learning',
      'strategies.jsonl',
    );
    const learnt = (what: string): boolean => readFileSync(file, 'utf8').includes(`"edit":"${what}"`);
    const holds = async (what: string): Promise<void> => {
      for (const until = Date.now() + 20_000; !learnt(what); await workbench.page.waitForTimeout(100))
        if (Date.now() > until) throw new Error(`what was ${what} taught nothing`);
    };
    await workbench.openFile('naming.md');
    await workbench.page.keyboard.press('Control+End');
    await panel.button('Insert Answer at Cursor').click();
    await workbench.page.locator('.tab.active.dirty').filter({ hasText: 'naming.md' }).waitFor();
    await workbench.runCommand('File: Save');
    await holds('kept');
    await workbench.page.locator('.editor-group-container.active .view-line').first().click();
    await workbench.page.keyboard.press('Control+z');
    await workbench.page.locator('.tab.active.dirty').filter({ hasText: 'naming.md' }).waitFor();
    await workbench.runCommand('File: Save');
    await holds('removed');
  });

  it('keeps a thumb and a misplaced passage, also over a reload', async () => {
    await panel.button('Good answer').click();
    await panel.turn.locator('[aria-label="Good answer"][aria-pressed=true]').waitFor();
    const hop = panel.turn.locator('.hop').first();
    await hop.hover();
    await hop.getByRole('button', { name: 'This Passage Does Not Belong' }).click();
    await hop.locator('.rejected-note').waitFor();
    await workbench.reload();
    panel = await HoptrailPanel.open(workbench);
    await panel.turn.locator('[aria-label="Good answer"][aria-pressed=true]').waitFor();
    await panel.turn.locator('.hop.rejected').first().waitFor();
  });

  describe('the learning page', () => {
    let page: FrameLocator;
    const text = (): Promise<string> => page.locator('main').innerText();

    before(async () => {
      await workbench.runCommand('Hoptrail: Learning');
      page = await workbench.webview('.learning-page');
    });

    it('shows what was learnt from these runs, and what was said about them', async () => {
      assert.match(await text(), /From [2-9] answers of language models\./);
      assert.match(await text(), /1 good answer\n[^]*1 passage that does not belong/);
      assert.ok((await page.locator('table tbody tr').count()) > 0);
    });

    it('exports it', async () => {
      const file = path.join(workspace.folder, 'learnt.jsonl');
      await page.getByRole('button', { name: 'Export…' }).click();
      await workbench.saveAs(file);
      const kinds = readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { kind: string }).kind);
      assert.ok(kinds.includes('judgement'), kinds.join());
    });

    it('deletes it, after asking', async () => {
      await workbench.runCommand('Hoptrail: Learning');
      page = await workbench.webview('.learning-page');
      await page.getByRole('button', { name: 'Delete Everything…' }).click();
      await workbench.answerDialog('Cancel');
      assert.match(await text(), /1 good answer\n/);
      await page.getByRole('button', { name: 'Delete Everything…' }).click();
      await workbench.answerDialog('Delete Everything');
      await page.locator('main', { hasText: 'No answer of a language model has taught yet' }).waitFor();
      assert.match(await text(), /0 good answers/);
      assert.equal(await page.locator('table').count(), 0);
    });
  });
});
