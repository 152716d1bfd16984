import * as vscode from 'vscode';
import { rootFolders, type WorkspaceRoot } from '#search';

const uriOf = (folder: vscode.WorkspaceFolder): string => folder.uri.toString().replace(/\/$/, '');

/** The open folders that lie on disk. */
export function workspaceRoots(): WorkspaceRoot[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => ({ uri: uriOf(folder), name: folder.name }));
}

/** False when folders are open and none of them lies on disk. */
export function isSupportedWorkspace(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length === 0 || workspaceRoots().length > 0;
}

/** Files in the editor's tabs: what the index reads first. */
export function openFiles(): string[] {
  const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input));
  return inputs.flatMap((input) =>
    input instanceof vscode.TabInputText && input.uri.scheme === 'file' ? [input.uri.toString()] : [],
  );
}

/** Path of a file or folder as the index shows it; undefined outside of the workspace. */
export function shownPath(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const root = folder && rootFolders(workspaceRoots()).find((candidate) => candidate.uri === uriOf(folder));
  if (!folder || !root) return undefined;
  const inside = uri.path.slice(folder.uri.path.length).replace(/^\//, '');
  return `${root.prefix}${inside}`.replace(/\/$/, '');
}

/** The file that the index shows under this path; undefined when its folder is not open. */
export function uriOfShownPath(path: string): vscode.Uri | undefined {
  const root = rootFolders(workspaceRoots()).find(({ prefix }) => path.startsWith(prefix));
  return root && vscode.Uri.joinPath(vscode.Uri.parse(root.uri), path.slice(root.prefix.length));
}
