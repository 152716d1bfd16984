import * as vscode from 'vscode';
import { rootFolders, type WorkspaceRoot } from '#search';
import { workspaceRoots } from '../index/workspace-roots.ts';
import type { SessionHolder } from '../session-holder.ts';
import { currentSettings, excludeGlobs } from '../settings/configuration.ts';
import { indexUriIn } from '../storage-folder.ts';

interface McpServerOptions {
  extensionPath: string;
  version: string;
  /** Program that runs Node code. */
  execPath: string;
  roots: readonly WorkspaceRoot[];
  /** Where this window's index lies. */
  indexUri: string;
  /** How the window reads files: a server with an index of its own must leave out what people left out. */
  reading: { excludeGlobs: readonly string[]; useGitignore: boolean; maxFileBytes: number };
  /** The embedding model's folder, where that is what the window uses. */
  embedderFolder?: string;
}

/**
 * How the MCP server of a folder is started. With one folder it follows this window's own index and changes nothing in
 * it; several folders each have an index of their own, read as the window reads.
 */
function mcpServers(
  options: McpServerOptions,
): { label: string; command: string; args: string[]; env: Record<string, string>; version: string }[] {
  const cli = vscode.Uri.joinPath(vscode.Uri.file(options.extensionPath), 'dist', 'cli.cjs').fsPath;
  const { excludeGlobs, useGitignore, maxFileBytes } = options.reading;
  const own = [
    ...(excludeGlobs.length > 0 ? ['--exclude', ...excludeGlobs] : []),
    ...(useGitignore ? [] : ['--no-gitignore']),
    '--max-file-bytes',
    String(maxFileBytes),
  ];
  const embedder = options.embedderFolder === undefined ? [] : ['--embedder-folder', options.embedderFolder];
  return rootFolders(options.roots).map((root) => ({
    label: root.prefix === '' ? 'Hoptrail' : `Hoptrail (${root.prefix.slice(0, -1)})`,
    command: options.execPath,
    args: [
      cli,
      'mcp',
      vscode.Uri.parse(root.uri).fsPath,
      ...(options.roots.length === 1 ? ['--index', options.indexUri, '--follow'] : own),
      ...embedder,
    ],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    version: options.version,
  }));
}

/** The MCP servers that this window offers: one per folder, over the same index where there is one folder. */
export function mcpDefinitions(
  context: vscode.ExtensionContext,
  sessions: SessionHolder,
): vscode.McpStdioServerDefinition[] {
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
  return servers.map(
    ({ label, command, args, env, version }) => new vscode.McpStdioServerDefinition(label, command, args, env, version),
  );
}
