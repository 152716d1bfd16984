import * as vscode from 'vscode';

/** Asks the extension for passages as an agent would. */
export async function search(query: string): Promise<string> {
  const result = await vscode.lm.invokeTool('hoptrail_search', {
    input: { query, limit: 5 },
    toolInvocationToken: undefined,
  });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

/**
 * Searches until what comes back is as wanted: the index follows the files in its own time. Returns the last result.
 */
export async function searchUntil(query: string, wanted: (text: string) => boolean, limit = 30_000): Promise<string> {
  const until = Date.now() + limit;
  for (;;) {
    const text = await search(query);
    if (wanted(text) || Date.now() > until) return text;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A file of the workspace that is open. */
export function workspaceFile(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error('no folder is open');
  return vscode.Uri.joinPath(folder.uri, path);
}
