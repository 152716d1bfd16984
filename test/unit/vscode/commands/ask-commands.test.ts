import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ToWebview } from '../../../../src/vscode/protocol.ts';
import type { PanelHub } from '../../../../src/vscode/panel/panel-hub.ts';
import { FileType, openFolders, resetVscode, Uri, workspace } from '../../../doubles/vscode/vscode.ts';

const { askInFolder } = await import('../../../../src/vscode/commands/ask-commands.ts');

describe('askInFolder', () => {
  afterEach(resetVscode);

  async function messageFor(path: string): Promise<ToWebview | undefined> {
    const messages: (ToWebview | undefined)[] = [];
    await askInFolder(
      {
        reveal: async (message?: ToWebview) => {
          messages.push(message);
        },
      } as unknown as PanelHub,
      Uri.file(path),
    );
    return messages[0];
  }

  it('limits the question to the folder and leaves alone what is being typed', async () => {
    openFolders({ path: '/one/docs', name: 'docs' }, { path: '/two/docs', name: 'docs' });
    assert.deepEqual(await messageFor('/two/docs/plans'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'folder', path: 'docs-2/plans' },
    });
    assert.deepEqual(await messageFor('/two/docs'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'folder', path: 'docs-2' },
    });
  });

  it('takes the folder of a file, and the whole workspace for its only folder', async () => {
    openFolders({ path: '/one/docs', name: 'docs' });
    assert.deepEqual(await messageFor('/one/docs'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'workspace' },
    });
    workspace.fs.stat = async () => ({ type: FileType.File });
    assert.deepEqual(await messageFor('/one/docs/plans/a.md'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'folder', path: 'plans' },
    });
  });
});
