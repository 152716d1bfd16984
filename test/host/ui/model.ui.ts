import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';

import type { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { FakeOpenAiServer } from '../../doubles/fake-openai-server.ts';
import {
  endlessQuestion,
  nonsenseQuestion,
  notesAssistantReply,
  silentQuestion,
} from '../../doubles/model-scripts/notes-assistant.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesWindow } from './notes-window.ts';

const question = 'Who keeps our account with Halden Cells?';

describe('asking a language model, and learning from it', () => {
  let workspace: string;
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

  /** Why the newest turn was answered as it was; the fold that says so may be closed. */
  const reasons = async (): Promise<string> =>
    (await panel.turn.locator('.how .plan-reason').allTextContents()).join('\n');
  const rewrites = (): number =>
    server.requests.filter(({ body }) => JSON.stringify(body).includes('You rewrite the last question')).length;

  it('answers with the model, cites what the model named, and says which strategy it was', async () => {
    await panel.ask(question);
    assert.match(await panel.answer.innerText(), /Hamish Adeyemi/);
    assert.match(await reasons(), /^Asked for: one retrieval\.$/m);
    const { path: file } = await panel.placeOfCitation(panel.answer.locator('[data-cite]').first());
    assert.equal(file, 'suppliers/halden-cells.md');
  });

  it('understands a follow-up', async () => {
    await panel.ask('Which extension does he have?');
    assert.match(await panel.turn.innerText(), /Understood as: Which extension does Hamish Adeyemi have\?/);
    assert.match(await panel.answer.innerText(), /461/);
  });

  it('asks a follow-up as it is written, after an edit and by the button', async () => {
    const written = 'Which extension does he have?';
    const understood = panel.turn.locator('.understood');
    await panel.button('Edit').click();
    const editor = panel.turn.locator('.question-editor textarea');
    assert.equal(await editor.inputValue(), 'Which extension does Hamish Adeyemi have?', 'what was understood');
    await editor.fill(written);
    const before = rewrites();
    await panel.awaitTurn(() => editor.press('Enter'));
    assert.equal(await panel.turn.locator('.question').textContent(), written);
    assert.equal(await understood.count(), 0, 'what was edited is asked as it is written');
    await panel.ask(written);
    await understood.waitFor();
    assert.equal(rewrites(), before + 1);
    await panel.awaitTurn(() => panel.button('Ask as written').click());
    assert.equal(await panel.turn.locator('.question').textContent(), written);
    assert.equal(await understood.count(), 0);
    assert.equal(rewrites(), before + 1, 'nobody is asked what it means');
  });

  it('leaves a question that stands alone as it is, also below others', async () => {
    await panel.ask(question);
    assert.equal(await panel.turn.locator('.understood').count(), 0);
    assert.doesNotMatch(await panel.turn.innerText(), /answers from the language model’s memory/);
  });

  it('shows in the panel what Quick Answer has answered, and asks nothing anew', async () => {
    const { page } = workbench;
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const turns = await panel.frame.locator('article.turn').count();
    await workbench.runCommand('Hoptrail: Quick Answer');
    await page.locator('.quick-input-title', { hasText: 'Quick Answer' }).waitFor();
    await page.locator('.quick-input-widget input').first().fill(question);
    await rows.filter({ hasText: question }).first().waitFor();
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'Open in Panel' }).waitFor({ timeout: 60_000 });
    const calls = server.requests.length;
    await rows.filter({ hasText: 'Open in Panel' }).click();
    await panel.frame.locator('article.turn').nth(1).waitFor({ state: 'detached' });
    assert.ok(turns > 1, 'it stands in a thread of its own');
    await panel.frame.locator('article.turn:not(.running)', { hasText: question }).waitFor();
    assert.match(await panel.answer.innerText(), /Hamish Adeyemi/);
    assert.equal(server.requests.length, calls);
  });

  it('says nothing of support beside a refusal', async () => {
    await panel.ask('Who keeps our account with the ferry company?');
    await panel.answer.locator('.abstain-title').waitFor();
    assert.doesNotMatch(await panel.turn.innerText(), /supported by/);
  });

  it('shows quotes while the model is silent, and keeps them for who does not wait', async () => {
    await panel.awaitTurn(async () => {
      await panel.input.fill(silentQuestion);
      await panel.input.press('Enter');
      const notice = panel.frame.locator('article.turn.running .notice', { hasText: 'No word yet from' });
      await notice
        .filter({ hasText: /No word yet from .*notes-assistant.*: it has sent nothing for \d+ seconds\./ })
        .waitFor();
      const quotes = panel.frame.locator('article.turn.running .answer.meanwhile');
      await quotes.filter({ hasText: 'Quotes for now' }).filter({ hasText: 'Halden Cells' }).waitFor();
      await panel.button('Stop, and keep the quotes').click();
    });
    assert.match(await panel.answer.innerText(), /Halden Cells/);
    assert.equal(await panel.turn.locator('.meanwhile').count(), 0, 'they are the answer now');
    assert.ok((await panel.hops.count()) > 0);
  });

  it('names a model that says nonsense within seconds, with quotes in its place', async () => {
    const asked = Date.now();
    await panel.ask(nonsenseQuestion);
    assert.ok(Date.now() - asked < 20_000);
    const card = panel.turn.locator('.error-card');
    assert.match(
      await card.innerText(),
      /notes-assistant.* says nothing that can be read: “[^”]*ling[^”]*”, over and over\./,
    );
    await card.getByRole('button', { name: 'Choose Model' }).waitFor();
    assert.match(await panel.answer.innerText(), /Halden Cells/);
  });

  it('streams, and keeps what was found when it is stopped', async () => {
    await panel.awaitTurn(async () => {
      await panel.input.fill(endlessQuestion);
      await panel.input.press('Enter');
      await panel.frame.locator('.answer.streaming', { hasText: 'There is much to tell about it' }).waitFor();
      await panel.input.press('Escape');
    });
    await panel.turn.locator('.outcome', { hasText: 'Stopped. What was found so far is kept.' }).waitFor();
    assert.ok((await panel.hops.count()) > 0);
    await server.closed();
  });

  it('says of an answer from memory that no file was read for it', async () => {
    host.writeSettings({ ...settings, 'hoptrail.strategy': 'no-retrieval' });
    const told = panel.turn.locator('.notice', { hasText: 'answers from the language model’s memory' });
    const until = Date.now() + 30_000;
    do await panel.ask(question);
    while ((await told.count()) === 0 && Date.now() < until);
    assert.equal(await told.count(), 1);
  });

  it('follows a changed strategy at once', async () => {
    settings = { ...settings, 'hoptrail.strategy': 'auto' };
    host.writeSettings(settings);
    const until = Date.now() + 30_000;
    do
      await panel.ask(question); // the editor reads its settings in its own time
    while (/^Asked for/m.test(await reasons()) && Date.now() < until);
    assert.match(await reasons(), /^Looks like .+: .+\.$/m);
  });

  it('thinks harder about the same question in the same thread', async () => {
    await panel.awaitTurn(() => panel.button('Think harder').click());
    assert.equal(await panel.turn.locator('.question').textContent(), question);
    assert.match(await panel.turn.locator('.quiet-line').innerText(), /More effort/);
    assert.match(await reasons(), /^The plan is debated\.$/m);
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

  describe('what was learned', () => {
    const row = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });

    it('is exported from a short menu', async () => {
      const file = path.join(workspace, 'learnt.jsonl');
      await workbench.runCommand('Hoptrail: Learning');
      await row('Export…').click();
      await workbench.saveAs(file);
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      assert.ok(lines.map((line) => (JSON.parse(line) as { kind: string }).kind).includes('judgement'));
    });

    it('is deleted, after asking', async () => {
      await workbench.runCommand('Hoptrail: Learning');
      await row('Delete Everything…').click();
      await workbench.answerDialog('Delete Everything');
      await workbench.statusBarItem('Everything that was learned is deleted').waitFor();
    });
  });
});
