import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { SessionHolder } from '../../../../src/vscode/session-holder.ts';
import { openFolders, resetVscode, Uri, workspace } from '../../../doubles/vscode/vscode.ts';

const { mcpDefinitions } = await import('../../../../src/vscode/native/mcp-servers.ts');
const { workspaceName } = await import('../../../../src/vscode/storage-folder.ts');

describe('mcpDefinitions', () => {
  afterEach(resetVscode);

  const context = {
    extensionPath: '/extension',
    extension: { packageJSON: { version: '1.0.0' } },
  } as unknown as vscode.ExtensionContext;
  const sessions = { storageFolder: () => Uri.file('/storage/this') } as unknown as SessionHolder;
  const indexOf = (): string | undefined => {
    const [server] = mcpDefinitions(context, sessions);
    return server?.args[server.args.indexOf('--index') + 1];
  };

  it('follow the index of this window, also where the settings put it', () => {
    openFolders({ path: '/work/notes', name: 'notes' });
    assert.equal(indexOf(), '/storage/this/index');
    workspace.getConfiguration = () => ({ get: (key) => (key === 'index.uri' ? '/shared/index' : undefined) });
    assert.equal(indexOf(), `/shared/index/${workspaceName()}`);
  });

  it('have a name of their own in folders of the same name', () => {
    openFolders({ path: '/one/docs', name: 'docs' }, { path: '/two/docs', name: 'docs' });
    const servers = mcpDefinitions(context, sessions);
    assert.deepEqual(
      servers.map((server) => [server.label, server.args[2]]),
      [
        ['Hoptrail (docs)', '/one/docs'],
        ['Hoptrail (docs-2)', '/two/docs'],
      ],
    );
    assert.ok(servers.every((server) => !server.args.includes('--follow')));
  });
});
