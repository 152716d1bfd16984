import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { searchUntil } from './search-tool.ts';

interface Manifest {
  contributes: { commands: { command: string }[] };
}

function hoptrail(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('hoptrail.hoptrail');
  assert.ok(extension, 'the extension is installed');
  return extension;
}

describe('Hoptrail in VS Code', () => {
  it('activates and registers every command of its manifest', async () => {
    await hoptrail().activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const { contributes } = hoptrail().packageJSON as Manifest;
    assert.ok(contributes.commands.length > 0);
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });

  it('indexes the folder by itself and finds passages with file and line', async () => {
    const text = await searchUntil('batteries froze silent weekend', (found) => found.includes('silent-weekend.md'));
    assert.match(text, /incidents\/2024-02-17-silent-weekend\.md:\d+-\d+/);
  });

  it('loads no native library of its own into the extension host, even with the index open', () => {
    // Names of hosts are not wanted, and may take long.
    (process.report as typeof process.report & { excludeNetwork: boolean }).excludeNetwork = true;
    const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
    assert.ok(sharedObjects.length > 0);
    assert.deepEqual(
      sharedObjects.filter((file) => /lancedb|onnxruntime/.test(file)),
      [],
    );
  });
});
