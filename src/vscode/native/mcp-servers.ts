import * as vscode from 'vscode';
import type { WorkspaceRoot } from '../../model/source-file.ts';

export interface McpServerOptions {
  extensionPath: string;
  version: string;
  /** Program that runs Node code. */
  execPath: string;
  roots: readonly WorkspaceRoot[];
  /** Where this window's index lies. */
  indexUri: string;
}

/** How the MCP server of a folder is started. With one folder it reads this window's own index; several folders each have their own. */
export function mcpServers(options: McpServerOptions): { label: string; command: string; args: string[]; env: Record<string, string>; version: string }[] {
  const cli = vscode.Uri.joinPath(vscode.Uri.file(options.extensionPath), 'dist', 'cli.cjs').fsPath;
  return options.roots.map((root) => ({
    label: options.roots.length === 1 ? 'Hoptrail' : `Hoptrail (${root.name})`,
    command: options.execPath,
    args: [cli, 'mcp', vscode.Uri.parse(root.uri).fsPath, ...(options.roots.length === 1 ? ['--index', options.indexUri] : [])],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    version: options.version,
  }));
}
