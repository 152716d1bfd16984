import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { commands, resetVscode, Uri, window, workspace } from '../../doubles/vscode/vscode.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';
import { settled } from '../../doubles/waiting.ts';

const { Hoptrail } = await import('../../../src/vscode/hoptrail.ts');

describe('a command of the window', () => {
  let folder: string;
  let logged: string[];
  let hoptrail: InstanceType<typeof Hoptrail>;
  const nothing = () => ({ dispose: () => undefined });

  beforeEach(() => {
    folder = temporaryFolder();
    logged = [];
    Object.assign(window, {
      createTreeView: () => ({ onDidChangeVisibility: nothing }),
      createStatusBarItem: () => ({ show: () => undefined }),
    });
    Object.assign(workspace, { onDidSaveTextDocument: nothing, onDidCloseTextDocument: nothing });
    hoptrail = new Hoptrail(
      {
        extensionPath: folder,
        extensionUri: Uri.file(folder),
        globalStorageUri: Uri.file(folder),
        globalState: { get: () => true },
        secrets: { onDidChange: nothing },
        subscriptions: [],
      } as unknown as vscode.ExtensionContext,
      {
        error: (error: unknown) => logged.push(String(error)),
        warn: () => undefined,
      } as unknown as vscode.LogOutputChannel,
    );
  });
  afterEach(async () => {
    await hoptrail.dispose();
    resetVscode();
  });

  it('that fails is over before anybody has read why, and so is what its button fails at', async () => {
    let press: (button: string) => void = () => undefined;
    const told: unknown[][] = [];
    Object.assign(window, {
      showErrorMessage: (...given: unknown[]) => {
        told.push(given);
        return new Promise((resolve) => (press = resolve));
      },
    });
    commands.executeCommand = async (name) => {
      if (name !== 'setContext') throw new Error(`${String(name)} is not here.`);
    };
    await hoptrail.run('hoptrail.showIndexReport', []);
    assert.deepEqual(told, [['Hoptrail: No folder is open.', 'Open Folder']]);
    press('Open Folder');
    await settled();
    assert.deepEqual(told[1], ['Hoptrail: workbench.action.files.openFolder is not here.', 'Show Log']);
    assert.equal(logged.length, 2);
  });
});
