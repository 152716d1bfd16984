import * as vscode from 'vscode';

const SCHEME = 'hoptrail-report';

/**
 * Reports as documents of our own: read-only and rendered, so that closing one asks nothing and leaves nothing to be
 * saved.
 */
export class ReportDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? '';
  }

  /** Shows Markdown under this title, in place of what it showed before; as text where nothing renders it. */
  async show(title: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.parse(`${SCHEME}:/${encodeURIComponent(title)}.md`);
    this.#texts.set(uri.path, markdown);
    this.#changed.fire(uri);
    try {
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    } catch {
      await vscode.window.showTextDocument(uri, { preview: true }); // the editor's Markdown is switched off
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
