import * as vscode from 'vscode';

/** Milliseconds that a file is looked at before the index is told: who leafs through files passes most of them over. */
const A_LOOK_MS = 300;

/** Tells the index which file of the workspace somebody is looking at: questions will be about that next. */
export class ShownFiles implements vscode.Disposable {
  readonly #listener: vscode.Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (uris: string[]) => void) {
    this.#listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
      clearTimeout(this.#timer);
      const uri = editor?.document.uri;
      if (uri?.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) return;
      this.#timer = setTimeout(() => tell([uri.toString()]), A_LOOK_MS);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listener.dispose();
  }
}
