import * as vscode from 'vscode';
import { workspaceRoots } from '../index/workspace-roots.ts';
import type { SessionHolder } from '../session-holder.ts';
import { currentSettings, excludeGlobs } from '../settings/configuration.ts';
import { indexUriIn } from '../storage-folder.ts';
import { mcpServers } from './mcp-servers.ts';

/** The MCP servers that this window offers: one per folder, over the same index where there is one folder. */
export function mcpDefinitions(context: vscode.ExtensionContext, sessions: SessionHolder): vscode.McpStdioServerDefinition[] {
  const settings = currentSettings();
  const roots = workspaceRoots();
  const { uri, useGitignore, maxFileBytes } = settings.index;
  const servers = mcpServers({
    extensionPath: context.extensionPath,
    version: String((context.extension.packageJSON as { version: unknown }).version),
    execPath: process.execPath,
    roots,
    reading: { excludeGlobs: excludeGlobs(settings, roots), useGitignore, maxFileBytes },
    ...(settings.embedder.kind === 'folder' && { embedderFolder: settings.embedder.path }),
    indexUri: indexUriIn(sessions.storageFolder(), uri),
  });
  return servers.map(({ label, command, args, env, version }) => new vscode.McpStdioServerDefinition(label, command, args, env, version));
}
