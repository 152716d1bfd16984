import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesHost } from './notes-window.ts';

describe('the first minutes after the installation', () => {
  let workbench: Workbench;

  useNotesHost(async ({ host }) => {
    workbench = await host.openWindow();
  });

  it('open the panel once by itself, with the folder by its name and questions to click', async () => {
    const panel = await HoptrailPanel.shown(workbench);
    await panel.frame.locator('.empty-title', { hasText: 'Ask anything about “notes”' }).waitFor({ timeout: 120_000 });
    await panel.frame.locator('.suggestion').first().waitFor({ timeout: 240_000 });
    await panel.frame.getByRole('button', { name: 'Get written answers' }).waitFor();
  });

  it('open it in no later window by themselves', async () => {
    await workbench.runCommand('View: Show Explorer');
    await workbench.page.waitForTimeout(1_500); // what is open is written down in its own time
    await workbench.reload();
    await workbench.page
      .locator('.statusbar-item[aria-label*="The index is up to date"]')
      .waitFor({ timeout: 240_000 });
    await workbench.page.waitForTimeout(1_500);
    assert.equal(await workbench.page.locator('iframe.webview').count(), 0);
  });
});
