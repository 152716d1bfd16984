import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'mocha';
import { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { copyExample, type WorkspaceCopy } from './workspace-copy.ts';

describe('kinds of workspace', () => {
  const copies: WorkspaceCopy[] = [];
  let host: VscodeHost | undefined;

  function copy(name: string): string {
    const made = copyExample(name);
    copies.push(made);
    return made.folder;
  }

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await host?.capture(this.currentTest.title);
    await host?.close();
    host = undefined;
  });
  after(() => copies.forEach(({ remove }) => remove()));

  it('searches every folder of a multi-root workspace', async () => {
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [copy('notes'), copy('code')] });
    const panel = await HoptrailPanel.open(await host.openWindow());
    await panel.waitForIndex();
    await panel.ask('Who supplies the batteries of the masts?');
    assert.match(await panel.turn.innerText(), /\.md/);
    await panel.workbench.runCommand('Hoptrail: Show Index Report');
    const report = await panel.workbench.webview('h1', 'Index report');
    for (const name of ['notes', 'code'])
      await report
        .locator('code', { hasText: `${name}/` })
        .first()
        .waitFor();
  });

  it('answers with quotes in restricted mode', async () => {
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [copy('notes')], restricted: true });
    const panel = await HoptrailPanel.open(await host.openWindow());
    await panel.waitForIndex();
    await panel.frame.locator('.hint', { hasText: 'Restricted mode' }).waitFor();
    await panel.ask('Who supplies the batteries of the masts?');
    assert.match(await panel.turn.innerText(), /halden-cells\.md|Halden Cells/);
  });

  it('says what is missing when no folder is open', async () => {
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [] });
    const panel = await HoptrailPanel.open(await host.openWindow());
    await panel.frame.getByText('No folder is open').waitFor();
    assert.ok(await panel.input.isDisabled());
  });
});
