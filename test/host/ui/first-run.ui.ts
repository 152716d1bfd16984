import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesHost } from './notes-window.ts';

describe('the first minutes after the installation', () => {
  let workbench: Workbench;
  const invitation = (): Locator => workbench.notification(/ is read: ask what no single file of it answers\./);
  const badge = (): Locator =>
    workbench.page
      .locator('.activitybar .action-item')
      .filter({ has: workbench.page.locator('a.action-label[aria-label^="Hoptrail"]') })
      .locator('.badge-content');

  useNotesHost(async ({ host }) => {
    workbench = await host.openWindow(); // and the panel stays closed: opening it is what the invitation is for
  });

  it('bring one quiet invitation, as soon as the folder can be asked about', async () => {
    await invitation().filter({ hasText: 'notes is read' }).waitFor({ timeout: 120_000 });
    assert.equal(await invitation().count(), 1);
    assert.equal(await badge().innerText(), '1');
    assert.equal(await workbench.page.locator('iframe.webview').count(), 0, 'nothing has opened by itself');
  });

  it('lead from it to the first step of the walkthrough, whose link asks what the folder answers', async () => {
    const { page } = workbench;
    await invitation().getByRole('button', { name: 'Get Started' }).click();
    await page.locator('.gettingStarted', { hasText: 'Get Started with Hoptrail' }).waitFor();
    const step = page.locator('.gettingStarted .getting-started-step.expanded');
    await step.filter({ hasText: 'Let it read your folder' }).waitFor();
    await step.getByRole('button', { name: 'Ask What This Workspace Answers' }).click();
    const panel = await HoptrailPanel.shown(workbench);
    await panel.frame.locator('article.turn:not(.running)').waitFor({ timeout: 120_000 });
    assert.equal(await panel.answer.locator('.abstain-title').count(), 0, await panel.turn.innerText());
    const files = await panel.hops.locator('.base').allInnerTexts();
    assert.ok(new Set(files).size >= 2, `hops: ${files.join(', ')}`);
  });

  it('take the number from the icon once the panel is open, and invite nobody twice', async () => {
    await badge().waitFor({ state: 'hidden' });
    await workbench.runCommand('View: Show Explorer'); // an open panel would keep the invitation away by itself
    await workbench.page.locator('.explorer-folders-view').waitFor();
    await workbench.page.waitForTimeout(1_500); // what is open is written down in its own time
    await workbench.reload();
    await workbench.page.locator('.statusbar-item[aria-label*="The index is up to date"]').waitFor({ timeout: 60_000 });
    await workbench.page.waitForTimeout(1_500); // as long as the first one took from there, and more
    assert.equal(await invitation().count(), 0);
    assert.equal(await workbench.page.locator('iframe.webview').count(), 0, 'the panel is not open');
    assert.equal(await badge().isVisible(), false);
  });
});
