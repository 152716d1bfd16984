import assert from 'node:assert/strict';
import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const probe = path.join(repositoryRoot, 'test/fixtures/probe-extension');

describe('driving a window', function () {
  this.timeout(120_000);
  let scratch: string;
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    scratch = temporaryFolder();
    cpSync(path.join(probe, 'workspace'), path.join(scratch, 'first'), { recursive: true });
    mkdirSync(path.join(scratch, 'second'));
    writeFileSync(path.join(scratch, 'second', 'other.txt'), 'other\n');
    host = await VscodeHost.open({
      linked: [probe],
      folders: [path.join(scratch, 'first'), path.join(scratch, 'second')],
      settings: { 'harnessProbe.greeting': 'good day', 'workbench.colorTheme': 'Default Dark Modern' },
    });
    workbench = await host.openWindow();
  });
  after(async () => {
    await host.close();
  });

  it('asks in the webview and follows its link to the line', async () => {
    await workbench.openContainer('Harness Probe');
    const panel = await workbench.webview('#probe-title', 'Probe');
    await panel.locator('#question').fill('what is 7?');
    await panel.locator('#ask').click();
    await panel.locator('#answer', { hasText: 'heard: what is 7?' }).waitFor();
    await panel.locator('#answer a').click();
    await workbench.waitForCursor('lines.txt', 7);
  });

  it('runs a command with the settings that the host was given, in every folder', async () => {
    await workbench.runCommand('Harness Probe: Hello');
    await workbench.notification(/good day from \d+ in first\+second, trusted/).waitFor();
  });

  it('follows changed settings', async () => {
    host.writeSettings({ 'harnessProbe.greeting': 'good night', 'workbench.colorTheme': 'Default Dark Modern' });
    // VS Code watches the file and says nowhere that it has read it.
    let heard = false;
    for (let attempt = 0; attempt < 20 && !heard; attempt++) {
      await workbench.runCommand('Harness Probe: Hello');
      heard = await workbench
        .notification(/good night/)
        .first()
        .waitFor({ timeout: 1_000 })
        .then(
          () => true,
          () => false,
        );
    }
    assert.ok(heard);
  });

  it('changes theme and width, and takes pictures', async () => {
    await workbench.openContainer('Harness Probe');
    for (const [theme, marker] of [
      ['Light Modern', '.vs'],
      ['Dark High Contrast', '.hc-black'],
      ['Dark Modern', '.vs-dark'],
    ] as const) {
      await workbench.setTheme(theme);
      await workbench.page.locator(`.monaco-workbench${marker}`).waitFor();
    }
    for (const width of [280, 900]) {
      await workbench.setSideBarWidth(width);
      const panel = await workbench.webview('#probe-title');
      const widthInside = (): Promise<number> => panel.locator('body').evaluate(() => window.innerWidth);
      // The webview is a process of its own, which hears of its new size later.
      for (const until = Date.now() + 10_000; Math.abs((await widthInside()) - width) > 4 && Date.now() < until;)
        await workbench.page.waitForTimeout(100);
      const inside = await widthInside();
      assert.ok(Math.abs(inside - width) <= 4, `the webview is ${inside} pixels wide in a side bar of ${width}`);
    }
    const picture = path.join(scratch, 'pictures', 'window.png');
    await workbench.screenshot(picture);
    assert.ok(statSync(picture).size > 10_000);
  });

  it('opens a file by its name', async () => {
    await workbench.openFile('other.txt');
    await workbench.waitForCursor('other.txt', 1);
  });

  it('opens a second window with an extension host of its own', async () => {
    const pids: string[] = [];
    for (const window of [workbench, await host.openWindow()]) {
      await window.runCommand('Notifications: Clear All Notifications');
      await window.runCommand('Harness Probe: Hello');
      const text = await window
        .notification(/from \d+ in/)
        .first()
        .textContent();
      pids.push(/from (\d+)/.exec(text ?? '')?.[1] ?? '');
    }
    assert.equal(new Set(pids).size, 2, `both windows answered from process ${pids.join(' and ')}`);
  });
});

describe('a restricted window', function () {
  this.timeout(120_000);
  let host: VscodeHost;

  before(async () => {
    host = await VscodeHost.open({ linked: [probe], folders: [path.join(probe, 'workspace')], restricted: true });
  });
  after(() => host.close());

  it('does not trust its folder', async () => {
    const workbench = await host.openWindow();
    await workbench.runCommand('Harness Probe: Hello');
    await workbench.notification(/in workspace, restricted/).waitFor();
  });
});
