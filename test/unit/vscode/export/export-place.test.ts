import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { openFolders, resetVscode } from '../../../doubles/vscode/vscode.ts';

const { exportPlace } = await import('../../../../src/vscode/commands/export-commands.ts');

describe('the place offered for an exported thread', () => {
  afterEach(resetVscode);

  it('is not in the workspace, whose files are evidence', () => {
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    assert.equal(exportPlace('batteries.md'), path.join(os.homedir(), 'batteries.md'));
  });
});
