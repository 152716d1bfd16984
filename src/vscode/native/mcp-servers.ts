import * as vscode from 'vscode';
import { workspaceRoots } from '../index/workspace-roots.ts';
import { secretKeyOf } from '../model/model-service.ts';
import { currentSettings, indexUriIn, storageFolder } from '../configuration.ts';

/**
 * The MCP server that this window offers. It follows the window's own index, over all of its folders, and changes
 * nothing in it.
 */
export function mcpDefinitions(context: vscode.ExtensionContext): vscode.McpStdioServerDefinition[] {
  const { index, embedder } = currentSettings();
  const roots = workspaceRoots();
  if (roots.length === 0) return [];
  const cli = vscode.Uri.joinPath(vscode.Uri.file(context.extensionPath), 'dist', 'cli.cjs').fsPath;
  const args = [
    cli,
    'mcp',
    ...roots.map(({ uri }) => vscode.Uri.parse(uri).fsPath),
    ...(roots.length > 1 ? ['--folder-names', ...roots.map(({ name }) => name)] : []),
    '--index',
    indexUriIn(storageFolder(context), index.uri),
    '--follow',
    ...(embedder.kind === 'folder' ? ['--embedder-folder', embedder.path] : []),
  ];
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  const endpoint = embedder.kind === 'endpoint' ? embedder : undefined;
  // null: what the editor was started with counts nothing here.
  const env = {
    ELECTRON_RUN_AS_NODE: '1',
    HOPTRAIL_EMBEDDER_BASE_URL: endpoint?.baseUrl ?? null,
    HOPTRAIL_EMBEDDER_MODEL: endpoint?.model ?? null,
    HOPTRAIL_EMBEDDER_API_KEY: null,
  };
  return [new vscode.McpStdioServerDefinition('Hoptrail', process.execPath, args, env, version)];
}

/** The server as it is started: with the key of the endpoint that embeds, which no list of servers keeps. */
export async function startedMcpServer(
  context: vscode.ExtensionContext,
  server: vscode.McpStdioServerDefinition,
): Promise<vscode.McpStdioServerDefinition> {
  const baseUrl = server.env['HOPTRAIL_EMBEDDER_BASE_URL'];
  const apiKey = typeof baseUrl === 'string' ? await context.secrets.get(secretKeyOf(baseUrl)) : undefined;
  if (apiKey !== undefined) server.env = { ...server.env, HOPTRAIL_EMBEDDER_API_KEY: apiKey };
  return server;
}
