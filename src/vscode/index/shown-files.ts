import * as vscode from 'vscode';

/** Milliseconds that a file is looked at before the index is told: who leafs through files passes most of them over. */
const A_LOOK_MS = 300;

/** Tells the index which file of the workspace somebody is looking at: questions will be about that next. */
export function tellShownFiles(tell: (uris: string[]) => void): vscode.Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
    clearTimeout(timer);
    const uri = editor?.document.uri;
    if (uri?.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) return;
    timer = setTimeout(() => tell([uri.toString()]), A_LOOK_MS);
  });
  return {
    dispose() {
      clearTimeout(timer);
      listener.dispose();
    },
  };
}
