import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import type { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesWindow } from './notes-window.ts';

describe('what is related to the open file', () => {
  let workspace: string;
  let workbench: Workbench;
  let panel: HoptrailPanel;
  useNotesWindow((opened) => {
    ({ workspace, workbench, panel } = opened);
  });
  const row = (text: string | RegExp): Locator =>
    workbench.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first();

  it('is shown without a question: links both ways, and the nearest passages', async () => {
    await workbench.openFile('halden-cells.md');
    await workbench.runCommand('Hoptrail: Focus on Related View');
    for (const group of ['Links here', 'Links to', 'Nearest passages']) await row(group).waitFor();
    await row(/^mast-power\.md/).waitFor();
    assert.equal(await panel.frame.locator('article.turn').count(), 0);
  });

  it('names a link that leads to no file, and opens its line', async () => {
    const note = '# Naming\n\nSee [[Halden Cells]] and [[Nowhere At All]].\n';
    writeFileSync(path.join(workspace, 'misc', 'naming.md'), note);
    await workbench.openFile('naming.md');
    await row('Nowhere At All').waitFor();
    await row('Nowhere At All').click();
    await workbench.statusBarItem(/Ln 3, Col 1/).waitFor();
    assert.equal(await row(/there is no such file/).count(), 1);
  });

  it('calls a link broken once its file is gone', async () => {
    const broken = row('Halden Cells').filter({ hasText: 'there is no such file' });
    assert.equal(await broken.count(), 0);
    rmSync(path.join(workspace, 'suppliers', 'halden-cells.md'));
    await broken.waitFor();
    await row('Nowhere At All').waitFor();
  });
});
