import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { copyExample, type WorkspaceCopy } from './workspace-copy.ts';

const question = 'Who supplies the batteries of the masts?';

describe('two windows on one workspace', () => {
  let workspace: WorkspaceCopy;
  let host: VscodeHost;
  let first: Workbench;
  let second: Workbench;

  before(async () => {
    workspace = copyExample('notes');
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [workspace.folder] });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await host.capture(this.currentTest.title);
  });
  after(async () => {
    await host.close();
    workspace.remove();
  });

  it('lets the second use the index process of the first', async () => {
    first = await host.openWindow();
    await (await HoptrailPanel.open(first)).waitForIndex();
    second = await host.openWindow();
    const panel = await HoptrailPanel.open(second);
    await panel.waitForIndex(); // nothing is said of another window
    await panel.ask(question);
    assert.match(await panel.turn.innerText(), /halden-cells\.md|Halden Cells/);
  });

  it('shows the second what is changed under the first', async () => {
    appendFileSync(
      path.join(workspace.folder, 'misc', 'naming.md'),
      '\n\nThe lightning rod of Tarn Ridge is called Brackenspire.\n',
    );
    const panel = await HoptrailPanel.open(second);
    const until = Date.now() + 30_000;
    do await panel.ask('What is the lightning rod of Tarn Ridge called?');
    while (!(await panel.turn.innerText()).includes('Brackenspire') && Date.now() < until);
    assert.match(await panel.turn.innerText(), /Brackenspire/);
  });

  it('lets the second take over when the first is closed', async () => {
    await first.page.close();
    const panel = await HoptrailPanel.open(second);
    await panel.waitForIndex(60_000);
    appendFileSync(
      path.join(workspace.folder, 'misc', 'naming.md'),
      '\n\nThe weather vane of Tarn Ridge is called Ottermantle.\n',
    );
    const until = Date.now() + 30_000;
    do await panel.ask('What is the weather vane of Tarn Ridge called?');
    while (!(await panel.turn.innerText()).includes('Ottermantle') && Date.now() < until);
    assert.match(await panel.turn.innerText(), /Ottermantle/);
  });
});
