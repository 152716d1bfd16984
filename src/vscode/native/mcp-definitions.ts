import * as vscode from 'vscode';
import { workspaceRoots } from '../index/workspace-roots.ts';
import type { SessionHolder } from '../session-holder.ts';
import { currentSettings } from '../settings/configuration.ts';
import { mcpServers } from './mcp-servers.ts';

/** The MCP servers that this window offers: one per folder, over the same index where there is one folder. */
export function mcpDefinitions(context: vscode.ExtensionContext, sessions: SessionHolder): vscode.McpStdioServerDefinition[] {
  const { uri } = currentSettings().index;
  const servers = mcpServers({
    extensionPath: context.extensionPath,
    version: String((context.extension.packageJSON as { version: unknown }).version),
    execPath: process.execPath,
    roots: workspaceRoots(),
    indexUri: uri === '' ? vscode.Uri.joinPath(sessions.storageFolder(), 'index').fsPath : uri,
  });
  return servers.map(({ label, command, args, env, version }) => new vscode.McpStdioServerDefinition(label, command, args, env, version));
}
