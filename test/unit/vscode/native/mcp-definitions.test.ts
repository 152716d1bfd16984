import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { SessionHolder } from '../../../../src/vscode/session-holder.ts';
import { EventEmitter, openFolders, resetVscode, Uri, workspace } from '../../../doubles/vscode/vscode.ts';

const { mcpDefinitions } = await import('../../../../src/vscode/native/mcp-servers.ts');
const { McpChanges } = await import('../../../../src/vscode/native/mcp-changes.ts');
const { workspaceName } = await import('../../../../src/vscode/configuration.ts');

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
    assert.ok(!mcpDefinitions(context, sessions)[0]?.args.includes('--folder-names'));
    workspace.getConfiguration = () => ({ get: (key) => (key === 'index.uri' ? '/shared/index' : undefined) });
    assert.equal(indexOf(), `/shared/index/${workspaceName()}`);
  });

  it('are one for all folders, which calls them what the window calls them', () => {
    openFolders({ path: '/one/docs', name: 'docs' }, { path: '/two/docs', name: 'manual' });
    const servers = mcpDefinitions(context, sessions);
    assert.equal(servers.length, 1);
    assert.deepEqual(servers[0]?.args.slice(2), [
      '/one/docs',
      '/two/docs',
      '--folder-names',
      'docs',
      'manual',
      '--index',
      '/storage/this/index',
      '--follow',
    ]);
    resetVscode();
    assert.deepEqual(mcpDefinitions(context, sessions), []);
  });

  it('are asked for again when folders, the index or its embedding model are others, and for nothing else', () => {
    const folders = new EventEmitter<void>();
    const settings = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();
    Object.assign(workspace, {
      onDidChangeWorkspaceFolders: folders.event,
      onDidChangeConfiguration: settings.event,
    });
    const set = (key: string) =>
      settings.fire({ affectsConfiguration: (section) => `${key}.`.startsWith(`${section}.`) });
    const changes = new McpChanges();
    let asked = 0;
    changes.event(() => asked++);
    set('hoptrail.indexing');
    set('hoptrail.model.name');
    assert.equal(asked, 0);
    folders.fire();
    set('hoptrail.index.uri');
    set('hoptrail.embedder.kind');
    assert.equal(asked, 3);
    changes.dispose();
    folders.fire();
    assert.equal(asked, 3);
  });
});
