import assert from 'node:assert/strict';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { after, before, describe, it } from 'mocha';
import { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const probe = path.join(repositoryRoot, 'test/fixtures/probe-extension');

describe('a packed extension', function () {
  this.timeout(120_000);
  let scratch: string;
  let host: VscodeHost | undefined;

  before(async () => {
    scratch = temporaryFolder();
    const packagePath = path.join(scratch, 'probe.vsix');
    await createVSIX({ cwd: probe, packagePath, dependencies: false, skipLicense: true, allowMissingRepository: true });
    host = await VscodeHost.open({ vsix: [packagePath], folders: [path.join(probe, 'workspace')] });
  });
  after(async () => {
    await host?.close();
  });

  it('is installed and answers', async () => {
    assert.ok(host);
    const workbench = await host.openWindow();
    await workbench.openContainer('Harness Probe');
    const panel = await workbench.webview('#probe-title');
    await panel.locator('#question').fill('packed?');
    await panel.locator('#ask').click();
    await panel.locator('#answer', { hasText: 'heard: packed?' }).waitFor();
  });
});
