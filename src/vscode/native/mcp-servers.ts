import * as vscode from 'vscode';
import { workspaceRoots } from '../index/workspace-roots.ts';
import type { SessionHolder } from '../session-holder.ts';
import { currentSettings, indexUriIn } from '../configuration.ts';

/**
 * The MCP server that this window offers. It follows the window's own index, over all of its folders, and changes
 * nothing in it.
 */
export function mcpDefinitions(
  context: vscode.ExtensionContext,
  sessions: SessionHolder,
): vscode.McpStdioServerDefinition[] {
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
    indexUriIn(sessions.storageFolder(), index.uri),
    '--follow',
    ...(embedder.kind === 'folder' ? ['--embedder-folder', embedder.path] : []),
  ];
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  return [
    new vscode.McpStdioServerDefinition('Hoptrail', process.execPath, args, { ELECTRON_RUN_AS_NODE: '1' }, version),
  ];
}
