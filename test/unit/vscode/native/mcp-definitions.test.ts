import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { embedderFrom } from '../../../../src/cli/open-engine.ts';
import { EventEmitter, openFolders, resetVscode, Uri, workspace } from '../../../doubles/vscode/vscode.ts';

const { mcpDefinitions, startedMcpServer } = await import('../../../../src/vscode/native/mcp-servers.ts');
const { McpChanges } = await import('../../../../src/vscode/native/mcp-changes.ts');
const { secretKeyOf } = await import('../../../../src/vscode/model/model-service.ts');
const { workspaceName } = await import('../../../../src/vscode/configuration.ts');

describe('mcpDefinitions', () => {
  afterEach(resetVscode);

  const context = {
    extensionPath: '/extension',
    globalStorageUri: Uri.file('/storage'),
    extension: { packageJSON: { version: '1.0.0' } },
  } as unknown as vscode.ExtensionContext;
  const indexOf = (): string | undefined => {
    const [server] = mcpDefinitions(context);
    return server?.args[server.args.indexOf('--index') + 1];
  };

  it('follow the index of this window, also where the settings put it', () => {
    openFolders({ path: '/work/notes', name: 'notes' });
    assert.equal(indexOf(), `/storage/workspaces/${workspaceName()}/index`);
    assert.ok(!mcpDefinitions(context)[0]?.args.includes('--folder-names'));
    workspace.getConfiguration = () => ({ get: (key) => (key === 'index.uri' ? '/shared/index' : undefined) });
    assert.equal(indexOf(), `/shared/index/${workspaceName()}`);
  });

  it('are one for all folders, which calls them what the window calls them', () => {
    openFolders({ path: '/one/docs', name: 'docs' }, { path: '/two/docs', name: 'manual' });
    const servers = mcpDefinitions(context);
    assert.equal(servers.length, 1);
    assert.deepEqual(servers[0]?.args.slice(2), [
      '/one/docs',
      '/two/docs',
      '--folder-names',
      'docs',
      'manual',
      '--index',
      `/storage/workspaces/${workspaceName()}/index`,
      '--follow',
    ]);
    resetVscode();
    assert.deepEqual(mcpDefinitions(context), []);
  });

  it('are told by which endpoint the index is embedded, and its key as they are started', async () => {
    openFolders({ path: '/work/notes', name: 'notes' });
    const set: Record<string, string> = {
      'embedder.kind': 'endpoint',
      'embedder.baseUrl': 'https://models.test/v1',
      'embedder.model': 'small',
    };
    workspace.getConfiguration = () => ({ get: (key) => set[key] });
    const secrets = {
      get: async (key: string) => (key === secretKeyOf('https://models.test/v1') ? 'sk-1' : undefined),
    };
    const [server] = mcpDefinitions(context);
    assert.ok(server);
    assert.ok(!JSON.stringify(server).includes('sk-1'));
    const withSecrets = { ...context, secrets } as unknown as vscode.ExtensionContext;
    const { env } = await startedMcpServer(withSecrets, server);
    assert.deepEqual(embedderFrom({}, env as NodeJS.ProcessEnv), {
      kind: 'endpoint',
      baseUrl: 'https://models.test/v1',
      model: 'small',
      apiKey: 'sk-1',
    });
    assert.deepEqual(embedderFrom({ embedderFolder: '/m' }, env as NodeJS.ProcessEnv), { kind: 'folder', path: '/m' });
    set['embedder.kind'] = 'bundled';
    const [bundled] = mcpDefinitions(context);
    assert.ok(bundled);
    assert.deepEqual((await startedMcpServer(withSecrets, bundled)).env, {
      ELECTRON_RUN_AS_NODE: '1',
      HOPTRAIL_EMBEDDER_BASE_URL: null,
      HOPTRAIL_EMBEDDER_MODEL: null,
      HOPTRAIL_EMBEDDER_API_KEY: null,
    });
    assert.deepEqual(embedderFrom({}, {}), { kind: 'bundled' });
    assert.throws(() => embedderFrom({}, { HOPTRAIL_EMBEDDER_BASE_URL: 'http://127.0.0.1:1' }), {
      code: 'usage',
      message: 'HOPTRAIL_EMBEDDER_MODEL is not set.',
    });
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
    const keys = new EventEmitter<vscode.SecretStorageChangeEvent>();
    const changes = new McpChanges({ onDidChange: keys.event });
    let asked = 0;
    changes.event(() => asked++);
    set('hoptrail.indexing');
    set('hoptrail.model.name');
    assert.equal(asked, 0);
    keys.fire({ key: 'hoptrail' });
    folders.fire();
    set('hoptrail.index.uri');
    set('hoptrail.embedder.kind');
    assert.equal(asked, 4);
    changes.dispose();
    folders.fire();
    assert.equal(asked, 4);
  });
});
